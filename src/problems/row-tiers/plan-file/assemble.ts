import type { RowClasses } from "../../../access/row-classes.js";
import { Rational } from "../../../exact/rational.js";
import { COLLECTIVES, type Collective } from "../../../instance/cluster.js";
import type { LadderPoint } from "../../../program/ladder/evaluate.js";
import { columnCount, type Ladder, unitClassCount } from "../../../program/ladder/ladder.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { Verdict } from "../../../proof/verdict.js";
import { askedGap } from "../../plan-file/asked-gap.js";
import { planDigest } from "../../plan-file/canonical-json.js";
import { compareClaim } from "../../plan-file/claim.js";
import type { PlanClaim, PlanRequest, PlanTiming } from "../../plan-file/envelope.js";
import { ObjectiveMismatchError } from "../../plan-file/objective-mismatch.js";
import { boundBelow, gapAbove, nearest } from "../../plan-file/rounding.js";
import type { RowTiersInstance } from "../instance/instance.js";
import type { Assignment, Run } from "./assignment.js";
import { type BaselineRuns, describeBaseline } from "./baseline.js";
import { evaluateRuns, type RunsEvaluation } from "./evaluate-runs.js";
import { describeInfeasibility } from "./infeasibility.js";
import { bestMultipliers, priceOf } from "./memory-price.js";
import type { PlanTable, RowTiersPlan } from "./plan-file.js";

/** What was proved of a plan: the verdict with what it rests on. */
export interface PlanOutcome {
  readonly verdict: Verdict;
  readonly certificate: Certificate;
  readonly ladder: Ladder;
  /** Name of the ladder's memory row. */
  readonly memoryRow: string;
  /** That of its row of the nodes' host memory; `null` where it has none. */
  readonly hostRow: string | null;
  /** `null` where the instance is infeasible. */
  readonly point: LadderPoint | null;
}

/** Everything that a plan file is computed from. */
export interface PlanParts {
  readonly instance: RowTiersInstance;
  /** One entry per table. */
  readonly access: readonly RowClasses[];
  readonly budgetBytes: Rational;
  readonly method: string;
  readonly request: PlanRequest;
  /** `null`: a heuristic's plan, for which no bound was asked. */
  readonly outcome: PlanOutcome | null;
  /** `null` where the instance is infeasible. */
  readonly assignment: Assignment | null;
  readonly baselines: readonly BaselineRuns[];
  readonly claim: Omit<PlanClaim, "agrees" | "remark"> | null;
  readonly timing: PlanTiming;
}

/**
 * The plan file that follows from its parts; a pure function, so that a verifier can compute the file again.
 *
 * Throws {@link ObjectiveMismatchError} when the cost model and the verdict disagree about the objective, `RangeError`
 * when runs do not fit the instance, `InputError` when a result is beyond the range of doubles.
 */
export function assemblePlan(parts: PlanParts): RowTiersPlan {
  const { instance, access, assignment, outcome, budgetBytes } = parts;
  const evaluation = assignment === null ? null : evaluateRuns(instance, access, assignment);
  const value = evaluation?.objective ?? null;
  const verdict = outcome?.verdict ?? null;
  if (verdict !== null && (value === null ? verdict.value !== null : verdict.value?.equals(value) !== true)) {
    throw new ObjectiveMismatchError(`the cost model has ${value} as the objective, the program ${verdict.value}`);
  }
  const bound = verdict?.bound ?? null;
  const objective = {
    kind: instance.objective,
    value: value === null ? null : nearest(value),
    bound: bound === null || value === null ? null : boundBelow(bound, value),
    gap: verdict?.gap ? gapAbove(verdict.gap) : null,
  };
  const plan: Omit<RowTiersPlan, "digest"> = {
    shardproof: 1,
    problem: "row-tiers",
    instance: { name: instance.name, sha256: instance.sha256, file: instance.file },
    method: parts.method,
    status: verdict?.status ?? "heuristic",
    request: parts.request,
    objective,
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
    prices: pricesOf(outcome, parts.request),
    baseline: parts.baselines.map((runs) => describeBaseline(instance, access, budgetBytes, bound, runs)),
    infeasibility: verdict?.status === "infeasible" ? describeInfeasibility(instance, access, budgetBytes) : null,
    claim: parts.claim === null ? null : { ...parts.claim, ...compareClaim(parts.claim, objective) },
    tables: describeTables(instance, assignment, evaluation),
    proof: outcome === null ? null : proofOf(outcome),
    certificate: outcome?.certificate ?? null,
    timing: parts.timing,
  };
  return { ...plan, digest: planDigest(plan) };
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

const BYTES_PER_GIB = Rational.of(1n << 30n);

/** `null` where no multipliers of the certificate prove nearly as much as the plan is worth. */
function pricesOf(outcome: PlanOutcome | null, request: PlanRequest): RowTiersPlan["prices"] {
  const nothing = { secondsPerGiBPerGpu: null, pricePerByte: null };
  const value = outcome?.verdict.value ?? null;
  if (outcome === null || outcome.point === null || value === null) return nothing;
  const { certificate, ladder, point, memoryRow, hostRow } = outcome;
  const best = bestMultipliers(certificate, ladder, point, { value, gap: askedGap(request.gap) });
  if (best === null) return nothing;
  const price = priceOf(best, memoryRow);
  const host = hostRow === null ? null : priceOf(best, hostRow);
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

function proofOf({ certificate, ladder }: PlanOutcome): RowTiersPlan["proof"] {
  return {
    classes: unitClassCount(ladder),
    columns: columnCount(ladder),
    steps: certificate.steps.length,
    branchings: certificate.steps.filter((step) => "branch" in step).length,
  };
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
