import { Rational } from "../../../exact/rational.js";
import { allowedValue } from "../../../instance/allowance.js";
import { COLLECTIVES, type Collective } from "../../../instance/cluster.js";
import type { Assignment, Run } from "../../../instance/types/assignment.js";
import {
  goalUnit,
  type RowTiersGoalName,
  type RowTiersInstance,
  type Tier,
} from "../../../instance/types/row-tiers.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import { describeClaim, planHead, requireVerdictOf, roundedValue } from "../../../plan-file/assembled.js";
import { planDigest } from "../../../plan-file/canonical-json.js";
import type { PlanRequest } from "../../../plan-file/envelope.js";
import { nearest } from "../../../plan-file/rounding.js";
import { holdAgainst, type Known, type Proved } from "../../../proof/hold-against.js";
import { relativeGap, type Verdict } from "../../../proof/verdict.js";
import { describeBaseline } from "./baseline.js";
import { evaluateRuns, goalValue, isWithinLimits, type RunsEvaluation } from "./evaluate-runs.js";
import { describeInfeasibility } from "./infeasibility.js";
import { bestMultipliers, priceOf } from "./memory-price.js";
import { describeMoves } from "./moves.js";
import type { PlanOutcome, PlanParts, StageParts } from "./parts.js";
import type { PlanTable, RowTiersPlan } from "./plan-file.js";
import { describeStage, proofOf } from "./stages.js";

/**
 * The plan file that follows from its parts; a pure function, so that a verifier can compute the file again.
 *
 * Throws `ContradictionError` where a plan at hand is better than what was proved, `ObjectiveMismatchError` when the cost model and the verdict disagree about the objective, `RangeError`
 * when runs do not fit the instance, `InputError` when a result is beyond the range of doubles.
 */
export function assemblePlan(parts: PlanParts): RowTiersPlan {
  const { instance, access, assignment, outcome, budgetBytes, stages = [] } = parts;
  holdRuns(parts);
  const evaluation = assignment === null ? null : evaluateRuns(instance, access, assignment, parts.before);
  const goal = outcome === null ? undefined : instance.goals?.[0]?.minimize;
  const value = evaluation === null ? null : goalValue(evaluation, goal ?? "time");
  const verdict = outcome?.verdict ?? null;
  // Of several goals each stage's own plan is held against its verdict.
  if (stages.length === 0) requireVerdictOf(value, outcome, assignment, WORDS);
  const bound = verdict?.bound ?? null;
  const objective = {
    kind: goal === undefined || goal === "time" ? instance.objective : goal,
    ...roundedValue(value, bound, bound && value && relativeGap(value, bound)),
  };
  const plan: Omit<RowTiersPlan, "digest"> = {
    ...planHead("row-tiers", statusOf(verdict, stages), parts),
    objective,
    ...(goal === undefined || evaluation === null
      ? {}
      : {
          time: { kind: instance.objective, seconds: nearest(evaluation.objective) },
          stages: stages.map((stage, k) => describeStage(parts, stage, evaluation, k)),
        }),
    ...(instance.from === undefined ? {} : { moves: describeMoves(instance, evaluation?.moves ?? null) }),
    exact: {
      value: value?.toString() ?? null,
      bound: bound?.toString() ?? null,
      bytesPerGpu: evaluation?.memoryBytes.toString() ?? null,
      budgetBytesPerGpu: budgetBytes.toString(),
      ...(instance.tiers.includes("host") ? { hostBytesPerNode: evaluation?.hostBytes.toString() ?? null } : {}),
    },
    memory: {
      bytesPerGpu: evaluation === null ? null : nearest(evaluation.memoryBytes),
      budgetBytesPerGpu: nearest(budgetBytes),
      hbmBytesPerGpu: instance.cluster.hbmBytesPerGpu ?? null,
      ...hostMemoryOf(instance, evaluation),
    },
    collectives: evaluation === null ? null : nearestEach(instance, evaluation.collectives),
    prices: pricesOf(outcome, parts.request, goalUnit(goal ?? "time")),
    baseline: parts.baselines.map((runs) =>
      describeBaseline(instance, access, budgetBytes, (goal ?? "time") === "time" ? bound : null, runs),
    ),
    infeasibility: verdict?.status === "infeasible" ? describeInfeasibility(instance, access, budgetBytes) : null,
    claim: describeClaim(parts.claim, objective),
    tables: describeTables(instance, assignment, evaluation),
    proof: outcome === null ? null : proofOf(outcome),
    certificate: outcome?.certificate ?? null,
    timing: parts.timing,
  };
  return { ...plan, digest: planDigest(plan) };
}

/** Proved where every goal is; the first itself may then be as far off as is allowed. */
function statusOf(verdict: Verdict | null, stages: readonly StageParts[]): RowTiersPlan["status"] {
  if (verdict === null) return "heuristic";
  return stages.every(({ outcome }) => outcome.verdict.status === "proved") ? verdict.status : "feasible";
}

function describeTables(
  { tables }: RowTiersInstance,
  assignment: Assignment | null,
  evaluation: RunsEvaluation | null,
): readonly PlanTable[] {
  return tables.map(({ name, rows }, index) => ({
    name,
    rows,
    tiers: (evaluation?.tables[index] ?? []).map((tier) => ({
      tier: tier.tier,
      rows: tier.rows,
      accessShare: nearest(tier.accessShare),
      parameterBytes: nearest(tier.parameterBytes),
      readBytesPerSample: nearest(tier.readBytes),
      memoryBytesPerGpu: nearest(tier.memoryBytes),
      ...(tier.tier === "host" ? { hostBytesPerNode: nearest(tier.hostBytes) } : {}),
      collectives: Object.fromEntries(
        tier.collectives.map(({ collective, seconds }) => [collective, nearest(seconds)]),
      ) as Partial<Record<Collective, number>>,
    })),
    runs: (assignment?.[index] ?? []).map(({ rows, tier }: Run) => [rows, tier] as const),
  }));
}

/** How an objective that is not the program's is told. */
const WORDS = ["the cost model has", " as the objective, the program"] as const;

const BYTES_PER_GIB = Rational.of(1n << 30n);

/** `null` where no multipliers of the certificate prove nearly as much as the plan is worth. */
function pricesOf(
  outcome: PlanOutcome | null,
  request: PlanRequest,
  unit: ReturnType<typeof goalUnit>,
): RowTiersPlan["prices"] {
  const nothing = { secondsPerGiBPerGpu: null, pricePerByte: null };
  const value = outcome?.verdict.value ?? null;
  if (outcome === null || outcome.point === null || value === null || unit !== "s") return nothing;
  const { certificate, ladder, point } = outcome;
  const best = bestMultipliers(certificate, ladder, point, { value, gap: askedGap(request.gap) });
  if (best === null) return nothing;
  const price = priceOf(best, "memory");
  const host = ladder.rows.some(({ name }) => name === "host") ? priceOf(best, "host") : null;
  return {
    secondsPerGiBPerGpu: perGiB(price),
    pricePerByte: price.toString(),
    ...(host === null ? {} : { host: { secondsPerGiBPerNode: perGiB(host), pricePerByte: host.toString() } }),
  };
}

/** Subtracted from zero, so that no price is not printed as -0. */
function perGiB(price: Rational): number {
  return 0 - nearest(price.multiply(BYTES_PER_GIB));
}

/** The host memory of a plan whose instance allows the tier `host`; nothing for any other. */
function hostMemoryOf(
  { tiers, cluster }: RowTiersInstance,
  evaluation: RunsEvaluation | null,
): Pick<RowTiersPlan["memory"], "host"> {
  if (!tiers.includes("host") || cluster.hostBytesPerNode === undefined) return {};
  const bytesPerNode = evaluation === null ? null : nearest(evaluation.hostBytes);
  return { host: { bytesPerNode, budgetBytesPerNode: cluster.hostBytesPerNode } };
}

/** Seconds of each collective; those of the host link only where the tier `host` is allowed. */
function nearestEach(
  { tiers }: RowTiersInstance,
  seconds: Readonly<Record<Collective, Rational>>,
): NonNullable<RowTiersPlan["collectives"]> {
  const { hostToDevice, ...others } = Object.fromEntries(
    COLLECTIVES.map((collective) => [collective, nearest(seconds[collective])]),
  ) as Record<Collective, number>;
  return tiers.includes("host") ? { ...others, hostToDevice } : others;
}

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
