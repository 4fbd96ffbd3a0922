import type { Fact, Goal } from "../facts/facts.js";
import type { PlanEnvelope } from "../plan-file/envelope.js";
import type { ComparedPair, Difference, Section } from "./page-section.js";

/** One plan of a page: its file, what checking it came to, what the instance adds to the charts, and how it is drawn. */
export interface ReportPlan extends ReportOf<PlanEnvelope, unknown> {
  /** What it minimises. */
  readonly goal: Goal;
  /** What the page says of it; `id` begins the names of its charts. */
  section(report: ReportOf<PlanEnvelope, unknown>, id: string): Section;
  /** In what another plan of its instance differs from it; left out where nothing is said of that. */
  difference?(pair: ComparedPair<PlanEnvelope>): Difference;
}

/** A plan with its file, and what the charts of its problem need beside it: `null` where the instance is not at hand. */
export interface ReportOf<Plan, Charts> {
  readonly plan: Plan;
  readonly charts: Charts | null;
  /** The file's name, and its text as it was read. */
  readonly file: string;
  readonly text: string;
  readonly check: ReportCheck;
  /** What the instance says; `null` where it could not be read, or is another by now. */
  readonly instance: ReportInstance | null;
}

/** What checking the plan came to while the page was made. */
export type ReportCheck =
  | {
      readonly kind: "passed";
      readonly checks: readonly ReportFinding[];
      /** Fields that no check covers, and why. */
      readonly notChecked: readonly { readonly path: string; readonly reason: string }[];
    }
  | {
      readonly kind: "failed";
      readonly checks: readonly ReportFinding[];
      /** Fields that are not what they should be. */
      readonly differences: readonly string[];
    }
  /** The instance was not there: why. */
  | { readonly kind: "unchecked"; readonly reason: string };

/** One thing that was looked at. */
export interface ReportFinding {
  readonly name: string;
  readonly passed: boolean;
  readonly detail: string;
}

export interface ReportInstance {
  /** Where the instance's numbers come from, in its own words. */
  readonly source: string | null;
  /** Facts about it, such as the cluster. */
  readonly facts: readonly Fact[];
}
