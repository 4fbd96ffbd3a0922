import type { RowClasses } from "../../../access/row-classes.js";
import type { Rational } from "../../../exact/rational.js";
import type { Assignment } from "../../../instance/types/assignment.js";
import type { RowsBefore, RowTiersGoal, RowTiersInstance } from "../../../instance/types/row-tiers.js";
import type { PlanClaim, PlanRequest, PlanTiming } from "../../../plan-file/envelope.js";
import type { LadderPoint } from "../../../program/ladder/evaluate.js";
import type { Ladder } from "../../../program/ladder/ladder.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { Verdict } from "../../../proof/verdict.js";
import type { BaselineRuns } from "./baseline.js";

/** What was proved of a plan: the verdict with what it rests on. */
export interface PlanOutcome {
  readonly verdict: Verdict;
  readonly certificate: Certificate;
  readonly ladder: Ladder;
  /** `null` where the instance is infeasible. */
  readonly point: LadderPoint | null;
}

/** Everything that a plan file is computed from. */
export interface PlanParts {
  readonly instance: RowTiersInstance;
  /** One entry per table. */
  readonly access: readonly RowClasses[];
  /** Where rows were, one entry per table; `null` where the instance has no plan to move from. */
  readonly before: readonly RowsBefore[] | null;
  readonly budgetBytes: Rational;
  readonly method: string;
  readonly request: PlanRequest;
  /** Of the first goal. `null`: a heuristic's plan, for which no bound was asked. */
  readonly outcome: PlanOutcome | null;
  /** The goals in order, where the instance has several and they have a plan; the first one's outcome is `outcome`. */
  readonly stages?: readonly StageParts[];
  /** `null` where the instance is infeasible. */
  readonly assignment: Assignment | null;
  readonly baselines: readonly BaselineRuns[];
  /** Further plans of published methods: all of them where the instance is infeasible. */
  readonly known?: readonly BaselineRuns[];
  readonly claim: Omit<PlanClaim, "agrees" | "remark"> | null;
  readonly timing: PlanTiming;
}

/** What was proved of one goal, the earlier ones held: its own plan comes before the goals after it. */
export interface StageParts {
  readonly goal: RowTiersGoal;
  readonly outcome: PlanOutcome;
  readonly assignment: Assignment;
}
