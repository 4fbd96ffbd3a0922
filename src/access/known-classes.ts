import { InputError } from "../errors/input-error.js";
import type { Access, HistogramAccess } from "../instance/access.js";
import { coverageClasses } from "./coverage.js";
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
