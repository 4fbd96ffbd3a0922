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
