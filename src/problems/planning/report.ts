import type { PlanEnvelope } from "../../plan-file/envelope.js";
import { parsePlan, shapePlan } from "../../plan-file/read-plan.js";
import type { ReportCheck, ReportPlan } from "../../report/input.js";
import { baseName } from "../../text/base-name.js";
import type { Instance } from "./instances.js";
import { problemOfPlan } from "./registry.js";
import { publishedMethods, verifyPlanText } from "./verify.js";

/**
 * A plan file whose shape is right; that its words are known ones is for the check to say, and the page takes any. Throws
 * `InputError` for a file that is no plan.
 */
export async function shapedPlan(text: string, file: string): Promise<PlanEnvelope> {
  const json = parsePlan(text, file);
  const { schema } = await problemOfPlan(json, file).verifying();
  return shapePlan(schema, json, text, file) as unknown as PlanEnvelope;
}

/** What the page is told of a plan beside what its instance says: the file's name and text, and what checking it came to. */
export interface CheckedText {
  readonly file: string;
  readonly text: string;
  readonly check: ReportCheck;
}

/** Checks a plan from its text, as `shardproof verify` would. */
export async function checkedWith(instance: Instance, text: string, file: string): Promise<ReportCheck> {
  const methods = publishedMethods("quick");
  const verification = await verifyPlanText(text, file, async () => instance, undefined, methods);
  const { passed, differences, notChecked } = verification;
  // A page goes to others, whom it does not tell where files are.
  const named = (words: string) => words.replaceAll(instance.file, baseName(instance.file));
  const checks = verification.checks.map((check) => ({ ...check, detail: named(check.detail) }));
  if (passed) return { kind: "passed", checks, notChecked };
  const texts = differences.map(
    ({ path, expected, found }) => `${path} is ${JSON.stringify(found)}, should be ${JSON.stringify(expected)}`,
  );
  return { kind: "failed", checks, differences: texts };
}

/** A plan with what its instance adds to the page: facts, and what its charts need beside the plan, in the seconds that are left. */
export async function chartedPlan(
  plan: PlanEnvelope,
  instance: Instance | null,
  checked: CheckedText,
  secondsLeft?: () => number,
): Promise<ReportPlan> {
  const problem = problemOfPlan({ ...plan }, checked.file);
  const [{ instanceFacts, charts, section, difference }, { goal }] = await Promise.all([
    problem.reporting(),
    problem.knowing(),
  ]);
  // What a plan that failed its check says of rows and shards may be anything.
  const usable = checked.check.kind === "failed" || instance?.problem !== plan.problem ? null : instance;
  return {
    ...checked,
    plan,
    charts: charts === undefined ? {} : usable && (await charts(plan, usable, secondsLeft)),
    instance: instance === null ? null : { source: instance.source ?? null, facts: instanceFacts(instance) },
    goal: goal(plan),
    section,
    difference,
  };
}
