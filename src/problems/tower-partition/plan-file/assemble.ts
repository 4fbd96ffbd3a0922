import { evaluateTowers } from "../../../../models/tower-partition/evaluate.js";
import type { TowerPartitionInstance } from "../../../instance/types/tower-partition.js";
import {
  describeClaim,
  feasibleEvaluation,
  planHead,
  requireVerdictOf,
  roundedValue,
} from "../../../plan-file/assembled.js";
import { planDigest } from "../../../plan-file/canonical-json.js";
import type { PlanClaim, PlanRequest, PlanTiming } from "../../../plan-file/envelope.js";
import { nearest } from "../../../plan-file/rounding.js";
import { clusterCost } from "../../../program/grouping/evaluate.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import type { Certificate } from "../../../proof/certificate.js";
import { holdAgainst } from "../../../proof/hold-against.js";
import type { Verdict } from "../../../proof/verdict.js";
import { type BaselineTowers, describeTowerBaseline } from "./baseline.js";
import { type CaptureScale, capturedShare, randomValue } from "./captured-share.js";
import { describeTowerInfeasibility } from "./infeasibility.js";
import type { TowerLimits, TowerPartitionPlan } from "./plan-file.js";
import { meanLoad, towerLoads } from "./tower-loads.js";

/** What was proved of a plan: the verdict with the certificate that it rests on. */
export interface TowerOutcome {
  readonly verdict: Verdict;
  readonly certificate: Certificate;
}

/** Everything that a plan file is computed from. */
export interface TowerParts {
  readonly instance: TowerPartitionInstance;
  readonly grouping: Grouping;
  readonly method: string;
  readonly request: PlanRequest;
  /** `null`: a heuristic's plan, for which no bound was asked, or nothing was proved within the limits. */
  readonly outcome: TowerOutcome | null;
  /** The tower of each feature; `null` where there is no plan. */
  readonly numbering: readonly number[] | null;
  readonly baselines: readonly BaselineTowers[];
  /** Further plans of published methods: all of them where the instance is infeasible. */
  readonly known?: readonly BaselineTowers[];
  /** Where loads make the instance infeasible: a partition that breaks them and nothing else, if one is known. */
  readonly relaxed: readonly number[] | null;
  readonly claim: Omit<PlanClaim, "agrees" | "remark"> | null;
  /** A heuristic's time was over, or somebody stopped the search, before it ended; default false. */
  readonly isStopped?: boolean;
  readonly timing: PlanTiming;
}

/**
 * The plan file that follows from its parts; a pure function, so that a verifier can compute the file again.
 *
 * Throws `ContradictionError` where a partition at hand is better than what was proved, `ObjectiveMismatchError` when the
 * evaluation and the verdict disagree about the objective, `RangeError` when a numbering is none of the instance's or breaks its limits.
 */
export function assembleTowerPlan(parts: TowerParts): TowerPartitionPlan {
  const { instance, grouping, outcome, numbering } = parts;
  holdTowers(parts);
  const evaluation = numbering === null ? null : feasibleEvaluation(evaluateTowers(grouping, numbering));
  const value = evaluation?.value ?? null;
  const verdict = outcome?.verdict ?? null;
  requireVerdictOf(value, outcome, numbering);
  const bound = verdict?.bound ?? null;
  const objective = {
    kind: instance.objective,
    strategy: instance.strategy,
    ...roundedValue(value, bound, verdict?.gap ?? null),
  };
  const scale: CaptureScale = {
    random: randomValue(grouping),
    optimum: verdict?.status === "proved" ? verdict.value : bound,
  };
  const isInfeasible = verdict?.status === "infeasible";
  const status = verdict?.status ?? (parts.method === "optimal" ? "unknown" : "heuristic");
  const plan: Omit<TowerPartitionPlan, "digest"> = {
    ...planHead("tower-partition", status, parts),
    objective,
    exact: { value: value?.toString() ?? null, bound: bound?.toString() ?? null },
    random: scale.random && { value: nearest(scale.random), capturedShare: capturedShare(value, scale) },
    towers: evaluation?.towers.map((tower) => tower.map((item) => grouping.elements[item] as string)) ?? null,
    sizes: evaluation?.sizes ?? null,
    towerCosts: evaluation?.towers.map((tower) => nearest(clusterCost(grouping, tower))) ?? null,
    loads: evaluation && (towerLoads(instance, evaluation.towers)?.map(nearest) ?? null),
    limits: limitsOf(instance, grouping),
    baseline: parts.baselines.map((baseline) => describeTowerBaseline(grouping, bound, scale, baseline)),
    infeasibility: isInfeasible ? describeTowerInfeasibility(instance, grouping, parts.relaxed) : null,
    proof: outcome === null ? null : proofOf(outcome),
    certificate: outcome?.certificate ?? null,
    claim: describeClaim(parts.claim, objective, ""),
    timing: parts.timing,
  };
  return { ...plan, digest: planDigest(plan) };
}

/** Holds the partitions at hand against what was proved. */
function holdTowers({ instance, grouping, outcome, numbering, baselines, known = [] }: TowerParts): void {
  if (outcome === null) return;
  const published = [...baselines, ...known].flatMap(({ method, numbering: plan }) =>
    plan === null ? [] : [{ what: `the plan of ${method}`, plan }],
  );
  const worth = (labels: readonly number[]) => {
    const { value, violations } = evaluateTowers(grouping, labels);
    return violations.length === 0 ? value : null;
  };
  const { name, sha256 } = instance;
  const { verdict, certificate } = outcome;
  holdAgainst(
    [...published, ...(numbering === null ? [] : [{ what: "the plan", plan: numbering }])],
    [{ bound: verdict.bound, worth, proof: { instance: { name, sha256 }, certificate } }],
  );
}

function limitsOf(instance: TowerPartitionInstance, { windows, load: limit }: Grouping): TowerLimits {
  const ratio = instance.load?.ratio ?? null;
  return {
    sizes: windows.map(({ least, most }) => [least, most]),
    load:
      ratio === null || limit === null ? null : { ratio, mean: nearest(meanLoad(instance)), most: nearest(limit.most) },
  };
}

function proofOf({ certificate: { steps } }: TowerOutcome): TowerPartitionPlan["proof"] {
  return { steps: steps.length, branchings: steps.filter((step) => "pair" in step).length };
}
