import { Rational } from "../../exact/rational.js";
import type { Path } from "../document.js";
import type { Finding } from "../findings.js";
import type { AccessInput } from "../schema/access.js";

type CoverageInput = NonNullable<AccessInput["coverage"]>;

/**
 * The points must lie on a curve that an access curve can be: rows and shares rising, the mean density of the intervals
 * (accesses per row) never rising, and all accesses taken by all rows. Only the first fault is reported, because one
 * wrong point disturbs its neighbours. Densities are compared as the exact decimals of the file.
 */
export function checkCoverage(coverage: CoverageInput, tableRows: number, path: Path): Finding[] {
  const points = coverage.points;
  const at = (index: number, field: number): Path => [...path, "points", index, field];
  for (const [index, [rows, share]] of points.entries()) {
    const [previousRows, previousShare] = points[index - 1] ?? [0, 0];
    if (rows <= previousRows) {
      const message = `expected more rows than the point before (${previousRows}), received ${rows}; order the points by rows`;
      return [{ path: at(index, 0), message }];
    }
    if (rows > tableRows) {
      return [{ path: at(index, 0), message: `expected at most ${tableRows}, the table's rows, received ${rows}` }];
    }
    if (share <= previousShare) {
      const message = `expected a share above the point before (${previousShare}), received ${share}; shares are cumulative`;
      return [{ path: at(index, 1), message }];
    }
    if (rows === tableRows && share !== 1) {
      const message = `expected 1, because all rows take all accesses, received ${share}`;
      return [{ path: at(index, 1), message }];
    }
  }
  return checkDensities(coverage, tableRows, at);
}

function checkDensities(
  { points, meanLength }: CoverageInput,
  tableRows: number,
  at: (index: number, field: number) => Path,
): Finding[] {
  const knots: { rows: number; share: Rational }[] = [{ rows: 0, share: Rational.zero }];
  for (const [rows, share] of points) knots.push({ rows, share: Rational.parse(String(share)) });
  if (knots.at(-1)?.rows !== tableRows) knots.push({ rows: tableRows, share: Rational.one });
  const densities = knots.slice(1).map((knot, index) => {
    const before = knots[index] as (typeof knots)[number];
    return knot.share.subtract(before.share).divide(Rational.fromNumber(knot.rows - before.rows));
  });
  const length = Rational.parse(String(meanLength));
  for (const [index, point] of points.entries()) {
    const here = densities[index] as Rational;
    const next = densities[index + 1];
    if (next && next.compare(here) > 0) {
      const message = `expected a share of at least that of evenly read rows between its neighbours, received ${point[1]}; the rows after this point would be read more often than those before`;
      return [{ path: at(index, 1), message }];
    }
    const fixed = point[2];
    if (fixed === undefined) continue;
    const highest = here.multiply(length);
    const lowest = (next ?? Rational.zero).multiply(length);
    const exact = Rational.parse(String(fixed));
    const isFlat = highest.equals(lowest) && exact.equals(highest);
    if (!isFlat && (exact.compare(lowest) <= 0 || exact.compare(highest) >= 0)) {
      const message = `expected a value between ${lowest.toNumber()} and ${highest.toNumber()}, the mean appearances of the rows after this point and before it, received ${fixed}; leave the third entry out to have it chosen`;
      return [{ path: at(index, 2), message }];
    }
  }
  return [];
}
