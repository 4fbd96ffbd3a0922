import type { RowClasses } from "./row-classes.js";

/** The hottest rows of a table up to where the access curve bends, and what they take. */
export interface BreakPoint {
  readonly rows: number;
  /** Share of all accesses. */
  readonly share: number;
}

/**
 * The break-points of an access curve c(r), the share of accesses that the hottest r rows take: where a class of rows that are
 * read alike ends and the next begins. The curve is concave and piecewise linear, so that of all splits of a table those are
 * the corners. The end of the rows that are read at all is one, the end of the table is none.
 *
 * Of more than `most` those are left whose polyline is nearest to the curve, by greedy insertion: again and again the corner
 * that is farthest above the polyline.
 */
export function breakPoints(classes: RowClasses, most: number): readonly BreakPoint[] {
  const corners = cornersOf(classes);
  const inner = corners.slice(1, -1);
  if (inner.length <= most) return inner;
  const taken = [0, corners.length - 1];
  for (let k = 0; k < most; k++) {
    let [best, farthest, at] = [-1, -1, 0];
    for (let i = 1; i < taken.length; i++) {
      const [from, to] = [corners[taken[i - 1] as number] as BreakPoint, corners[taken[i] as number] as BreakPoint];
      const slope = (to.share - from.share) / (to.rows - from.rows);
      for (let c = (taken[i - 1] as number) + 1; c < (taken[i] as number); c++) {
        const { rows, share } = corners[c] as BreakPoint;
        const above = share - from.share - slope * (rows - from.rows);
        if (above > farthest) [best, farthest, at] = [c, above, i];
      }
    }
    taken.splice(at, 0, best);
  }
  return taken.slice(1, -1).map((c) => corners[c] as BreakPoint);
}

/** From no rows to all of them. */
function cornersOf({ rows, appearances }: RowClasses): BreakPoint[] {
  let total = 0;
  for (let k = 0; k < rows.length; k++) total += (rows[k] as number) * (appearances[k] as number);
  const corners: BreakPoint[] = [{ rows: 0, share: 0 }];
  let [count, sum] = [0, 0];
  for (let k = 0; k < rows.length; k++) {
    count += rows[k] as number;
    sum += (rows[k] as number) * (appearances[k] as number);
    // A table that is never read has no hot rows. The last class that is read takes what is left, without rounding.
    const isLastRead = (appearances[k + 1] ?? 0) === 0;
    corners.push({ rows: count, share: total === 0 || isLastRead ? 1 : Math.min(1, sum / total) });
  }
  return total === 0 ? [corners[0] as BreakPoint, corners.at(-1) as BreakPoint] : corners;
}

/**
 * How many distinct rows so many accesses are expected to read of those after the hottest `from`: Σ 1 − (1 − q)^n over the rows,
 * q a row's share of all accesses, each access by itself.
 */
export function expectedDistinctRows(classes: RowClasses, accesses: number, from = 0): number {
  const { rows } = classes;
  const read = readOnce(classes, accesses);
  if (read === null) return 0;
  let [before, distinct] = [0, 0];
  for (let k = 0; k < rows.length; k++) {
    const own = rows[k] as number;
    const left = Math.max(0, own - Math.max(0, from - before));
    before += own;
    distinct += left * (read[k] as number);
  }
  return distinct;
}

/** By classes, what {@link readOnce} last came to: sizes of caches ask it of one table again and again. */
const READ_ONCE = new WeakMap<RowClasses, { readonly accesses: number; readonly read: Float64Array | null }>();

/** By class, how likely one of its rows is read at all; `null` where none is. */
function readOnce(classes: RowClasses, accesses: number): Float64Array | null {
  const known = READ_ONCE.get(classes);
  if (known?.accesses === accesses) return known.read;
  const { rows, appearances } = classes;
  let total = 0;
  for (let k = 0; k < rows.length; k++) total += (rows[k] as number) * (appearances[k] as number);
  const likelihood = (mean: number) => -Math.expm1(accesses * Math.log1p(-Math.min(1, mean / total)));
  const read = total === 0 || accesses === 0 ? null : Float64Array.from(appearances, likelihood);
  READ_ONCE.set(classes, { accesses, read });
  return read;
}

/** The rows after the hottest `from`, as a table of their own. */
export function classesAfter({ rows, appearances }: RowClasses, from: number): RowClasses {
  let before = 0;
  const kept: [number, number][] = [];
  for (let k = 0; k < rows.length; k++) {
    const own = rows[k] as number;
    const left = own - Math.max(0, Math.min(own, from - before));
    before += own;
    if (left > 0) kept.push([left, appearances[k] as number]);
  }
  return {
    rows: Float64Array.from(kept, ([count]) => count),
    appearances: Float64Array.from(kept, ([, mean]) => mean),
  };
}
