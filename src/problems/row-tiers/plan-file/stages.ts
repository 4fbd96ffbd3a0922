import { Rational } from "../../../exact/rational.js";
import { allowanceText, allowedValue } from "../../../instance/allowance.js";
import { goalUnit, type RowTiersGoalName } from "../../../instance/types/row-tiers.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import { ObjectiveMismatchError } from "../../../plan-file/objective-mismatch.js";
import { boundBelow, gapAbove, nearest } from "../../../plan-file/rounding.js";
import { columnCount, type Ladder, type LadderRow, unitClassCount } from "../../../program/ladder/ladder.js";
import type { Certificate } from "../../../proof/certificate.js";
import { evaluateRuns, goalValue, type RunsEvaluation, type TierEvaluation } from "./evaluate-runs.js";
import { bestMultipliers } from "./memory-price.js";
import type { PlanOutcome, PlanParts, StageParts } from "./parts.js";
import type { PlanFloor, PlanProof, PlanStage } from "./plan-file.js";

/**
 * A stage as the plan file has it; `final` is the plan that all stages end with. The certificate of the first is the plan's,
 * and the runs of the last.
 *
 * Throws {@link ObjectiveMismatchError} when the cost model and the verdict disagree about the goal.
 */
export function describeStage(
  { instance, access, before, request, stages = [] }: PlanParts,
  { goal, outcome, assignment }: StageParts,
  final: RunsEvaluation,
  index: number,
): PlanStage {
  const { minimize, allow } = goal;
  const { verdict, certificate } = outcome;
  const isLast = index === stages.length - 1;
  const evaluation = isLast ? final : evaluateRuns(instance, access, assignment, before);
  const best = goalValue(evaluation, minimize);
  const { bound, gap } = verdict;
  if (verdict.value?.equals(best) !== true || bound === null || gap === null) {
    const message = `the cost model has ${best} as ${minimize}, the program ${verdict.value}`;
    throw new ObjectiveMismatchError(message, assignment, certificate);
  }
  const most = allowedValue(best, allow);
  const value = goalValue(final, minimize);
  return {
    minimize,
    allow: allowanceText(allow),
    unit: goalUnit(minimize),
    status: verdict.status,
    value: nearest(value),
    best: nearest(best),
    bound: boundBelow(bound, best),
    gap: gapAbove(gap),
    most: nearest(most),
    floor: describeFloor(minimize, outcome, evaluation, {
      names: instance.tables.map(({ name }) => name),
      gap: askedGap(request.gap),
    }),
    exact: { value: value.toString(), best: best.toString(), bound: bound.toString(), most: most.toString() },
    runs: isLast ? null : assignment.map((runs) => runs.map(({ rows, tier }) => [rows, tier] as const)),
    proof: proofOf(outcome),
    certificate: index === 0 ? null : certificate,
  };
}

/** What the limits of a program are called. */
const LIMITS: Readonly<Record<string, string>> = {
  memory: "the memory of a GPU",
  host: "the host memory of a node",
  time: "the time of the goal before",
  network: "the time of the goal before, on the network",
  nvlink: "the time of the goal before, inside the nodes",
  "moved-rows": "how many rows may move",
  "moved-bytes": "how much a GPU may receive",
};

function describeFloor(
  goal: RowTiersGoalName,
  { certificate, ladder, point, verdict }: PlanOutcome,
  evaluation: RunsEvaluation,
  { names, gap }: { readonly names: readonly string[]; readonly gap: Rational },
): PlanFloor {
  const { value } = verdict;
  const best = point === null || value === null ? null : bestMultipliers(certificate, ladder, point, { value, gap });
  const binding =
    best === null
      ? null
      : ladder.rows
          // Only limits have a side of their own: the others hold charges and channels together.
          .filter(({ name, upper }: LadderRow) => upper.sign() > 0 && isPriced(best.multipliers, name))
          .map(({ name, upper }) => ({ limit: name, at: nearest(upper) }));
  const largest = largestPart(goal, evaluation, names);
  const cause =
    binding === null
      ? "no price of a limit alone shows it: it is shown by branching"
      : binding.length === 0
        ? "no limit binds: every row is where it adds least"
        : `${binding.map(({ limit }) => LIMITS[limit] ?? `the ${limit} of a goal before`).join(" and ")} ${binding.length === 1 ? "binds" : "bind"}`;
  const where =
    largest === null
      ? ""
      : `; ${Math.round(largest.share * 100)} % of it are the rows of ${JSON.stringify(largest.table)} in ${largest.tier}`;
  return { binding, largest, words: `${cause}${where}` };
}

function isPriced(multipliers: Readonly<Record<string, string>>, row: string): boolean {
  return Object.hasOwn(multipliers, row) && Rational.parse(multipliers[row] as string).sign() !== 0;
}

/** The table and tier that most of a goal's value is of. Latency is nobody's. */
function largestPart(
  goal: RowTiersGoalName,
  { tables }: RunsEvaluation,
  names: readonly string[],
): PlanFloor["largest"] {
  let all = Rational.zero;
  let most = Rational.zero;
  let largest: { table: string; tier: TierEvaluation["tier"] } | null = null;
  tables.forEach((tiers, t) => {
    for (const tier of tiers) {
      const part = partOf(goal, tier);
      all = all.add(part);
      if (part.compare(most) <= 0) continue;
      most = part;
      largest = { table: names[t] as string, tier: tier.tier };
    }
  });
  const found = largest as { table: string; tier: TierEvaluation["tier"] } | null;
  return found === null ? null : { ...found, share: nearest(most.divide(all)) };
}

function partOf(goal: RowTiersGoalName, { memoryBytes, hostBytes, collectives }: TierEvaluation): Rational {
  if (goal === "memory") return memoryBytes;
  if (goal === "host-memory") return hostBytes;
  if (goal === "moved-rows" || goal === "moved-bytes") return Rational.zero;
  return collectives
    .filter(({ collective }) => goal === "time" || goal === collective)
    .reduce((sum, { seconds }) => sum.add(seconds), Rational.zero);
}

/** How large a proof and the program that it is of are. */
export function proofOf({
  certificate,
  ladder,
}: {
  readonly certificate: Certificate;
  readonly ladder: Ladder;
}): PlanProof {
  return {
    classes: unitClassCount(ladder),
    columns: columnCount(ladder),
    steps: certificate.steps.length,
    branchings: certificate.steps.filter((step) => "branch" in step).length,
  };
}
