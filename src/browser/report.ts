import type { Instance } from "../problems/planning/instances.js";
import type { Plan } from "../problems/planning/plan.js";
import { chartedPlan, checkedWith } from "../problems/planning/report.js";
import { reportPage } from "../report/page.js";

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
  const check = await checkedWith(instance, text, file);
  const report = await chartedPlan(plan, instance, { file, text, check });
  return { isVerified: check.kind === "passed", page: await reportPage([report]) };
}
