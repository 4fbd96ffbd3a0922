import { Adam } from "../../../../cost/neural/adam.js";
import { addPulls } from "./stress.js";

const STEPS = 300;
/** The step size falls geometrically from the first to the last. */
const FIRST_RATE = 0.2;
const LAST_RATE = 1e-3;

/**
 * Adam (Kingma and Ba 2015) on the stress of DMT, section 3.3, from a start: 300 steps over all pairs, β = (0.9, 0.999), a
 * step size that falls from 0.2 to 0.001 (distances are at most 1). The paper names the optimiser and no settings.
 *
 * `distance`: D, F × F by rows, symmetric. `start`: F points by rows. Each step costs O(F²);
 * `shouldStop` is told of its pairs.
 */
export function adam(
  distance: Float64Array,
  start: Float64Array,
  shouldStop?: (pairs: number) => boolean,
): Float64Array {
  const values = Float64Array.from(start);
  const gradients = new Float64Array(start.length);
  const optimizer = new Adam([{ values, gradients }]);
  for (let step = 0; step < STEPS && shouldStop?.(distance.length / 2) !== true; step++) {
    // ∂stress/∂X: Σ_j 2 (1 − D_ij / ‖X_i − X_j‖) (X_i − X_j) for each point.
    addPulls(distance, values, gradients, (wanted, apart) => 2 * (1 - wanted / apart));
    optimizer.step(FIRST_RATE * (LAST_RATE / FIRST_RATE) ** (step / (STEPS - 1)));
  }
  return values;
}
