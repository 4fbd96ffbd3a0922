/** How well predictions fit what was measured. */
export interface Fit {
  readonly sets: number;
  /** Mean absolute error, in the unit of the costs. */
  readonly meanAbsoluteError: number;
  /** Mean squared error, in its square. */
  readonly meanSquaredError: number;
  /** R²: the share of the variance that is explained; `null` where all costs are equal. */
  readonly rSquared: number | null;
  /** Spearman's rank correlation; `null` where all costs, or all predictions, are equal. */
  readonly rankCorrelation: number | null;
}

/** The fit of predictions to measured costs, of which there is at least one. */
export function fitOf(measured: ArrayLike<number>, predicted: ArrayLike<number>): Fit {
  const sets = measured.length;
  const pairs = Array.from(measured, (cost, s) => [cost, predicted[s] as number] as const);
  const mean = pairs.reduce((sum, [cost]) => sum + cost, 0) / sets;
  const squared = pairs.reduce((sum, [cost, guess]) => sum + (cost - guess) ** 2, 0);
  const variance = pairs.reduce((sum, [cost]) => sum + (cost - mean) ** 2, 0);
  return {
    sets,
    meanAbsoluteError: pairs.reduce((sum, [cost, guess]) => sum + Math.abs(cost - guess), 0) / sets,
    meanSquaredError: squared / sets,
    rSquared: variance === 0 ? null : 1 - squared / variance,
    rankCorrelation: correlation(ranks(measured), ranks(predicted)),
  };
}

/** Ranks from 1; equal values share the mean of theirs. */
function ranks(values: ArrayLike<number>): Float64Array {
  const order = Array.from(values, (_, index) => index).sort((a, b) => (values[a] as number) - (values[b] as number));
  const result = new Float64Array(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to] as number] === values[order[from] as number]) to++;
    for (let i = from; i < to; i++) result[order[i] as number] = (from + 1 + to) / 2;
    from = to;
  }
  return result;
}

/** Pearson's. */
function correlation(a: Float64Array, b: Float64Array): number | null {
  // Ranks have the same mean, ties or not.
  const mean = (a.length + 1) / 2;
  let [ab, aa, bb] = [0, 0, 0];
  for (const [i, value] of a.entries()) {
    const [x, y] = [value - mean, (b[i] as number) - mean];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa === 0 || bb === 0 ? null : ab / Math.sqrt(aa * bb);
}
