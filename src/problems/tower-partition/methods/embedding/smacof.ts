import { addPulls, stress } from "./stress.js";

/** It ends when a step takes less than this share off the stress. */
const TOLERANCE = 1e-7;
const STEPS = 1000;

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
  for (let step = 0; step < STEPS && shouldStop?.(distance.length / 2) !== true; step++) {
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
