import { Adam } from "../../../../cost/neural/adam.js";
import { squaredDistance } from "./stress.js";

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
    addStressGradient(distance, values, gradients);
    optimizer.step(FIRST_RATE * (LAST_RATE / FIRST_RATE) ** (step / (STEPS - 1)));
  }
  return values;
}

/** Adds ∂stress/∂X: Σ_j 2 (1 − D_ij / ‖X_i − X_j‖) (X_i − X_j) for each point; points that coincide do not pull. */
function addStressGradient(distance: Float64Array, coordinates: Float64Array, gradient: Float64Array): void {
  const points = Math.sqrt(distance.length);
  const dimensions = coordinates.length / points;
  for (let i = 1; i < points; i++) {
    for (let j = 0; j < i; j++) {
      const apart = Math.sqrt(squaredDistance(coordinates, dimensions, i, j));
      if (apart === 0) continue;
      const pull = 2 * (1 - (distance[i * points + j] as number) / apart);
      for (let k = 0; k < dimensions; k++) {
        const [a, b] = [i * dimensions + k, j * dimensions + k];
        const along = pull * ((coordinates[a] as number) - (coordinates[b] as number));
        gradient[a] = (gradient[a] as number) + along;
        gradient[b] = (gradient[b] as number) - along;
      }
    }
  }
}
