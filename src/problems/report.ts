import type { Instance } from "../instance/instance.js";
import type { ReportCheck, ReportPlan } from "../report/input.js";
import { baseName } from "../text/base-name.js";
import { instanceFacts } from "./instance-facts.js";
import { publishedMethods } from "./published-methods.js";
import { rowTiersCharts } from "./row-tiers/charts.js";
import type { RowTiersPlan } from "./row-tiers/plan-file/plan-file.js";
import { placementCharts } from "./table-placement/charts.js";
import type { TablePlacementPlan } from "./table-placement/plan-file/plan-file.js";
import { towerCharts } from "./tower-partition/charts.js";
import type { TowerPartitionPlan } from "./tower-partition/plan-file/plan-file.js";
import { verifyPlanText } from "./verify.js";

/** A plan of any problem; `problem` tells them apart. */
export type ShapedPlan = RowTiersPlan | TablePlacementPlan | TowerPartitionPlan;

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

/** A plan with what its instance adds to the page: facts, and what its charts need beside the plan. */
export async function chartedPlan(
  plan: ShapedPlan,
  instance: Instance | null,
  checked: CheckedText,
): Promise<ReportPlan> {
  const common = {
    ...checked,
    instance: instance === null ? null : { source: instance.source ?? null, facts: instanceFacts(instance) },
  };
  // What a plan that failed its check says of rows and shards may be anything.
  const usable = checked.check.kind === "failed" ? null : instance;
  if (plan.problem === "row-tiers") {
    const { problem } = plan;
    const charts = usable?.problem === problem ? await rowTiersCharts(plan, usable) : null;
    return { ...common, problem, plan, charts };
  }
  if (plan.problem === "table-placement") {
    const { problem } = plan;
    const charts = usable?.problem === problem ? await placementCharts(plan, usable) : null;
    return { ...common, problem, plan, charts };
  }
  const { problem } = plan;
  const charts = usable?.problem === problem ? await towerCharts(usable) : null;
  return { ...common, problem, plan, charts };
}
