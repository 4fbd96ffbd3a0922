import type { HistogramAccess } from "../instance/access.js";
import { type RowClasses, RowClassesBuilder } from "./row-classes.js";

/** The bins themselves, sorted, with equal appearances merged: exact. */
export function histogramClasses({ bins }: HistogramAccess): RowClasses {
  const classes = new RowClassesBuilder();
  for (const [rows, appearances] of [...bins].sort((a, b) => b[1] - a[1])) classes.add(rows, appearances);
  return classes.build();
}
