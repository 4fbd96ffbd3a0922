import type { Rational } from "../../../exact/rational.js";
import { allowedValue } from "../../../instance/allowance.js";
import type { Assignment, Run } from "../../../instance/types/assignment.js";
import type { RowTiersGoalName, Tier } from "../../../instance/types/row-tiers.js";
import { holdAgainst, type Known, type Proved } from "../../../proof/hold-against.js";
import { evaluateRuns, goalValue, isWithinLimits, type RunsEvaluation } from "./evaluate-runs.js";
import type { PlanOutcome, PlanParts } from "./parts.js";

interface Held {
  readonly goal: RowTiersGoalName;
  readonly most: Rational;
}

/**
 * Holds every plan at hand against what was proved of each goal: the published methods', each stage's, and where the rows were. A
 * plan counts for a later goal where it has no more of those before than is allowed.
 *
 * Throws `ContradictionError`.
 */
export function holdRuns(parts: PlanParts): void {
  const { instance, access, before, budgetBytes, outcome, stages = [] } = parts;
  if (outcome === null) return;
  const { name, sha256 } = instance;
  const evaluations = new Map<Assignment, RunsEvaluation>();
  const evaluationOf = (assignment: Assignment) => {
    const found = evaluations.get(assignment) ?? evaluateRuns(instance, access, assignment, before);
    evaluations.set(assignment, found);
    return found;
  };
  const held: Held[] = [];
  const claim = ({ verdict, certificate }: PlanOutcome, goal: RowTiersGoalName, of?: string): Proved<Assignment> => {
    const limits = [...held];
    return {
      ...(of === undefined ? {} : { of }),
      bound: verdict.bound,
      worth: (assignment) => {
        const found = evaluationOf(assignment);
        const isKept = limits.every((one) => goalValue(found, one.goal).compare(one.most) <= 0);
        return isKept && isWithinLimits(instance, budgetBytes, found) ? goalValue(found, goal) : null;
      },
      proof: { instance: { name, sha256 }, certificate },
    };
  };
  const proved =
    stages.length === 0
      ? [claim(outcome, instance.goals?.[0]?.minimize ?? "time")]
      : stages.map(({ goal: { minimize, allow }, outcome: own }, k) => {
          const one = claim(own, minimize, `goal ${k + 1} (${minimize})`);
          if (own.verdict.value !== null) held.push({ goal: minimize, most: allowedValue(own.verdict.value, allow) });
          return one;
        });
  holdAgainst(knownIn(parts), proved);
}

function knownIn({ instance, before, assignment, baselines, stages = [], known = [] }: PlanParts) {
  const all: readonly { readonly what: string; readonly plan: Assignment | null }[] = [
    ...[...baselines, ...known].map(({ method, assignment: plan }) => ({ what: `the plan of ${method}`, plan })),
    ...stages.map(({ assignment: plan }, k) => ({ what: `the plan of goal ${k + 1}`, plan })),
    { what: "where the rows are now", plan: before === null ? null : assignmentOf(before, instance.tiers) },
    { what: "the plan", plan: assignment },
  ];
  return all.filter((one): one is Known<Assignment> => one.plan !== null);
}

/** Where rows were, as a plan; `null` where some were nowhere, or in a tier that the instance does not allow. */
function assignmentOf(before: NonNullable<PlanParts["before"]>, tiers: readonly Tier[]): Assignment | null {
  const isRun = (one: { readonly tier: Tier | null }): one is Run => one.tier !== null && tiers.includes(one.tier);
  return before.every((pieces) => pieces.every(isRun)) ? (before as readonly (readonly Run[])[]) : null;
}
