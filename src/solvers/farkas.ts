import type { DoubleProgram } from "./double-program.js";
import { addRows } from "./scaled-model.js";

/** Whether Σ yᵢ·(side that y's sign asks for) exceeds the largest (Aᵀy)·x over the column bounds, in doubles. */
export function excludesEveryPoint(doubles: DoubleProgram, y: Float64Array): boolean {
  const gradient = new Float64Array(doubles.cost.length);
  const sizes = new Float64Array(doubles.cost.length);
  addRows(doubles, y, 1, gradient, sizes);
  let demanded = 0;
  for (const [i, multiplier] of y.entries()) {
    if (multiplier === 0) continue;
    demanded += multiplier * ((multiplier > 0 ? doubles.rowLower[i] : doubles.rowUpper[i]) as number);
  }
  let reachable = 0;
  for (let j = 0; j < gradient.length; j++) {
    const slope = gradient[j] as number;
    // What is left of terms that cancel is rounding, and must not be multiplied by an infinite bound.
    if (Math.abs(slope) <= 1e-9 * (sizes[j] as number)) continue;
    reachable += slope * ((slope > 0 ? doubles.columnUpper[j] : doubles.columnLower[j]) as number);
  }
  return demanded > reachable;
}
