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

/** ‖X_i − X_j‖² of two of the points by rows. */
export function squaredDistance(coordinates: Float64Array, dimensions: number, i: number, j: number): number {
  let sum = 0;
  for (let k = 0; k < dimensions; k++) {
    const along = (coordinates[i * dimensions + k] as number) - (coordinates[j * dimensions + k] as number);
    sum += along * along;
  }
  return sum;
}
