import type { ForeignModel } from "../../facts/facts.js";
import type { MethodComparison } from "../../problems/planning/compare.js";
import { PROBLEMS } from "../../problems/planning/registry.js";
import type { Problem } from "../../problems/problem.js";
import { TimeShares } from "../../search/time/time-shares.js";
import type { COMPARE } from "../tables/answers.js";
import type { OptionsOf } from "../tables/table.js";
import { EXIT, writeResult } from "../terminal/streams.js";
import { solveInWorker } from "../worker/client.js";
import { taskOf } from "./plan.js";
import { showForeign } from "./plan-shown.js";

/** `shardproof compare INSTANCE…`. */
export async function runCompare(instances: readonly string[], options: OptionsOf<typeof COMPARE>): Promise<number> {
  const comparisons: Compared[] = [];
  const { timeLimit: timeLimitSeconds = 60, methodFile: methodFiles = [] } = options;
  const shares = new TimeShares(
    timeLimitSeconds,
    instances.map(() => 1),
  );
  for (const instance of instances) {
    const limit = { timeLimitSeconds: shares.next(), startedAt: Date.now() };
    const task = { ...(await taskOf(instance, options)), ...limit };
    const made = await solveInWorker({ kind: "compare", ...task, methodFiles }, options.quiet === true);
    comparisons.push({ ...made.comparison, foreign: made.foreign });
  }
  const rows = comparisons.flatMap((comparison): readonly { status: string }[] => comparison.rows);
  const beside: Record<string, unknown[]> = {};
  for (const [key, found] of comparisons.flatMap((comparison) => Object.entries(comparison.beside ?? {}))) {
    beside[key] = [...(beside[key] ?? []), ...found];
  }
  const text =
    options.json === true
      ? `${JSON.stringify({ rows, ...beside }, null, 2)}\n`
      : (await Promise.all(comparisons.map(shown))).join("\n");
  await writeResult(text);
  if (rows.some(({ status }) => status === "feasible" || status === "unknown")) return EXIT.notProved;
  return rows.some(({ status }) => status === "infeasible") ? EXIT.infeasible : EXIT.solved;
}

type Compared = MethodComparison & { readonly foreign: ForeignModel | null };

async function shown({ foreign, ...comparison }: Compared): Promise<string> {
  const problem = PROBLEMS.find(({ name }) => name === comparison.problem) as Problem;
  return (await problem.showing()).compare(comparison) + showForeign(foreign);
}
