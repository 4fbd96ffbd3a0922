import { Rational } from "../../exact/rational.js";
import type { Ladder, LadderRow } from "../../program/ladder/ladder.js";
import type { LadderBound } from "../../proof/ladder/bound.js";
import type { LadderNode } from "../../proof/ladder/node.js";
import { type Facet, findFacet, roundedDown } from "./facet.js";

/** Which rows of a ladder play which part. */
export interface LadderRoles {
  readonly memoryRow: number;
  /** With an objective that is the largest of several sums: their rows (sum − z ≤ 0) and the auxiliary column z. */
  readonly channels: { readonly rows: readonly number[]; readonly column: number } | null;
}

/** The relaxation of a node, solved by its dual. */
export type LadderDual =
  | { readonly kind: "infeasible"; readonly multipliers: ReadonlyMap<number, Rational> }
  | {
      readonly kind: "solved";
      readonly multipliers: ReadonlyMap<number, Rational>;
      readonly bound: LadderBound;
      /** Whole-numbered unit counts that may be feasible, most promising first. */
      readonly candidates: readonly Float64Array[];
    };

type Solved = Extract<Facet, { kind: "solved" }>;

/** How many of the last weights tried give a candidate. */
const MOST_CANDIDATES = 6;

const MOST_WEIGHTS = 60;

/**
 * Solves the relaxation of a node: the price of memory exactly, by {@link findFacet}; with several objective sums, the
 * weight of the first (the second has the rest) from the dual of the larger of the two, a concave function of one
 * variable, by cutting planes in doubles. A fixed charge that is still open costs nothing here.
 */
export function ladderDual(ladder: Ladder, node: LadderNode, { memoryRow, channels }: LadderRoles): LadderDual {
  const facetAt = (weight: number): { facet: Facet; multipliers: Map<number, Rational> } => {
    const multipliers = new Map<number, Rational>();
    const share = Rational.fromNumber(weight);
    channels?.rows.forEach((row, s) => {
      multipliers.set(row, (s === 0 ? share : Rational.one.subtract(share)).negate());
    });
    const facet = findFacet(ladder, node, memoryRow, multipliers);
    if (facet.kind === "solved") multipliers.set(memoryRow, facet.price.negate());
    return { facet, multipliers };
  };
  const first = facetAt(1);
  if (first.facet.kind === "infeasible") {
    return { kind: "infeasible", multipliers: new Map([[memoryRow, Rational.one.negate()]]) };
  }
  const tried: Trial[] = [];
  const at = (weight: number): Trial => {
    const { facet, multipliers } = weight === 1 ? first : facetAt(weight);
    const solved = facet as Solved;
    const trial = { weight, facet: solved, multipliers, values: sumValues(ladder, node, channels?.rows ?? [], solved) };
    tried.unshift(trial);
    return trial;
  };
  const best = channels === null ? at(1) : bestWeight(at);
  const candidates = [best, ...tried.filter((trial) => trial !== best)]
    .slice(0, MOST_CANDIDATES)
    .map(({ facet }) => roundedDown(ladder, memoryRow, facet));
  return { kind: "solved", multipliers: best.multipliers, bound: best.facet.bound, candidates };
}

interface Trial {
  readonly weight: number;
  readonly facet: Solved;
  readonly multipliers: ReadonlyMap<number, Rational>;
  /** The objective sums at the relaxation's optimum. */
  readonly values: readonly number[];
}

/**
 * Each optimum gives the line weight·f₁ + (1 − weight)·f₂ above the dual; the lines of the best ones on both sides are
 * intersected until they no longer move.
 */
function bestWeight(at: (weight: number) => Trial): Trial {
  const slope = ({ values }: Trial) => (values[0] as number) - (values[1] as number);
  const bound = ({ facet }: Trial) => (facet.bound.bound as Rational).toNumber();
  const first = at(1);
  if (slope(first) >= 0) return first;
  const second = at(0);
  if (slope(second) <= 0) return second;
  let [high, low] = [first, second];
  let best = bound(first) > bound(second) ? first : second;
  for (let round = 0; round < MOST_WEIGHTS; round++) {
    const weight = crossing(low.values, high.values);
    if (!(weight > low.weight && weight < high.weight)) break;
    const middle = at(weight);
    if (bound(middle) > bound(best)) best = middle;
    const ceiling = weight * (low.values[0] as number) + (1 - weight) * (low.values[1] as number);
    if (bound(middle) >= ceiling - Math.abs(ceiling) * 1e-15) break;
    if (slope(middle) >= 0) low = middle;
    else high = middle;
  }
  return best;
}

/** The weight at which two lines weight·f₁ + (1 − weight)·f₂ cross. */
function crossing(a: readonly number[], b: readonly number[]): number {
  const [a1, a2] = a as [number, number];
  const [b1, b2] = b as [number, number];
  return (b2 - a2) / (a1 - a2 - b1 + b2);
}

function sumValues(ladder: Ladder, node: LadderNode, rows: readonly number[], facet: Solved): readonly number[] {
  const { under, over, share } = facet;
  return rows.map((row) => {
    const { form } = ladder.rows[row] as LadderRow;
    const below = under.sums.valueOf(form);
    const mixed = over === null ? below : below.add(share.multiply(over.sums.valueOf(form).subtract(below)));
    // Charges that are paid for count; those still open, and the largest sum itself, do not.
    const charges = form.auxiliaries.reduce((sum, coefficient, a) => {
      const { lower, integer } = node.auxiliaries[a] as (typeof node.auxiliaries)[number];
      return integer && lower !== null ? sum.add(coefficient.multiply(lower)) : sum;
    }, Rational.zero);
    return mixed.add(charges).toNumber();
  });
}
