import { Rational } from "../../exact/rational.js";
import type { Chain, Ladder, LadderForm, LadderTerm } from "./ladder.js";

/** Classes `from` up to (not including) `to` of a chain, all units of which are in one tier. */
export interface Interval {
  readonly chain: number;
  readonly from: number;
  readonly to: number;
  readonly tier: number;
}

/**
 * Units and Σ units · rate (over the ladder's rate denominator) in each tier of each chain: all that a form's value
 * needs.
 */
export class TierSums {
  readonly #ladder: Ladder;
  readonly #units: bigint[];
  readonly #rate: bigint[];

  constructor(ladder: Ladder, intervals: readonly Interval[] = []) {
    this.#ladder = ladder;
    const size = ladder.chains.length * ladder.tiers.length;
    this.#units = new Array(size).fill(0n);
    this.#rate = new Array(size).fill(0n);
    for (const interval of intervals) this.addInterval(interval);
  }

  addInterval({ chain, from, to, tier }: Interval): void {
    const { unitsBefore, rateBefore } = this.#ladder.chains[chain] as Chain;
    const at = chain * this.#ladder.tiers.length + tier;
    const units = (unitsBefore[to] as number) - (unitsBefore[from] as number);
    this.#units[at] = (this.#units[at] as bigint) + BigInt(units);
    this.#rate[at] = (this.#rate[at] as bigint) + (rateBefore[to] as bigint) - (rateBefore[from] as bigint);
  }

  addUnits(chain: number, unitClass: number, tier: number, units: number): void {
    const at = chain * this.#ladder.tiers.length + tier;
    const count = BigInt(units);
    this.#units[at] = (this.#units[at] as bigint) + count;
    this.#rate[at] =
      (this.#rate[at] as bigint) + count * ((this.#ladder.chains[chain] as Chain).rates[unitClass] as bigint);
  }

  /** Whether a chain has units in a tier. */
  uses(chain: number, tier: number): boolean {
    return (this.#units[chain * this.#ladder.tiers.length + tier] as bigint) > 0n;
  }

  /** Σ over chains and tiers of a form's terms; the auxiliaries are not in it. */
  valueOf({ terms }: LadderForm): Rational {
    const { tiers, rateDenominator } = this.#ladder;
    let sum = Rational.zero;
    for (let r = 0; r < terms.length; r++) {
      for (let t = 0; t < tiers.length; t++) {
        const at = r * tiers.length + t;
        const { fixed, perRate } = (terms[r] as readonly LadderTerm[])[t] as LadderTerm;
        const units = this.#units[at] as bigint;
        if (units === 0n) continue;
        if (fixed.numerator !== 0n) sum = sum.add(fixed.multiply(Rational.of(units)));
        if (perRate.numerator !== 0n) {
          sum = sum.add(perRate.multiply(Rational.of(this.#rate[at] as bigint, rateDenominator)));
        }
      }
    }
    return sum;
  }
}
