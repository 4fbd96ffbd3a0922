import { Rational } from "../../exact/rational.js";
import { addOfColumn, addOfSides, type Evaluation, type Violation } from "../evaluate.js";
import { TierSums } from "./interval.js";
import { type Chain, firstClasses, type Ladder, type LadderForm } from "./ladder.js";

/** A point of a ladder. */
export interface LadderPoint {
  /** Units of each class (counted through all chains) in each tier: `counts[class · tiers + tier]`. */
  readonly counts: Float64Array;
  /** One value for each auxiliary column. */
  readonly auxiliaries: readonly Rational[];
}

/** A point's sums by chain and tier. Counts must be non-negative integers that add up to each class's units. */
export function tierSums(ladder: Ladder, counts: Float64Array): TierSums {
  const { tiers, chains } = ladder;
  const sums = new TierSums(ladder);
  let at = 0;
  chains.forEach(({ units }, chain) => {
    let start = 0;
    let running = -1;
    const flush = (to: number) => {
      if (running !== -1) sums.addInterval({ chain, from: start, to, tier: running });
      running = -1;
    };
    for (let unitClass = 0; unitClass < units.length; unitClass++, at += tiers.length) {
      if (running !== -1 && counts[at + running] === units[unitClass]) continue;
      flush(unitClass);
      for (let tier = 0; tier < tiers.length; tier++) {
        const count = counts[at + tier] as number;
        if (count === 0) continue;
        if (count === units[unitClass]) {
          running = tier;
          start = unitClass;
        } else sums.addUnits(chain, unitClass, tier, count);
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
 * Throws `RangeError` when the point has not one count per class and tier.
 */
export function evaluateLadder(ladder: Ladder, { counts, auxiliaries }: LadderPoint): Evaluation {
  const violations: Violation[] = [];
  const size = ladder.tiers.length;
  const first = firstClasses(ladder);
  const classes = first.at(-1) as number;
  if (counts.length !== classes * size || auxiliaries.length !== ladder.auxiliaries.length) {
    throw new RangeError(`a point of ${classes} rungs in ${size} tiers was expected`);
  }
  ladder.chains.forEach(({ units }: Chain, chain) => {
    for (let unitClass = 0, at = (first[chain] as number) * size; unitClass < units.length; unitClass++, at += size) {
      let sum = 0;
      for (let tier = 0; tier < size; tier++) {
        const count = counts[at + tier] as number;
        if (!(Number.isSafeInteger(count) && count >= 0)) throw new RangeError(`${count} units in a tier`);
        sum += count;
      }
      if (sum !== units[unitClass]) {
        const index = (first[chain] as number) + unitClass;
        const kind = sum > (units[unitClass] as number) ? "row-upper" : "row-lower";
        const amount = Rational.of(BigInt(Math.abs(sum - (units[unitClass] as number))));
        violations.push({ kind, index, name: `class_${index}`, amount });
      }
    }
  });
  const sums = tierSums(ladder, counts);
  ladder.auxiliaries.forEach((column, a) => {
    addOfColumn(violations, classes * size + a, auxiliaries[a] as Rational, column);
  });
  const rowActivities = ladder.rows.map(({ name, form, upper }, k) => {
    const activity = sums.valueOf(form).add(auxiliaryValue(form, auxiliaries));
    addOfSides(violations, "row", classes + k, activity, { name, lower: null, upper });
    return activity;
  });
  const { form } = ladder.objective;
  return { objective: sums.valueOf(form).add(auxiliaryValue(form, auxiliaries)), rowActivities, violations };
}
