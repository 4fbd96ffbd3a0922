import type { Rational } from "../../../exact/rational.js";
import { EXACT_METHOD as OPTIMAL } from "../../../plan-file/method-names.js";
import { boundBelow, gapAbove, nearest } from "../../../plan-file/rounding.js";
import { holdAgainst, type Proved } from "../../../proof/hold-against.js";
import type { CurvePoint } from "./convex-curve.js";
import { type GreedyCurve, type GreedyGaps, greedyGaps } from "./greedy-curve.js";
import type { MarkedPoint } from "./marked-points.js";
import type { FrontierParts } from "./parts.js";
import type { RelaxedFrontier } from "./relaxed-frontier.js";
import type {
  FrontierBreakPoint,
  FrontierCheck,
  FrontierFile,
  FrontierGreedy,
  FrontierMark,
  FrontierOptimum,
  FrontierProof,
  FrontierReport,
  FrontierTiming,
} from "./report.js";
import type { SolvedPoint } from "./solved-points.js";

/** The report that follows from its parts. Throws `InputError` when a result is beyond the range of doubles. */
export function assembleFrontier(parts: FrontierParts): FrontierFile {
  const { prepared, relaxed, solved, greedy, marks, request } = parts;
  const { instance, model } = prepared;
  const shown = greedy.find(({ reason }) => reason === null) ?? null;
  const curves = greedy.map((curve) => ({ curve, gaps: greedyGaps(curve, solved) }));
  const main = curves.find(({ curve }) => curve === shown);
  return {
    shardproof: 1,
    problem: "row-tiers",
    instance: { name: instance.name, sha256: instance.sha256, file: instance.file },
    objective: instance.objective,
    request,
    budget: { bytesPerGpu: nearest(model.budgetBytes), isFeasible: isOwnFeasible(parts) },
    isComplete: relaxed !== null && isComplete(parts),
    relaxation: {
      method: relaxed?.method ?? "sorted",
      precision: relaxed?.precision ?? 0,
      breakPoints: relaxed?.curve.count ?? 0,
    },
    breakPoints: relaxed === null ? [] : breakPointsOf(relaxed, parts.exact),
    optimal: solved.map(optimumOf),
    greedy: main === undefined ? [] : greedyPoints(main.curve, main.gaps),
    greedyMethod: shown?.method ?? null,
    largestGreedyGap: gapOrNull(main?.gaps.largest ?? null),
    meanGreedyGap: gapOrNull(main?.gaps.mean ?? null),
    greedyByMethod: Object.fromEntries(curves.map(({ curve, gaps }) => [curve.method, greedyOf(curve, gaps)])),
    points: marks === null ? null : { a: markOf(marks.a), b: markOf(marks.b), c: markOf(marks.c), d: markOf(marks.d) },
    check: checkFrontier(parts),
    timing: timingOf(parts.timing),
    proofs: solved.map(proofOf),
  };
}

function isOwnFeasible({ prepared, relaxed, solved, missing, request }: FrontierParts): boolean | null {
  const { budgetBytes } = prepared.model;
  if (relaxed === null || budgetBytes.compare(relaxed.curve.first.bytes) < 0) return false;
  if (budgetBytes.compare(relaxed.leastPlanBytes) >= 0 || solved.some(({ isOwn }) => isOwn)) return true;
  return request.points > 0 && missing === 0 ? false : null;
}

function isComplete({ solved, missing }: FrontierParts): boolean {
  return missing === 0 && solved.every(({ verdict }) => verdict.status === "proved");
}

function breakPointsOf({ curve }: RelaxedFrontier, exact: boolean): readonly FrontierBreakPoint[] {
  return Array.from({ length: curve.count }, (_, k) => {
    const { bytes, seconds } = curve.numbersAt(k);
    const numbers = { bytesPerGpu: bytes, value: seconds };
    if (!exact) return numbers;
    const point = curve.at(k);
    return { ...numbers, exact: { bytesPerGpu: point.bytes.toString(), value: point.seconds.toString() } };
  });
}

function optimumOf(point: SolvedPoint): FrontierOptimum {
  const { verdict, budgetBytes, usedBytes, isOwn } = point;
  const [value, bound] = [verdict.value as Rational, verdict.bound as Rational];
  return {
    bytesPerGpu: nearest(budgetBytes),
    value: nearest(value),
    bound: boundBelow(bound, value),
    gap: gapAbove(verdict.gap as Rational),
    status: verdict.status,
    usedBytesPerGpu: nearest(usedBytes),
    isOwnBudget: isOwn,
    exact: exactOf(point),
  };
}

function exactOf({ budgetBytes, verdict, usedBytes }: SolvedPoint): FrontierOptimum["exact"] {
  return {
    bytesPerGpu: budgetBytes.toString(),
    value: `${verdict.value}`,
    bound: `${verdict.bound}`,
    usedBytesPerGpu: usedBytes.toString(),
  };
}

function greedyPoints({ points }: GreedyCurve, { each }: GreedyGaps): FrontierReport["greedy"] {
  return points.flatMap(({ budgetBytes, seconds }, k) =>
    seconds === null
      ? []
      : [{ bytesPerGpu: nearest(budgetBytes), value: nearest(seconds), gap: gapOrNull(each[k] ?? null) }],
  );
}

function greedyOf({ points, reason }: GreedyCurve, { each, largest, mean }: GreedyGaps): FrontierGreedy {
  return {
    reason,
    largestGap: gapOrNull(largest),
    meanGap: gapOrNull(mean),
    points: points.map(({ budgetBytes, raw, isWithin, seconds }, k) => ({
      bytesPerGpu: nearest(budgetBytes),
      value: seconds === null ? null : nearest(seconds),
      gap: gapOrNull(each[k] ?? null),
      raw: { value: nearest(raw.seconds), usedBytesPerGpu: nearest(raw.bytes), isWithin },
    })),
  };
}

function markOf({ rows, bytes, seconds }: MarkedPoint): FrontierMark {
  return { rows, bytesPerGpu: nearest(bytes), value: nearest(seconds) };
}

function proofOf(point: SolvedPoint): FrontierProof {
  return {
    bytesPerGpu: nearest(point.budgetBytes),
    status: point.verdict.status,
    exact: exactOf(point),
    runs: point.assignment.map((runs) => runs.map(({ rows, tier }) => [rows, tier] as const)),
    certificate: point.certificate,
  };
}

/** Above a bound of next to nothing a gap may be beyond all doubles. */
function gapOrNull(gap: Rational | null): number | null {
  const number = gap?.toNumber() ?? null;
  return number !== null && Number.isFinite(number) ? number : null;
}

/** Rounded to milliseconds, as in a plan file; the total is the sum of the rounded ones. */
function timingOf(seconds: FrontierParts["timing"]): FrontierTiming {
  const rounded = Object.entries(seconds).map(([key, value]) => [key, Math.max(0, Math.round(value * 1000))] as const);
  const total = rounded.reduce((sum, [, value]) => sum + value, 0);
  const each = Object.fromEntries(rounded.map(([key, value]) => [key, value / 1000]));
  return { ...(each as unknown as FrontierParts["timing"]), totalSeconds: total / 1000 };
}

/**
 * Holds every plan at hand against the relaxation's frontier and the bounds proved at all budgets that it is within, in exact
 * arithmetic: the greedy methods' (also those over their budget: with more memory they are plans), A to D, and the optima.
 *
 * Throws `ContradictionError`.
 */
function checkFrontier({ prepared, relaxed, greedy, marks, solved }: FrontierParts): FrontierCheck {
  if (relaxed === null) return { plans: 0, below: [] };
  const plans: (readonly [name: string, CurvePoint])[] = [];
  for (const { method, points } of greedy) {
    for (const { raw, keepsToHost } of points) {
      if (keepsToHost) plans.push([method, raw]);
    }
  }
  for (const [name, point] of Object.entries(marks ?? {})) plans.push([`point ${name.toUpperCase()}`, point]);
  for (const { usedBytes, verdict } of solved) {
    plans.push([OPTIMAL, { bytes: usedBytes, seconds: verdict.value as Rational }]);
  }
  // What moves is limited beside memory: of the others it is not known whether they keep to that.
  const { mostMovedRows = null, mostMovedBytes = null } = prepared.instance.from ?? {};
  const isFree = mostMovedRows === null && mostMovedBytes === null;
  const known = plans
    .filter(([name]) => isFree || name === OPTIMAL)
    .map(([name, plan]) => ({ what: `the plan of ${name} at ${plan.bytes} bytes`, plan }));
  const proved = solved.map(
    ({ budgetBytes, verdict, certificate }): Proved<CurvePoint> => ({
      of: `plans of ${budgetBytes} bytes`,
      bound: verdict.bound,
      worth: ({ bytes, seconds }) => (bytes.compare(budgetBytes) <= 0 ? seconds : null),
      proof: { certificate },
    }),
  );
  holdAgainst(known, proved);
  for (const one of known) {
    const { bytes, seconds } = one.plan;
    const bound = relaxed.curve.valueAt(bytes);
    holdAgainst([one], [{ of: `the relaxation at ${bytes} bytes`, bound, worth: () => seconds, proof: {} }]);
  }
  return { plans: plans.length, below: [] };
}
