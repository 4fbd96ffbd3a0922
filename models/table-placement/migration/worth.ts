import type { MovesFrom, TablePlacementInstance } from "../../../src/instance/types/table-placement.js";
import { evaluatePlacement } from "../evaluate.js";
import type { Placement, PlacementChoice, PlacementProblem } from "../problem.js";

/** Whether moving is worth it. */
export interface Worth {
  /** Of the costs; `null` where the instance does not say. */
  readonly unit: string | null;
  /**
   * What the goal comes to where the tables are now, under the instance as it is, with new tables where they shall be; `null`
   * where that is none of its plans.
   */
  readonly now: number | null;
  /** What it comes to after the move. */
  readonly after: number;
  /** Iterations after which the seconds of moving are made up for; `null` where they are not, or where it is not known. */
  readonly iterations: number | null;
  /** Why something is not known, or why it does not pay. */
  readonly reason: string | null;
}

/** Seconds of the units in which a cost can be the time of an iteration. */
const SECONDS: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6 };

/** `seconds`: of moving; `null` where it is not known. Costs are those of an iteration. */
export function worthOf(
  {
    instance,
    problem,
    placement,
  }: {
    readonly instance: TablePlacementInstance;
    readonly problem: PlacementProblem;
    readonly placement: Placement;
  },
  from: MovesFrom,
  seconds: number | null,
): Worth {
  const { costUnit: unit } = instance;
  // In doubles, shown: how long a move takes to pay.
  const cost = (choices: readonly PlacementChoice[]) => evaluatePlacement(problem, { choices }).objective.toNumber();
  const after = cost(placement.choices);
  const found = placementNow(problem, placement, from);
  if (found.choices === null) return { unit, now: null, after, iterations: null, reason: found.reason };
  const now = cost(found.choices);
  const worth = (iterations: number | null, reason: string | null) => ({ unit, now, after, iterations, reason });
  if (now <= after) return worth(null, "an iteration costs no less after the move");
  const unitSeconds = unit === null ? undefined : SECONDS[unit];
  if (unitSeconds === undefined) return worth(null, "the costs are not said to be the time of an iteration (costUnit)");
  if (seconds === null) return worth(null, "the bandwidth of a link is not known (cluster.bandwidth)");
  return worth(Math.ceil(seconds / ((now - after) * unitSeconds)), null);
}

/** Where the tables are now, and new ones as they shall be, as a placement of the problem; limits on memory do not matter. */
function placementNow(
  { tables, nodes, gpusPerNode }: PlacementProblem,
  placement: Placement,
  { choices, ranks }: MovesFrom,
):
  | { readonly choices: readonly PlacementChoice[]; readonly reason: null }
  | { readonly choices: null; readonly reason: string } {
  const now: PlacementChoice[] = [];
  for (const [t, { name, options }] of tables.entries()) {
    const written = choices.get(name);
    if (written === undefined) {
      now.push(placement.choices[t] as PlacementChoice);
      continue;
    }
    const devices = written.ranks.map((rank) => ranks[rank] as number);
    const isGone = devices.some((device) => device >= nodes * gpusPerNode);
    if (isGone) return { choices: null, reason: `the table ${name} is on a device that is gone` };
    const option = options.findIndex(
      ({ shardingType, kernel, shards }) =>
        shardingType === written.shardingType && kernel === written.kernel && shards.length === devices.length,
    );
    if (option === -1) {
      const as = `${written.shardingType} ${written.kernel} in ${written.ranks.length} shards`;
      return { choices: null, reason: `the table ${name} is ${as}, which is none of its options` };
    }
    now.push({ option, devices });
  }
  return { choices: now, reason: null };
}
