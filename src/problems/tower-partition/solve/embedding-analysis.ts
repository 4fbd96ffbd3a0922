import { groupingOfPoints } from "../../../../models/tower-partition/build.js";
import { evaluateTowers } from "../../../../models/tower-partition/evaluate.js";
import type { Rational } from "../../../exact/rational.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import { boundBelow, nearest } from "../../../plan-file/rounding.js";
import type { PlanOptions } from "../../plan-options.js";
import type { EmbeddingMethod } from "../methods/embedding/embed.js";
import type { TowerHeuristicPlan } from "../methods/heuristic.js";
import { type CaptureScale, capturedShare } from "../plan-file/captured-share.js";
import type { TowerStatus } from "../plan-file/plan-file.js";
import type { PreparedTowers } from "./plan.js";
import { solveGrouping } from "./solve.js";

/**
 * Where `tp` loses what it loses. It puts features into the plane and minimises the sum of squares there; the optimum
 * of
 * *that* is a partition too. From the optimum on the distances to it is the price of the plane, and from there to
 * what `tp` found is the price of K-means, which ends where no step helps. Either may be negative: a worse partition in
 * the plane can be a better one on the distances.
 */
export interface EmbeddingAnalysis {
  readonly embedding: EmbeddingMethod;
  /** Σ_{i>j} (‖X_i − X_j‖ − D_ij)². */
  readonly stress: number;
  /** Sums of squares in the plane. */
  readonly plane: {
    /** Of the towers that `tp` found. */
    readonly tp: number;
    /** Of the best towers known, and the proved bound of them; `null` where nothing was found or proved. */
    readonly optimum: number | null;
    readonly bound: number | null;
    readonly status: TowerStatus;
  };
  /** The instance's own objective, on the distances. */
  readonly onDistances: { readonly tp: number; readonly planeOptimum: number | null };
  readonly capturedShare: { readonly tp: number | null; readonly planeOptimum: number | null };
  /** What each of the two adds to the optimum's value. */
  readonly loss: { readonly embedding: number | null; readonly clustering: number | null };
  /** Wall-clock seconds of the exact search in the plane. */
  readonly seconds: number;
}

/** What is known before. */
export interface AnalysedPlan {
  readonly result: TowerHeuristicPlan;
  /** The tower of each feature in the best partition known, `null` where there is none. */
  readonly best: readonly number[] | null;
  readonly scale: CaptureScale;
}

/**
 * Solves the plane of `tp`'s embedding exactly, as far as the options' time limit allows. Throws `RangeError` without
 * an embedding.
 */
export async function embeddingAnalysis(
  { grouping }: PreparedTowers,
  method: EmbeddingMethod,
  { result, best, scale }: AnalysedPlan,
  { gap = 1e-9, timeLimitSeconds = 60, seed = 0, shouldStop }: Omit<PlanOptions, "method">,
): Promise<EmbeddingAnalysis> {
  const { embedding, labels } = result;
  if (embedding === undefined) throw new RangeError("the coordinates of an embedding were expected");
  const started = performance.now();
  const plane = groupingOfPoints(grouping, embedding.coordinates, embedding.dimensions);
  const found = await solveGrouping(plane, {
    starts: [labels],
    gap: askedGap(gap),
    timeLimitSeconds,
    seed,
    ...(shouldStop === undefined ? {} : { shouldStop }),
  });
  const onDistances = (towers: readonly number[] | null) => towers && evaluateTowers(grouping, towers).value;
  const tp = onDistances(labels) as Rational;
  const planeOptimum = onDistances(found.labels);
  const optimum = onDistances(best);
  const planeValue = found.labels && evaluateTowers(plane, found.labels).value;
  const bound = found.verdict?.bound ?? null;
  return {
    embedding: method,
    stress: embedding.stress,
    plane: {
      tp: nearest(evaluateTowers(plane, labels).value),
      optimum: planeValue && nearest(planeValue),
      bound: bound && planeValue && boundBelow(bound, planeValue),
      status: found.verdict?.status ?? "unknown",
    },
    onDistances: { tp: nearest(tp), planeOptimum: planeOptimum && nearest(planeOptimum) },
    capturedShare: { tp: capturedShare(tp, scale), planeOptimum: capturedShare(planeOptimum, scale) },
    loss: {
      embedding: planeOptimum && optimum && nearest(planeOptimum.subtract(optimum)),
      clustering: planeOptimum && nearest(tp.subtract(planeOptimum)),
    },
    seconds: Math.round(performance.now() - started) / 1000,
  };
}
