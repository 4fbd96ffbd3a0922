import type { Access } from "./access.js";
import type { AccessInput } from "./schema/access.js";

/** `checkAccess` has made sure that one kind is there. */
export function accessOf({ histogram, coverage, zipfMandelbrot, counts }: AccessInput): Access {
  if (histogram) return { kind: "histogram", bins: histogram };
  if (coverage) {
    const points = coverage.points.map(([rows, share, appearances]) =>
      appearances === undefined ? { rows, share } : { rows, share, appearances },
    );
    return { kind: "coverage", meanLength: coverage.meanLength, points };
  }
  if (zipfMandelbrot) return { kind: "zipfMandelbrot", ...zipfMandelbrot };
  return { kind: "counts", ...(counts as NonNullable<typeof counts>) };
}
