import type { Box } from "../../proof/kernel/view.js";
import type { SearchSpace } from "./space.js";

/** What must be left at most of a continuous column's range for its new bounds to be worth a step and another relaxation. */
const NARROWER = 0.8;

/** Whether a continuous column's range has become much smaller. */
export function isMuchNarrower(before: Box, after: Box, j: number): boolean {
  const width = ({ lower, upper }: Box) => {
    const [low, high] = [lower[j] ?? null, upper[j] ?? null];
    return low === null || high === null ? Number.POSITIVE_INFINITY : high.subtract(low).toNumber();
  };
  return width(after) < NARROWER * width(before);
}

/** By how much a point may be outside of bounds that were tightened without having cut it off. */
const WITHIN = 1e-7;

/** The point of a relaxation for a space that it was narrowed to; `null` where it is not in there. */
export function pointWithin(point: Float64Array, from: SearchSpace, to: SearchSpace): Float64Array | null {
  const { lower, upper } = to.programBounds();
  const values = new Map<number, number>();
  for (let j = 0; j < point.length; j++) {
    const column = from.view.columns[j] as number;
    const value = point[j] as number;
    const [low, high] = [lower[column] ?? null, upper[column] ?? null];
    if (low !== null && low !== from.box.lower[j] && value < low.toNumber() - WITHIN) return null;
    if (high !== null && high !== from.box.upper[j] && value > high.toNumber() + WITHIN) return null;
    values.set(column, value);
  }
  return Float64Array.from(to.view.columns, (column) => values.get(column) as number);
}

/**
 * The box that cuts may rest on: continuous columns as they were before any column was fixed (`unfixed`, by the program's column).
 * A bound of an integer that holds only below the cutoff can be assumed and discharged, where a proof is written down; one of a
 * continuous column cannot.
 */
export function boxForCuts({ program, view, box }: SearchSpace, unfixed: Box | null): Box {
  if (unfixed === null) return box;
  const side = (here: Box["lower"], before: Box["lower"]) =>
    here.map((bound, j) => {
      const column = view.columns[j] as number;
      return program.columns[column]?.integer === true ? bound : (before[column] ?? null);
    });
  return { lower: side(box.lower, unfixed.lower), upper: side(box.upper, unfixed.upper) };
}
