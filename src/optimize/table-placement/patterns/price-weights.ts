/** What a device has of cost and memory: the sides of a pattern's constraints. */
export interface Budget {
  readonly cost: number;
  readonly hbm: number;
  readonly host: number;
}

/** Prices per unit of cost, device memory and host memory. */
export type Weights = Readonly<Budget>;

/** Parts as flat arrays: those of choice c are at `starts[c]` … `starts[c + 1] − 1`. */
export interface FlatParts {
  readonly starts: Int32Array;
  readonly value: Float64Array;
  readonly cost: Float64Array;
  readonly hbm: Float64Array;
  readonly host: Float64Array;
}

/** The Lagrangian bound of the best pattern: Σ weight·budget + Σ_choices max(0, max over parts of the value left). */
export function lagrangianValue(parts: FlatParts, budget: Budget, weights: Weights): number {
  const { starts, value, cost, hbm, host } = parts;
  let sum = weights.cost * budget.cost + weights.hbm * budget.hbm;
  if (weights.host !== 0) sum += weights.host * budget.host;
  for (let c = 0; c + 1 < starts.length; c++) {
    let best = 0;
    for (let k = starts[c] as number; k < (starts[c + 1] as number); k++) {
      const left =
        (value[k] as number) -
        weights.cost * (cost[k] as number) -
        weights.hbm * (hbm[k] as number) -
        weights.host * (host[k] as number);
      if (left > best) best = left;
    }
    sum += best;
  }
  return sum;
}

/** Steps of a search along one weight: the interval shrinks to 10⁻⁷ of itself, or to a hundredth. */
const FINE_STEPS = 34;
export const COARSE_STEPS = 10;

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Weights with a small Lagrangian bound: one search along each, nested, as the bound is convex in them. A weight is
 * searched for where its budget can bind.
 */
export function bestWeights(parts: FlatParts, budget: Budget, steps = FINE_STEPS): Weights {
  const most = greatest(parts);
  const binds = (used: number, limit: number) => Number.isFinite(limit) && used > limit;
  const alongCost = (hbm: number, host: number): Weights => {
    const at = (cost: number): Weights => ({ cost, hbm, host });
    if (!binds(most.cost, budget.cost)) return at(0);
    return at(
      leastAlong(
        most.rate / Math.max(budget.cost, most.leastCost),
        (cost) => lagrangianValue(parts, budget, at(cost)),
        steps,
      ),
    );
  };
  const along = (limit: number, used: number, scale: number, inner: (weight: number) => Weights): Weights => {
    if (!binds(used, limit)) return inner(0);
    return inner(leastAlong(scale, (weight) => lagrangianValue(parts, budget, inner(weight)), steps));
  };
  return along(budget.host, most.host, most.rate / Math.max(budget.host, 1), (host) =>
    along(budget.hbm, most.hbm, most.rate / Math.max(budget.hbm, 1), (hbm) => alongCost(hbm, host)),
  );
}

/** Where a convex function on [0, ∞) is about least; `scale` is a first guess of where it still falls. */
function leastAlong(scale: number, value: (x: number) => number, steps: number): number {
  let high = scale;
  let atHigh = value(high);
  for (let k = 0; k < 60; k++) {
    const further = value(high * 2);
    if (further >= atHigh) break;
    high *= 2;
    atHigh = further;
  }
  let low = 0;
  high *= 2;
  let a = high - GOLDEN * (high - low);
  let b = low + GOLDEN * (high - low);
  let atA = value(a);
  let atB = value(b);
  for (let k = 0; k < steps; k++) {
    if (atA <= atB) {
      high = b;
      b = a;
      atB = atA;
      a = high - GOLDEN * (high - low);
      atA = value(a);
    } else {
      low = a;
      a = b;
      atA = atB;
      b = low + GOLDEN * (high - low);
      atB = value(b);
    }
  }
  return value(0) <= Math.min(atA, atB) ? 0 : atA <= atB ? a : b;
}

/** Totals of the dearest parts, and the sum of the greatest values: what scales the search. */
function greatest({ starts, value, cost, hbm, host }: FlatParts) {
  const most = { cost: 0, hbm: 0, host: 0, rate: 0, leastCost: Number.POSITIVE_INFINITY };
  for (let c = 0; c + 1 < starts.length; c++) {
    const top = { cost: 0, hbm: 0, host: 0, value: 0 };
    for (let k = starts[c] as number; k < (starts[c + 1] as number); k++) {
      top.cost = Math.max(top.cost, cost[k] as number);
      top.hbm = Math.max(top.hbm, hbm[k] as number);
      top.host = Math.max(top.host, host[k] as number);
      top.value = Math.max(top.value, value[k] as number);
      if ((cost[k] as number) > 0) most.leastCost = Math.min(most.leastCost, cost[k] as number);
    }
    most.cost += top.cost;
    most.hbm += top.hbm;
    most.host += top.host;
    most.rate += top.value;
  }
  return most;
}
