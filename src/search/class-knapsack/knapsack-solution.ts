import { Rational } from "../../exact/rational.js";

/** A point that is best at some price of a capacity: a vertex of the frontier of cost against use. */
export interface DualLine {
  /** `null`: no price, the point that uses least. */
  readonly price: Rational | null;
  readonly used: Rational;
  /** Cost without the capacity's price. */
  readonly cost: Rational;
}

/** The facet of a frontier that a capacity lies on. */
export type Breakpoint<V extends DualLine> =
  | { readonly kind: "infeasible" }
  | {
      readonly kind: "solved";
      /** Cost per unit of capacity, not negative. */
      readonly price: Rational;
      /** What is best at that price. */
      readonly found: V;
      /** Within the capacity. */
      readonly under: V;
      /** Beyond the capacity; `null` where the price is zero. The optimum lies between it and `under`. */
      readonly over: V | null;
      /** The optimum's share of `over`; `under` has the rest. */
      readonly share: Rational;
    };

/** Prices other than the chord's that are tried before the search goes on by chords alone. */
const MAX_NUDGES = 60;

/**
 * Finds the price of a capacity. The price that makes two vertices on both sides of the capacity equally good is tried;
 * either nothing is better at that price, and the facet is found, or what is better takes the place of one of the two
 * (Eisner and Severance 1976, for the one capacity that is asked for). A price half-way between the two keeps the
 * search from creeping along one side.
 *
 * `at` returns what is best at a price; where it is exact, so is the facet. Where it is not (`tolerance` above 0,
 * relative to the cost), the search ends when nothing is better by more than that.
 */
export function findBreakpoint<V extends DualLine>(
  capacity: Rational,
  at: (price: Rational) => V | null,
  leastUse: (over: V) => V | null,
  tolerance = 0,
): Breakpoint<V> {
  const free = at(Rational.zero);
  if (free === null) return { kind: "infeasible" };
  if (free.used.compare(capacity) <= 0) {
    return { kind: "solved", price: Rational.zero, found: free, under: free, over: null, share: Rational.zero };
  }
  const least = leastUse(free);
  if (least === null || least.used.compare(capacity) > 0) return { kind: "infeasible" };
  let over = free;
  let under = least;
  let sameSide = 0;
  let nudges = 0;
  for (;;) {
    const chord = under.cost.subtract(over.cost).divide(over.used.subtract(under.used));
    const nudged = Math.abs(sameSide) >= 2 && nudges < MAX_NUDGES ? between(over, under) : null;
    if (nudged !== null) {
      nudges++;
      sameSide = 0;
    }
    const price = nudged ?? (chord.sign() > 0 ? chord : Rational.zero);
    const found = at(price);
    if (found === null) return { kind: "infeasible" };
    if (nudged === null) {
      const best = pricedCost(found, price, capacity);
      const expected = pricedCost(over, price, capacity);
      if (best.compare(expected.subtract(slack(expected, tolerance))) >= 0) {
        const share = capacity.subtract(under.used).divide(over.used.subtract(under.used));
        return { kind: "solved", price, found, under, over, share };
      }
    }
    if (found.used.compare(capacity) <= 0) {
      under = found;
      sameSide = Math.max(1, sameSide + 1);
    } else {
      over = found;
      sameSide = Math.min(-1, sameSide - 1);
    }
  }
}

function pricedCost({ cost, used }: DualLine, price: Rational, capacity: Rational): Rational {
  return cost.add(price.multiply(used.subtract(capacity)));
}

function slack(cost: Rational, tolerance: number): Rational {
  return tolerance === 0 ? Rational.zero : cost.absolute().multiply(Rational.fromNumber(tolerance));
}

/** A price between those of two vertices, `null` where there is none. */
function between({ price: low }: DualLine, { price: high }: DualLine): Rational | null {
  if (low === null || high === null) return null;
  const [a, b] = [low.toNumber(), high.toNumber()];
  const middle = a > 0 ? Math.sqrt(a) * Math.sqrt(b) : b / 2;
  return middle > a && middle < b ? Rational.fromNumber(middle) : null;
}
