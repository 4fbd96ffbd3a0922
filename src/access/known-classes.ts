import { InputError } from "../errors/input-error.js";
import type { Access, CoverageAccess, HistogramAccess } from "../instance/access.js";
import { accessCurve } from "./access-curve.js";
import { classBoundaries } from "./grid.js";
import { integral, type PowerLaw } from "./power-law.js";
import { type RowClasses, RowClassesBuilder } from "./row-classes.js";
import { zipfMandelbrotClasses } from "./zipf-mandelbrot.js";

/**
 * The rows of a table, grouped by how often a sample reads them, where that is known already. Throws `InputError` for a file of
 * counts that has not been read, as of an instance that is a text alone.
 */
export function knownClasses(access: Access, rows: number): RowClasses {
  switch (access.kind) {
    case "histogram":
      return histogramClasses(access);
    case "coverage":
      return coverageClasses(access, rows);
    case "zipfMandelbrot":
      return zipfMandelbrotClasses(access, rows);
    case "counts": {
      const message =
        "expected an instance with its counts read, received one of a text alone; read it by loadInstance";
      throw new InputError(message, access.file);
    }
  }
}

/** The bins themselves, sorted, with equal appearances merged: exact. */
export function histogramClasses({ bins }: HistogramAccess): RowClasses {
  const classes = new RowClassesBuilder();
  for (const [rows, appearances] of [...bins].sort((a, b) => b[1] - a[1])) classes.add(rows, appearances);
  return classes.build();
}

/**
 * The rows under the curve of {@link accessCurve}: a class ends at every point, the hottest rows are alone in theirs, the
 * others stand on a geometric grid, and a constant piece is one class. A class has the mean of its rows, so the
 * appearances add up to `meanLength`, and to each point's share of it at the point.
 */
export function coverageClasses(coverage: CoverageAccess, rows: number): RowClasses {
  const pieces = accessCurve(coverage, rows);
  const classes = new RowClassesBuilder();
  let start = 0;
  let current = 0;
  for (const end of boundaries(pieces)) {
    let total = 0;
    // A middle rank is no whole number: the class around it has a part of both pieces.
    for (; ; current++) {
      const piece = pieces[current] as PowerLaw;
      total += integral(piece, Math.max(start, piece.from), Math.min(end, piece.to));
      if (piece.to >= end || current === pieces.length - 1) break;
    }
    classes.add(end - start, total / (end - start));
    start = end;
  }
  return classes.build();
}

function* boundaries(pieces: readonly PowerLaw[]): Generator<number> {
  let from = 0;
  for (const piece of pieces) {
    const to = Math.floor(piece.to);
    if (piece.power !== 1) yield* classBoundaries(from, to);
    else if (to > from) yield to;
    from = Math.max(from, to);
  }
}
