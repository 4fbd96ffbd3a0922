import type { CoverageAccess } from "../instance/access.js";
import { bisect, constantLaw, growth, integral, logRatio, type PowerLaw, powerLawBetween } from "./power-law.js";

/** An interval between two neighbouring points, with the mean expected appearances of its rows. */
interface Interval {
  readonly from: number;
  readonly to: number;
  readonly mean: number;
}

/**
 * An access curve p(t) through coverage points (r_k, share_k) of a table with L accesses per sample: a falling function
 * of the rank t whose integral over [0, r_k] is L·share_k for every point, made of power laws. Row i appears
 * ∫ p over [i−1, i] times in a sample.
 *
 * Write d_k for the mean of p over the interval that ends at r_k, that is L·(share_k − share_(k−1)) / (r_k − r_(k−1));
 * where no point says otherwise, all rows take share 1. The conditions:
 *
 * - knots: p(r_k) = p_k is the point's own third entry, or else √(d_k·d_(k+1)), the geometric mean of both sides;
 * - head, [0, r_1]: p(t) = p_1·(t/r_1)^−b with b = 1 − p_1/d_1, the only power law with that end and that mean;
 * - interior, [r_k, r_(k+1)]: two power laws that meet at a middle rank, at first the geometric mean of both ends, with
 *   the density there that makes the integral right; where none does, the middle rank moves towards an end;
 * - tail, the last interval that is read at all: p(t) = p_k·(t/r_k)^−b with the b that makes the integral right; it is
 *   an interior one where its last point has a third entry, and constant where it is also the first;
 * - an interval whose mean equals the density at one of its ends is constant, and so is one too steep for the middle
 *   rank to be told from an end; then the curve steps down at that end;
 * - rows after share 1 was reached are never read.
 *
 * The curve is continuous otherwise. Source: own construction; with the points of FlexShard, table 5, its greedy
 * algorithm gives back that table (test/unit/access/coverage-published.test.ts).
 */
export function accessCurve(coverage: CoverageAccess, rows: number): PowerLaw[] {
  const intervals = intervalsOf(coverage, rows);
  const knots = intervals.map((interval, index): number | undefined => {
    const fixed = coverage.points[index]?.appearances;
    const next = intervals[index + 1];
    return fixed ?? (next && next.mean > 0 ? Math.sqrt(interval.mean) * Math.sqrt(next.mean) : undefined);
  });
  const lastRead = intervals.findLastIndex((interval) => interval.mean > 0);
  return intervals.flatMap((interval, index) => {
    const start = knots[index - 1];
    const end = knots[index];
    if (interval.mean === 0) return [constantLaw(interval.from, interval.to, 0)];
    if (start === undefined) return [head(interval, end)];
    if (index === lastRead && end === undefined) return [tail(interval, start)];
    return interior(interval, start, end ?? interval.mean);
  });
}

function intervalsOf({ meanLength, points }: CoverageAccess, rows: number): Interval[] {
  const intervals: Interval[] = [];
  let from = 0;
  let share = 0;
  for (const point of [...points, { rows, share: 1 }]) {
    if (point.rows === from) continue;
    intervals.push({ from, to: point.rows, mean: (meanLength * (point.share - share)) / (point.rows - from) });
    from = point.rows;
    share = point.share;
  }
  return falling(intervals);
}

/**
 * The checked means never rise; the differences of their doubles may, by rounding, most where an interval has few rows.
 * Neighbours that rise get their common mean: the least change, and the sum over all stays.
 */
function falling(intervals: readonly Interval[]): Interval[] {
  const pools: { intervals: Interval[]; rows: number; mean: number }[] = [];
  for (const interval of intervals) {
    const pool = { intervals: [interval], rows: interval.to - interval.from, mean: interval.mean };
    for (let last = pools.at(-1); last && last.mean < pool.mean; last = pools.at(-1)) {
      pool.mean = (last.rows * last.mean + pool.rows * pool.mean) / (last.rows + pool.rows);
      pool.rows += last.rows;
      pool.intervals.unshift(...last.intervals);
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap(({ intervals, mean }) => intervals.map(({ from, to }) => ({ from, to, mean })));
}

function head({ from, to, mean }: Interval, end: number | undefined): PowerLaw {
  if (end === undefined || end >= mean) return constantLaw(from, to, mean);
  return { from, to, anchor: to, density: end, power: end / mean };
}

function tail({ from, to, mean }: Interval, start: number): PowerLaw {
  if (isAtMost(start, mean)) return constantLaw(from, to, mean);
  const log = logRatio(from, to);
  const wanted = (mean * (to - from)) / (start * from);
  const excess = (exponent: number): number => wanted - growth(1 - exponent, log);
  let steepest = 2;
  while (excess(steepest) < 0) steepest *= 2;
  return { from, to, anchor: from, density: start, power: 1 - bisect(excess, 0, steepest) };
}

function interior({ from, to, mean }: Interval, start: number, end: number): PowerLaw[] {
  const constant = [constantLaw(from, to, mean)];
  if (isAtMost(start, mean) || isAtMost(mean, end)) return constant;
  const wanted = mean * (to - from);
  const piecesAt = (middle: number, density: number): PowerLaw[] => [
    powerLawBetween(from, start, middle, density),
    powerLawBetween(middle, density, to, end),
  ];
  const excess = (pieces: readonly PowerLaw[]): number =>
    pieces.reduce((sum, piece) => sum + integral(piece, piece.from, piece.to), 0) - wanted;
  // The middle rank, as the part of the way from one end to the other on the logarithmic scale.
  for (let part = 0.5, halvings = 0; halvings < 40; halvings++) {
    const middle = from * Math.exp(part * logRatio(from, to));
    if (middle <= from || middle >= to) return constant;
    if (excess(piecesAt(middle, start)) < 0) part = (1 + part) / 2;
    else if (excess(piecesAt(middle, end)) > 0) part /= 2;
    else
      return piecesAt(
        middle,
        Math.exp(bisect((log) => excess(piecesAt(middle, Math.exp(log))), Math.log(end), Math.log(start))),
      );
  }
  return constant;
}

/** Equal within the rounding of the differences of shares counts as at most. */
function isAtMost(a: number, b: number): boolean {
  return a <= b * (1 + 1e-12);
}
