import { evaluatePlacement, type PlacementEvaluation } from "../../../models/table-placement/evaluate.js";
import type {
  Placement,
  PlacementOption,
  PlacementProblem,
  ShardNeed,
} from "../../../models/table-placement/problem.js";
import { provedBelow, provedProgram } from "../../../models/table-placement/proved-program.js";
import { notesOf, spaceOf } from "../../../models/table-placement/space.js";
import type { LeftOut } from "../../cost/placement/instance-costs.js";
import { Rational } from "../../exact/rational.js";
import { brokenByPlacement } from "../../interop/torchrec/broken-rules.js";
import type { GivenPlacement } from "../../interop/torchrec/given-placement.js";
import { aboveBound } from "../../plan-file/above-bound.js";
import { askedGap } from "../../plan-file/asked-gap.js";
import { exactOrNull } from "../../plan-file/exact-text.js";
import { GIVEN_PLACEMENT } from "../../plan-file/method-names.js";
import { nearest } from "../../plan-file/rounding.js";
import { Verdict } from "../../proof/verdict.js";
import { assemblePlacementPlan } from "./plan-file/assemble.js";
import { baselineIn } from "./plan-file/baseline.js";
import type { PlacedChoice, TablePlacementPlan } from "./plan-file/plan-file.js";

/** A sharding plan of TorchRec's under an instance's cost model, beside what was proved of the instance. */
export interface ShardingPlanScore {
  readonly shardproof: 1;
  readonly kind: "torchrec-score";
  /** The file of the sharding plan. */
  readonly file: string;
  readonly instance: { readonly name: string; readonly sha256: string; readonly file: string };
  /** `breaks-limits`: some device has less memory than the plan needs, or shards are where they may not be. */
  readonly status: "plan" | "breaks-limits";
  readonly violations: readonly string[];
  /**
   * What the instance's goal comes to under the given plan, the bound proved for the instance (`null` where there is none),
   * and (value − bound) / bound; `null` for a plan that breaks the limits.
   */
  readonly objective: {
    readonly kind: TablePlacementPlan["objective"]["kind"];
    readonly unit: string | null;
    readonly value: number;
    readonly bound: number | null;
    readonly gap: number | null;
  };
  /** The costliest device (the first of them), and what lies on it, the costliest shard first. */
  readonly bottleneck: { readonly device: number; readonly cost: number; readonly shards: readonly ScoredShard[] };
  readonly deviceCosts: readonly number[];
  readonly deviceBytes: readonly number[];
  readonly deviceHostBytes: readonly number[];
  /** Absent where no SSD limits. */
  readonly deviceSsdBytes?: readonly number[];
  /**
   * The plan that was searched for; `null` where none was found, or the given one is as good (in the second goal too, where
   * the instance has one).
   */
  readonly better: {
    readonly value: number;
    /** By what part of the given plan's value it is lower; below 0 where it keeps to limits that the given plan breaks. */
    readonly saved: number | null;
    readonly choices: Readonly<Record<string, PlacedChoice>>;
  } | null;
  /** The given plan is the proved bound exactly, in the second goal too where the instance has one. */
  readonly isOptimal: boolean;
  /** What is known of the instance: `proved`, `feasible`, `infeasible` or `unknown`; `null` where nothing was asked. */
  readonly search: TablePlacementPlan["status"] | null;
  /** As in the plan file. */
  readonly leftOut?: readonly LeftOut[];
  readonly runnable?: false;
  readonly notes?: readonly string[];
}

export interface ScoredShard {
  readonly table: string;
  readonly shard: number;
  readonly shardingType: string;
  readonly kernel: string;
  readonly cost: number;
  readonly hbmBytes: number;
  readonly hostBytes: number;
  /** Absent: none. */
  readonly ssdBytes?: number;
}

/** A score, and the better of the two plans as a plan file; `null` where there is none. */
export interface Scored {
  readonly score: ShardingPlanScore;
  readonly best: TablePlacementPlan | null;
}

/**
 * Evaluates a given placement in exact arithmetic, beside the plan that was searched for, if one was: its bound is the
 * instance's. Where the given plan is the better one (a search that ended at its time limit), it is the best plan, with the
 * search's proof.
 */
export function scorePlacement(given: GivenPlacement, searched: TablePlacementPlan | null): Scored {
  const { file, instance, problem, placement } = given;
  const { broken = brokenByPlacement(instance, problem, placement), space = spaceOf(problem) } = given;
  const evaluation = evaluatePlacement(problem, placement);
  const violations = [...broken, ...evaluation.violations];
  const isFeasible = violations.length === 0;
  const plain = {
    shardproof: 1,
    kind: "torchrec-score",
    file,
    instance: { name: instance.name, sha256: instance.sha256, file: instance.file },
    status: isFeasible ? "plan" : "breaks-limits",
    violations,
    objective: {
      kind: problem.goal === "phases" ? "sum-of-phase-maxima" : "largest-device-cost",
      unit: instance.costUnit,
      value: nearest(evaluation.objective),
      bound: null,
      gap: null,
    },
    bottleneck: bottleneckOf(problem, placement, evaluation),
    deviceCosts: evaluation.deviceCosts.map(nearest),
    deviceBytes: evaluation.hbmBytes,
    deviceHostBytes: evaluation.hostBytes,
    ...(problem.ssdBytes === undefined ? {} : { deviceSsdBytes: evaluation.ssdBytes }),
    better: null,
    isOptimal: false,
    search: null,
    ...space,
    ...notesOf(problem, placement),
  } as const;
  if (searched === null) return { score: plain, best: null };
  const bound = exactOrNull(searched.exact.bound);
  const found = exactOrNull(searched.exact.value);
  const compared = found === null ? -1 : compareGoals(problem, evaluation, found, searched.second);
  const isBest = isFeasible && compared < 0;
  const isBetter = found !== null && (!isFeasible || compared > 0);
  const score: ShardingPlanScore = {
    ...plain,
    objective: {
      ...plain.objective,
      bound: searched.objective.bound,
      gap: isFeasible && bound !== null ? aboveBound(evaluation.objective, bound) : null,
    },
    better: isBetter
      ? {
          value: nearest(found),
          saved: savedPart(evaluation.objective, found),
          choices: searched.choices ?? {},
        }
      : null,
    isOptimal:
      isFeasible && bound?.equals(evaluation.objective) === true && isSecondClosed(problem, evaluation, searched),
    search: searched.status,
  };
  return { score, best: isBest ? withPlacement(given, searched) : found === null ? null : searched };
}

/**
 * Below 0 where the given plan is better than the one that was found, by the first goal and then, where there is one, by the
 * second: of plans that are both within what the first goal allows, the second goal alone decides.
 */
function compareGoals(
  { thenMinimize }: PlacementProblem,
  { objective, sum, secondLargest }: PlacementEvaluation,
  found: Rational,
  second: TablePlacementPlan["second"],
): number {
  const byFirst = objective.compare(found);
  if (thenMinimize === undefined || second === null) return byFirst;
  const bySecond = (thenMinimize === "sum" ? sum : secondLargest).compare(Rational.parse(second.exact.value));
  const cap = second.exact.cap === null ? null : Rational.parse(second.exact.cap);
  const isWithin = cap !== null && objective.compare(cap) <= 0;
  return isWithin || byFirst === 0 ? bySecond : byFirst;
}

/** Whether the second goal of a placement whose first is the bound is its own proved bound; so it is where there is none. */
function isSecondClosed(
  { thenMinimize }: PlacementProblem,
  { sum, secondLargest }: PlacementEvaluation,
  { second }: TablePlacementPlan,
): boolean {
  if (thenMinimize === undefined) return true;
  const bound = exactOrNull(second?.exact.bound ?? null);
  return bound?.equals(thenMinimize === "sum" ? sum : secondLargest) === true;
}

function savedPart(value: Rational, better: Rational): number | null {
  return value.sign() === 0 ? null : nearest(value.subtract(better).divide(value));
}

function bottleneckOf(
  { tables }: PlacementProblem,
  { choices }: Placement,
  { deviceCosts, largest }: PlacementEvaluation,
): ShardingPlanScore["bottleneck"] {
  const device = deviceCosts.findIndex((cost) => cost.equals(largest));
  const shards = choices.flatMap(({ option, devices }, t) => {
    const { name, options } = tables[t] as PlacementProblem["tables"][number];
    const { shardingType, kernel, shards: needs } = options[option] as PlacementOption;
    return [...devices.keys()]
      .filter((k) => devices[k] === device)
      .map((shard): ScoredShard => ({ table: name, shard, shardingType, kernel, ...(needs[shard] as ShardNeed) }));
  });
  return { device, cost: nearest(largest), shards: shards.sort((a, b) => b.cost - a.cost) };
}

/** The plan file of a placement that is better than the one that was found, with the proof that the search ended with. */
function withPlacement(
  { instance, problem, placement }: GivenPlacement,
  searched: TablePlacementPlan,
): TablePlacementPlan {
  const { certificate, provedOn, request, claim, timing, proof } = searched;
  // Better than what was found, so within the ceiling that it may have.
  const ceiling = proof?.ceiling === undefined ? null : Rational.parse(proof.ceiling);
  const { program, pointOf } =
    ceiling === null ? provedProgram(problem, searched) : provedBelow(problem, ceiling, placement, searched);
  const outcome =
    certificate === null
      ? null
      : {
          verdict: Verdict.of(program, certificate, pointOf(placement), askedGap(request.gap)),
          ...{ certificate, on: { program, name: provedOn } },
          ...(ceiling === null ? {} : { ceiling }),
        };
  return assemblePlacementPlan({
    instance,
    problem,
    // A bound is the exact method's, whoever found the placement.
    method: outcome === null ? GIVEN_PLACEMENT : searched.method,
    request,
    outcome,
    placement,
    baselines: outcome === null ? [] : searched.baseline.map(baselineIn),
    relaxed: null,
    claim,
    timing,
  });
}
