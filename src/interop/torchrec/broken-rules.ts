import { repeatedDevice } from "../../../models/table-placement/constraints.js";
import { withoutCopies } from "../../../models/table-placement/hot-rows.js";
import type { Placement, PlacementOption, PlacementProblem } from "../../../models/table-placement/problem.js";
import type { ComputeKernel } from "../../cost/torchrec/kernels.js";
import type { TorchrecTable } from "../../cost/torchrec/problem.js";
import { readPlacedTorchrecProblem } from "../../cost/torchrec/read-problem.js";
import { brokenRules, needsDistinctRanks } from "../../cost/torchrec/run-rules.js";
import type { ShardingType } from "../../cost/torchrec/sharding-types.js";
import { InputError } from "../../errors/input-error.js";
import type { TablePlacementInstance } from "../../instance/types/table-placement.js";

/** The instance with all options that TorchRec's estimators price; itself where it has them, or TorchRec's costs are not its. */
export function asPriced(instance: TablePlacementInstance): TablePlacementInstance {
  const { torchrec } = instance;
  if (torchrec === null) return instance;
  const value = torchrec.value as { readonly runnable?: boolean; readonly uneven_row_wise?: boolean };
  if (value.runnable === false) return instance;
  return { ...instance, torchrec: { ...torchrec, value: { ...value, runnable: false } } };
}

/** Throws `InputError` for a placement that TorchRec cannot run; `file`: its plan's. */
export function requireRunnable(
  {
    instance,
    problem,
    placement,
  }: Readonly<{
    instance: TablePlacementInstance;
    problem: PlacementProblem;
    placement: Placement;
  }>,
  file: string,
): void {
  const [broken] = brokenByPlacement(instance, problem, placement);
  if (broken === undefined) return;
  const { runnable } = (instance.torchrec?.value ?? {}) as { readonly runnable?: boolean };
  const advice =
    runnable === false
      ? "plan without torchrec.runnable: false"
      : "nothing else of the table is left; allow it more sharding types and kernels, or another width, and plan again";
  throw new InputError(`TorchRec cannot run this plan: ${broken}; ${advice}`, file);
}

/** The rules by which TorchRec cannot run a placement, table by table, in words. */
export function brokenByPlacement(
  { torchrec }: Pick<TablePlacementInstance, "torchrec">,
  { tables }: Pick<PlacementProblem, "tables">,
  { choices }: Placement,
): readonly string[] {
  if (torchrec === null) return [];
  const problem = readPlacedTorchrecProblem(torchrec);
  return tables.flatMap(({ name, options }, t) => {
    const { option, devices } = choices[t] as Placement["choices"][number];
    const own = options[option] as PlacementOption;
    const ruled = {
      shardingType: own.shardingType as ShardingType,
      kernel: own.kernel as ComputeKernel,
      loadFactor: own.cache?.loadFactor,
    };
    const shared = needsDistinctRanks(ruled) ? repeatedDevice(withoutCopies(own, devices)) : undefined;
    return [
      ...brokenRules(problem, problem.tables[t] as TorchrecTable, ruled).map(
        ({ rule, how }) => `table ${name}: ${how} (rule ${rule.name})`,
      ),
      ...(shared === undefined
        ? []
        : [
            `table ${name}: two column shards of ${own.kernel} are on rank ${shared}, and need a rank each (rule column-ranks)`,
          ]),
    ];
  });
}
