import { instanceFacts } from "../cli/report-facts.js";
import { placementCharts } from "../cli/report-placement.js";
import { rowTiersCharts } from "../cli/report-row-tiers.js";
import { towerCharts } from "../cli/report-towers.js";
import type { Instance } from "../instance/instance.js";
import type { Plan } from "../optimize/plan-instance.js";
import type { ReportCheck, ReportPlan } from "../report/input.js";
import { reportPage } from "../report/page.js";
import { verifyPlanText } from "../verify/plan-text.js";

/**
 * The report of a plan whose instance is at hand: `text` is the plan's file, checked here from its text as
 * `shardproof verify` would, and `file` the name that the page uses for it.
 */
export async function planReport(
  plan: Plan,
  text: string,
  file: string,
  instance: Instance,
): Promise<{ readonly isVerified: boolean; readonly page: string }> {
  const check = await checkOf(text, file, instance);
  const common = { file, text, check, instance: { source: instance.source ?? null, facts: instanceFacts(instance) } };
  // What a plan that failed its check says of rows and shards may be anything.
  const report = await chartedPlan(plan, check.kind === "failed" ? null : instance, common);
  return { isVerified: check.kind === "passed", page: await reportPage([report]) };
}

async function chartedPlan(
  plan: Plan,
  usable: Instance | null,
  common: Pick<ReportPlan, "file" | "text" | "check" | "instance">,
): Promise<ReportPlan> {
  const { problem } = plan;
  if (problem === "row-tiers") {
    const charts = usable?.problem === problem ? await rowTiersCharts(plan, usable) : null;
    return { ...common, problem, plan, charts };
  }
  if (problem === "table-placement") {
    const charts = usable?.problem === problem ? placementCharts(plan, usable) : null;
    return { ...common, problem, plan, charts };
  }
  const charts = usable?.problem === problem ? await towerCharts(usable) : null;
  return { ...common, problem, plan, charts };
}

async function checkOf(text: string, file: string, instance: Instance): Promise<ReportCheck> {
  const { passed, checks, differences } = await verifyPlanText(text, file, async () => instance);
  if (passed) return { kind: "passed", checks };
  const texts = differences.map(
    ({ path, expected, found }) => `${path} is ${JSON.stringify(found)}, should be ${JSON.stringify(expected)}`,
  );
  return { kind: "failed", checks, differences: texts };
}
