import { Rational } from "../../exact/rational.js";
import type { Violation } from "../evaluate.js";
import { firstRungs, type Ladder, type LadderForm, type Rail } from "./ladder.js";
import { TierSums } from "./stretch.js";

/** A point of a ladder. */
export interface LadderPoint {
  /** Units of each rung (counted through all rails) in each tier: `counts[rung · tiers + tier]`. */
  readonly counts: Float64Array;
  /** One value for each auxiliary column. */
  readonly auxiliaries: readonly Rational[];
}

export interface LadderEvaluation {
  readonly objective: Rational;
  readonly rowActivities: readonly Rational[];
  readonly violations: readonly Violation[];
}

/** A point's sums by rail and tier. Counts must be non-negative integers that add up to each rung's units. */
export function tierSums(ladder: Ladder, counts: Float64Array): TierSums {
  const { tiers, rails } = ladder;
  const sums = new TierSums(ladder);
  let at = 0;
  rails.forEach(({ units }, rail) => {
    let start = 0;
    let running = -1;
    const flush = (to: number) => {
      if (running !== -1) sums.addStretch({ rail, from: start, to, tier: running });
      running = -1;
    };
    for (let rung = 0; rung < units.length; rung++, at += tiers.length) {
      if (running !== -1 && counts[at + running] === units[rung]) continue;
      flush(rung);
      for (let tier = 0; tier < tiers.length; tier++) {
        const count = counts[at + tier] as number;
        if (count === 0) continue;
        if (count === units[rung]) {
          running = tier;
          start = rung;
        } else sums.addUnits(rail, rung, tier, count);
      }
    }
    flush(units.length);
  });
  return sums;
}

/** Σ coefficient · value of a form's auxiliary columns. */
export function auxiliaryValue({ auxiliaries }: LadderForm, values: readonly Rational[]): Rational {
  return auxiliaries.reduce(
    (sum, coefficient, a) =>
      coefficient.numerator === 0n ? sum : sum.add(coefficient.multiply(values[a] as Rational)),
    Rational.zero,
  );
}

/**
 * Evaluates a point in exact arithmetic with zero tolerance, as `evaluate` does for a program written column by column.
 * Throws `RangeError` when the point has not one count per rung and tier.
 */
export function evaluateLadder(ladder: Ladder, { counts, auxiliaries }: LadderPoint): LadderEvaluation {
  const violations: Violation[] = [];
  const size = ladder.tiers.length;
  const first = firstRungs(ladder);
  const rungs = first.at(-1) as number;
  if (counts.length !== rungs * size || auxiliaries.length !== ladder.auxiliaries.length) {
    throw new RangeError(`a point of ${rungs} rungs in ${size} tiers was expected`);
  }
  ladder.rails.forEach(({ units }: Rail, rail) => {
    for (let rung = 0, at = (first[rail] as number) * size; rung < units.length; rung++, at += size) {
      let sum = 0;
      for (let tier = 0; tier < size; tier++) {
        const count = counts[at + tier] as number;
        if (!(Number.isSafeInteger(count) && count >= 0)) throw new RangeError(`${count} units in a tier`);
        sum += count;
      }
      if (sum !== units[rung]) {
        const index = (first[rail] as number) + rung;
        const kind = sum > (units[rung] as number) ? "row-upper" : "row-lower";
        const amount = Rational.of(BigInt(Math.abs(sum - (units[rung] as number))));
        violations.push({ kind, index, name: `class_${index}`, amount });
      }
    }
  });
  const sums = tierSums(ladder, counts);
  ladder.auxiliaries.forEach(({ name, lower, upper, integer }, a) => {
    const index = rungs * size + a;
    const value = auxiliaries[a] as Rational;
    const report = (kind: Violation["kind"], amount: Rational) => violations.push({ kind, index, name, amount });
    if (lower !== null && value.compare(lower) < 0) report("column-lower", lower.subtract(value));
    if (upper !== null && value.compare(upper) > 0) report("column-upper", value.subtract(upper));
    if (integer && !value.isInteger()) report("integrality", value.subtract(Rational.of(value.floor())));
  });
  const rowActivities = ladder.rows.map(({ name, form, upper }, k) => {
    const activity = sums.valueOf(form).add(auxiliaryValue(form, auxiliaries));
    if (activity.compare(upper) > 0) {
      violations.push({ kind: "row-upper", index: rungs + k, name, amount: activity.subtract(upper) });
    }
    return activity;
  });
  const { form } = ladder.objective;
  return { objective: sums.valueOf(form).add(auxiliaryValue(form, auxiliaries)), rowActivities, violations };
}
