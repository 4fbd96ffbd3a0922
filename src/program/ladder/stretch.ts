import { Rational } from "../../exact/rational.js";
import type { Ladder, LadderForm, LadderTerm, Rail } from "./ladder.js";

/** Rungs `from` up to (not including) `to` of a rail, all units of which are in one tier. */
export interface Stretch {
  readonly rail: number;
  readonly from: number;
  readonly to: number;
  readonly tier: number;
}

/** Units and Σ units · heat (over the ladder's heat denominator) in each tier of each rail: all that a form's value needs. */
export class TierSums {
  readonly #ladder: Ladder;
  readonly #units: bigint[];
  readonly #heat: bigint[];

  constructor(ladder: Ladder) {
    this.#ladder = ladder;
    const size = ladder.rails.length * ladder.tiers.length;
    this.#units = new Array(size).fill(0n);
    this.#heat = new Array(size).fill(0n);
  }

  addStretch({ rail, from, to, tier }: Stretch): void {
    const { unitsBefore, heatBefore } = this.#ladder.rails[rail] as Rail;
    const at = rail * this.#ladder.tiers.length + tier;
    const units = (unitsBefore[to] as number) - (unitsBefore[from] as number);
    this.#units[at] = (this.#units[at] as bigint) + BigInt(units);
    this.#heat[at] = (this.#heat[at] as bigint) + (heatBefore[to] as bigint) - (heatBefore[from] as bigint);
  }

  addUnits(rail: number, rung: number, tier: number, units: number): void {
    const at = rail * this.#ladder.tiers.length + tier;
    const count = BigInt(units);
    this.#units[at] = (this.#units[at] as bigint) + count;
    this.#heat[at] = (this.#heat[at] as bigint) + count * ((this.#ladder.rails[rail] as Rail).heats[rung] as bigint);
  }

  /** Whether a rail has units in a tier. */
  uses(rail: number, tier: number): boolean {
    return (this.#units[rail * this.#ladder.tiers.length + tier] as bigint) > 0n;
  }

  /** Σ over rails and tiers of a form's terms; the auxiliaries are not in it. */
  valueOf({ terms }: LadderForm): Rational {
    const { tiers, heatDenominator } = this.#ladder;
    let sum = Rational.zero;
    for (let r = 0; r < terms.length; r++) {
      for (let t = 0; t < tiers.length; t++) {
        const at = r * tiers.length + t;
        const { fixed, perHeat } = (terms[r] as readonly LadderTerm[])[t] as LadderTerm;
        const units = this.#units[at] as bigint;
        if (units === 0n) continue;
        if (fixed.numerator !== 0n) sum = sum.add(fixed.multiply(Rational.of(units)));
        if (perHeat.numerator !== 0n) {
          sum = sum.add(perHeat.multiply(Rational.of(this.#heat[at] as bigint, heatDenominator)));
        }
      }
    }
    return sum;
  }
}
