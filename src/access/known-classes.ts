import type { Access } from "../instance/access.js";
import { coverageClasses } from "./coverage.js";
import { histogramClasses } from "./histogram.js";
import type { RowClasses } from "./row-classes.js";
import { zipfMandelbrotClasses } from "./zipf-mandelbrot.js";

/** The rows of a table, grouped by how often a sample reads them, where the instance says it itself rather than a file of counts. */
export function knownClasses(access: Exclude<Access, { readonly kind: "counts" }>, rows: number): RowClasses {
  switch (access.kind) {
    case "histogram":
      return histogramClasses(access);
    case "coverage":
      return coverageClasses(access, rows);
    case "zipfMandelbrot":
      return zipfMandelbrotClasses(access, rows);
  }
}
