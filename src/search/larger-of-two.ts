/** What is best at a weight of the first of two sums; the second has the rest. */
export interface Weighted {
  readonly weight: number;
  /** What the sums come to. */
  readonly values: readonly number[];
}

const MAX_WEIGHTS = 60;

/**
 * The weights at which the relaxation of the larger of two sums is largest, a concave function of one variable, by
 * cutting planes: each optimum gives the line weight·f₁ + (1 − weight)·f₂ above it; the lines of the best ones on both
 * sides are intersected until they no longer move. `first` is best at the weight 1, `bound` what is proved at a weight.
 * `low` and `high` are the optima on both sides.
 */
export function bestWeight<Trial extends Weighted>(
  first: Trial,
  at: (weight: number) => Trial,
  bound: (trial: Trial) => number,
): { readonly best: Trial; readonly low: Trial; readonly high: Trial } {
  if (slope(first) >= 0) return { best: first, low: first, high: first };
  const second = at(0);
  if (slope(second) <= 0) return { best: second, low: second, high: second };
  // Between `high` (first sum too small: less weight on it is needed) and `low` (too large) the maximum lies.
  let [high, low] = [first, second];
  let best = bound(first) > bound(second) ? first : second;
  for (let round = 0; round < MAX_WEIGHTS; round++) {
    const weight = crossing(low, high);
    if (!(weight > low.weight && weight < high.weight)) break;
    const middle = at(weight);
    if (bound(middle) > bound(best)) best = middle;
    const ceiling = weight * (low.values[0] as number) + (1 - weight) * (low.values[1] as number);
    if (bound(middle) >= ceiling - Math.abs(ceiling) * 1e-15) break;
    if (slope(middle) >= 0) low = middle;
    else high = middle;
  }
  return { best, low, high };
}

/** The share of `high` in the mixture of both in which the sums are equal. */
export function shareOfHigh(low: Weighted, high: Weighted): number {
  return slope(low) === slope(high) ? 0 : slope(low) / (slope(low) - slope(high));
}

function slope({ values }: Weighted): number {
  return (values[0] as number) - (values[1] as number);
}

/** Where weight·a₁ + (1 − weight)·a₂ = weight·b₁ + (1 − weight)·b₂. */
function crossing({ values: a }: Weighted, { values: b }: Weighted): number {
  const [a1, a2] = a as [number, number];
  const [b1, b2] = b as [number, number];
  return (b2 - a2) / (a1 - a2 - b1 + b2);
}
