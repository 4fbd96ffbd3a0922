import { Adam } from "../../../../cost/neural/adam.js";

/**
 * Raw stress, Σ_{i>j} (‖X_i − X_j‖ − D_ij)² (DMT, section 3.3).
 *
 * `distance`: D, F × F by rows, symmetric. `coordinates`: X, F points by rows.
 */
export function stress(distance: Float64Array, coordinates: Float64Array): number {
  const points = Math.sqrt(distance.length);
  const dimensions = coordinates.length / points;
  let sum = 0;
  for (let i = 1; i < points; i++) {
    for (let j = 0; j < i; j++) {
      sum += (Math.sqrt(squaredDistance(coordinates, dimensions, i, j)) - (distance[i * points + j] as number)) ** 2;
    }
  }
  return sum;
}

/**
 * Adds to each point Σ_j pull(D_ij, ‖X_i − X_j‖) (X_i − X_j), to the other of the two as much the other way; points that
 * coincide do not pull.
 */
export function addPulls(
  distance: Float64Array,
  coordinates: Float64Array,
  into: Float64Array,
  pullOf: (wanted: number, apart: number) => number,
): void {
  const points = Math.sqrt(distance.length);
  const dimensions = coordinates.length / points;
  for (let i = 1; i < points; i++) {
    for (let j = 0; j < i; j++) {
      const apart = Math.sqrt(squaredDistance(coordinates, dimensions, i, j));
      if (apart === 0) continue;
      const pull = pullOf(distance[i * points + j] as number, apart);
      for (let k = 0; k < dimensions; k++) {
        const [a, b] = [i * dimensions + k, j * dimensions + k];
        const along = pull * ((coordinates[a] as number) - (coordinates[b] as number));
        into[a] = (into[a] as number) + along;
        into[b] = (into[b] as number) - along;
      }
    }
  }
}

/** ‖X_i − X_j‖² of two of the points by rows. */
function squaredDistance(coordinates: Float64Array, dimensions: number, i: number, j: number): number {
  let sum = 0;
  for (let k = 0; k < dimensions; k++) {
    const along = (coordinates[i * dimensions + k] as number) - (coordinates[j * dimensions + k] as number);
    sum += along * along;
  }
  return sum;
}

const ADAM_STEPS = 300;
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
  for (let step = 0; step < ADAM_STEPS && shouldStop?.(distance.length / 2) !== true; step++) {
    // ∂stress/∂X: Σ_j 2 (1 − D_ij / ‖X_i − X_j‖) (X_i − X_j) for each point.
    addPulls(distance, values, gradients, (wanted, apart) => 2 * (1 - wanted / apart));
    optimizer.step(FIRST_RATE * (LAST_RATE / FIRST_RATE) ** (step / (ADAM_STEPS - 1)));
  }
  return values;
}

/** It ends when a step takes less than this share off the stress. */
const TOLERANCE = 1e-7;
const SMACOF_STEPS = 1000;

/**
 * SMACOF (de Leeuw 1977; Borg and Groenen, chapter 8) from a start: Guttman transforms until the stress stays.
 *
 * `distance`: D, F × F by rows, symmetric. `start`: F points by rows. Each step costs O(F²);
 * `shouldStop` is told of its pairs.
 */
export function smacof(
  distance: Float64Array,
  start: Float64Array,
  shouldStop?: (pairs: number) => boolean,
): Float64Array {
  let coordinates: Float64Array = start;
  let before = stress(distance, coordinates);
  for (let step = 0; step < SMACOF_STEPS && shouldStop?.(distance.length / 2) !== true; step++) {
    coordinates = guttmanTransform(distance, coordinates);
    const after = stress(distance, coordinates);
    if (before - after <= TOLERANCE * before) break;
    before = after;
  }
  return coordinates;
}

/** (1/F) · B(X) · X, with b_ij = −D_ij / ‖X_i − X_j‖ off the diagonal (0 where points coincide) and rows that add up to 0. */
export function guttmanTransform(distance: Float64Array, coordinates: Float64Array): Float64Array {
  const points = Math.sqrt(distance.length);
  const moved = new Float64Array(coordinates.length);
  addPulls(distance, coordinates, moved, (wanted, apart) => wanted / apart / points);
  return moved;
}
