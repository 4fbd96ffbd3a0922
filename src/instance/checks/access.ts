import type { Path } from "../document.js";
import { type Finding, received } from "../findings.js";
import { ACCESS_KINDS, type AccessInput } from "../schema/access.js";
import { checkCoverage } from "./coverage.js";

/** How often the rows of a table are read, held against its number of rows. */
export function checkAccess(access: AccessInput, rows: number, path: Path): Finding[] {
  const given = ACCESS_KINDS.filter((kind) => access[kind] !== undefined);
  if (given.length !== 1) {
    const found = given.length === 0 ? "none of them" : given.join(" and ");
    return [{ path, message: `expected exactly one of ${ACCESS_KINDS.join(", ")}, received ${found}; keep one` }];
  }
  const { histogram, coverage, zipfMandelbrot, counts } = access;
  if (histogram) return checkHistogram(histogram, rows, [...path, "histogram"]);
  if (coverage) return checkCoverage(coverage, rows, [...path, "coverage"]);
  if (zipfMandelbrot && zipfMandelbrot.meanLength > rows) {
    const message = `expected at most ${rows}, the table's rows (no row appears more than once), received ${zipfMandelbrot.meanLength}; lower meanLength`;
    return [{ path: [...path, "zipfMandelbrot", "meanLength"], message }];
  }
  if (counts) return checkCountsFile(counts.file, [...path, "counts", "file"]);
  return [];
}

function checkHistogram(histogram: readonly (readonly [number, number])[], rows: number, path: Path): Finding[] {
  // Sums of safe integers may leave the doubles' integers: bigint keeps the comparison exact.
  const total = histogram.reduce((sum, [count]) => sum + BigInt(count), 0n);
  const short = BigInt(rows) - total;
  if (short === 0n) return [];
  const advice = short > 0n ? `add [${short}, 0] if the others are never read` : "correct the counts or rows";
  return [
    {
      path,
      message: `expected counts that add up to ${rows}, the table's rows, received a sum of ${total}; ${advice}`,
    },
  ];
}

function checkCountsFile(file: string, path: Path): Finding[] {
  if (/\.(csv|npy|parquet)$/i.test(file)) return [];
  const message = `expected a .csv, .npy or .parquet file, received ${received(file)}; give the counts in one of these`;
  return [{ path, message }];
}
