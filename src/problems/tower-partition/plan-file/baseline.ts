import { evaluateTowers } from "../../../../models/tower-partition/evaluate.js";
import type { Rational } from "../../../exact/rational.js";
import { aboveBound } from "../../../plan-file/above-bound.js";
import { nearest } from "../../../plan-file/rounding.js";
import { STOPPED } from "../../../plan-file/stopped.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { type CaptureScale, capturedShare } from "./captured-share.js";
import type { TowerBaseline } from "./plan-file.js";

/**
 * What a published method made of the instance: the tower of each feature, or why it found none. The reason is {@link STOPPED}
 * where its time was over before it ended.
 */
export type BaselineTowers =
  | { readonly method: string; readonly numbering: readonly number[]; readonly reason: typeof STOPPED | null }
  | { readonly method: string; readonly numbering: null; readonly reason: string };

/** Evaluates a baseline beside the proved bound. Throws `RangeError` when its numbering is none of the instance's. */
export function describeTowerBaseline(
  grouping: Grouping,
  bound: Rational | null,
  scale: CaptureScale,
  { method, numbering, reason }: BaselineTowers,
): TowerBaseline {
  if (numbering === null) {
    return { method, status: "none", reason, value: null, aboveBound: null, capturedShare: null, numbering };
  }
  const { value, violations } = evaluateTowers(grouping, numbering);
  const [violation = null] = violations;
  const counts = violation === null;
  return {
    method,
    status: counts ? "plan" : "breaks-limits",
    reason: violation ?? reason,
    value: nearest(value),
    aboveBound: counts && bound !== null ? aboveBound(value, bound) : null,
    capturedShare: counts ? capturedShare(value, scale) : null,
    numbering,
  };
}

/** A baseline as a plan file has it; what it comes to is evaluated again. */
export function baselineIn(written: Pick<TowerBaseline, "method" | "numbering" | "reason">): BaselineTowers {
  const { method, numbering, reason } = written;
  return numbering === null
    ? { method, numbering, reason: reason ?? "" }
    : { method, numbering, reason: reason === STOPPED ? STOPPED : null };
}
