import { placementProblem } from "../../../models/table-placement/from-instance.js";
import type { PlacementProblem } from "../../../models/table-placement/problem.js";
import { requireInstance } from "../../../src/instance/reader.js";
import type { TablePlacementInstance } from "../../../src/instance/types/table-placement.js";
import type { ExportablePlacement } from "../../../src/interop/exportable.js";
import { parseInstance } from "../../../src/problems/planning/instances.js";
import { importTorchrecProblem } from "../../../src/problems/table-placement/import-problem.js";
import { tablePlacementReader } from "../../../src/problems/table-placement/instance/reader.js";

/** What an instance file's contents come to. */
export function openPlacement(file: object): { instance: TablePlacementInstance; problem: PlacementProblem } {
  const instance = requireInstance(tablePlacementReader, parseInstance(JSON.stringify(file), "instance.json"));
  return { instance, problem: placementProblem(instance) };
}

/** The instance of a TorchRec problem, its options written out or not. */
export function openTorchrec(problem: object, expand = false) {
  return openPlacement(importTorchrecProblem(JSON.stringify(problem), "problem.json", { expand }));
}

/** A plan as it comes from a file: by table the sharding type, the kernel and the ranks. */
export function placedPlan(
  { instance, problem }: ReturnType<typeof openPlacement>,
  choices: Readonly<Record<string, readonly [shardingType: string, kernel: string, ranks: readonly number[]]>>,
): ExportablePlacement {
  const placement = {
    choices: problem.tables.map(({ name, options }) => {
      const [shardingType, kernel, devices] = choices[name] as (typeof choices)[string];
      const option = options.findIndex((one) => one.shardingType === shardingType && one.kernel === kernel);
      return { option, devices };
    }),
  };
  return { instance, problem, placement, method: "optimal", status: "feasible", digest: "" };
}
