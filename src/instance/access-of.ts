import type { Access } from "./access.js";
import type { NamedFile } from "./reader.js";
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

/** The files of counts that tables name, before they are read. */
export function countsFilesOf(tables: readonly { readonly access?: Access }[]): NamedFile[] {
  return tables.flatMap(({ access }, t) =>
    access?.kind === "counts" ? [{ name: access.file, at: ["tables", t, "access", "counts", "file"] }] : [],
  );
}
