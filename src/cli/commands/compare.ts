import type { MethodComparison } from "../../problems/plan.js";
import { showCompare } from "../../problems/row-tiers/show/compare.js";
import { showPlacementCompare } from "../../problems/table-placement/show/compare.js";
import { showTowerCompare } from "../../problems/tower-partition/show/compare.js";
import { TimeShares } from "../../search/time/time-shares.js";
import { EXIT } from "../terminal/exit-status.js";
import { writeResult } from "../terminal/streams.js";
import { solveInWorker } from "../worker/client.js";
import type { SolvingOptions } from "./options.js";
import { taskOf } from "./plan.js";

/** `shardproof compare INSTANCE…`. */
export async function runCompare(instances: readonly string[], options: SolvingOptions): Promise<number> {
  const comparisons: MethodComparison[] = [];
  const { timeLimit: timeLimitSeconds = 60 } = options;
  const shares = new TimeShares(
    timeLimitSeconds,
    instances.map(() => 1),
  );
  for (const instance of instances) {
    const limit = { timeLimitSeconds: shares.next(), startedAt: Date.now() };
    const task = { ...(await taskOf(instance, options)), ...limit };
    comparisons.push((await solveInWorker({ kind: "compare", ...task }, options.quiet === true)).comparison);
  }
  const rows = comparisons.flatMap((comparison): readonly { status: string }[] => comparison.rows);
  const minMaxReward = comparisons.flatMap((comparison) =>
    comparison.problem === "table-placement" && comparison.reward !== undefined ? [comparison.reward] : [],
  );
  const embeddings = comparisons.flatMap((comparison) =>
    comparison.problem === "tower-partition" ? comparison.embeddings : [],
  );
  const data = {
    rows,
    ...(minMaxReward.length === 0 ? {} : { minMaxReward }),
    ...(embeddings.length === 0 ? {} : { embeddings }),
  };
  const text = options.json === true ? `${JSON.stringify(data, null, 2)}\n` : comparisons.map(shown).join("\n");
  await writeResult(text);
  if (rows.some(({ status }) => status === "feasible" || status === "unknown")) return EXIT.notProved;
  return rows.some(({ status }) => status === "infeasible") ? EXIT.infeasible : EXIT.solved;
}

function shown(comparison: MethodComparison): string {
  if (comparison.problem === "row-tiers") return showCompare(comparison.rows);
  return comparison.problem === "table-placement" ? showPlacementCompare(comparison) : showTowerCompare(comparison);
}
