import type { CompareRow } from "../optimize/row-tiers/compare.js";
import { EXIT } from "./exit-status.js";
import type { SolvingOptions } from "./options.js";
import { taskOf } from "./plan.js";
import { showCompare } from "./show/compare.js";
import { writeResult } from "./streams.js";
import { solveInWorker } from "./worker/client.js";

/** `shardproof compare INSTANCE…`. */
export async function runCompare(instances: readonly string[], options: SolvingOptions): Promise<number> {
  const rows: CompareRow[] = [];
  for (const instance of instances) {
    const task = await taskOf(instance, options);
    rows.push(...(await solveInWorker({ kind: "compare", ...task }, options.quiet === true)).rows);
  }
  await writeResult(options.json === true ? `${JSON.stringify({ rows }, null, 2)}\n` : showCompare(rows));
  if (rows.some(({ status }) => status === "feasible")) return EXIT.notProved;
  return rows.some(({ status }) => status === "infeasible") ? EXIT.infeasible : EXIT.solved;
}
