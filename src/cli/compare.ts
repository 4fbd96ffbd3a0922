import type { MethodComparison } from "../optimize/plan-instance.js";
import { EXIT } from "./exit-status.js";
import type { SolvingOptions } from "./options.js";
import { taskOf } from "./plan.js";
import { showCompare } from "./show/compare.js";
import { showPlacementCompare } from "./show/placement-compare.js";
import { writeResult } from "./streams.js";
import { solveInWorker } from "./worker/client.js";

/** `shardproof compare INSTANCE…`. */
export async function runCompare(instances: readonly string[], options: SolvingOptions): Promise<number> {
  const comparisons: MethodComparison[] = [];
  for (const instance of instances) {
    const task = await taskOf(instance, options);
    comparisons.push((await solveInWorker({ kind: "compare", ...task }, options.quiet === true)).comparison);
  }
  const rows = comparisons.flatMap((comparison): readonly { status: string }[] => comparison.rows);
  const shown = () =>
    comparisons.map((comparison) =>
      comparison.problem === "row-tiers" ? showCompare(comparison.rows) : showPlacementCompare(comparison.rows),
    );
  await writeResult(options.json === true ? `${JSON.stringify({ rows }, null, 2)}\n` : shown().join("\n"));
  if (rows.some(({ status }) => status === "feasible" || status === "unknown")) return EXIT.notProved;
  return rows.some(({ status }) => status === "infeasible") ? EXIT.infeasible : EXIT.solved;
}
