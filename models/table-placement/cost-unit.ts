import { decomposeDouble, doubleNear, greatestCommonDivisor, Rational } from "../../src/exact/rational.js";

/** What costs are counted in. */
export interface CostUnit {
  /** The greatest rational of which all costs are whole multiples; 1 where all are zero. */
  readonly unit: Rational;
  /** How many units one of the costs is, or a whole multiple of one. */
  readonly unitsOf: (cost: number) => bigint;
}

/**
 * What so many units are as a double, to search with. Neither the number of units nor the unit need have a double of its own: costs
 * may be far apart.
 */
export function costNear(units: bigint, unit: Rational): number {
  return doubleNear(units * unit.numerator, unit.denominator);
}

/** The unit of some costs. Throws `RangeError` when one is negative or not finite. */
export function costUnit(costs: ReadonlySet<number>): CostUnit {
  let lowest = 0;
  for (const cost of costs) {
    if (cost < 0) throw new RangeError(`a shard's cost must not be negative, ${cost} is there`);
    const { exponent } = decomposeDouble(cost);
    if (cost !== 0 && exponent < lowest) lowest = exponent;
  }
  const scaled = new Map<number, bigint>();
  const scaledUp = (cost: number): bigint => {
    const known = scaled.get(cost);
    if (known !== undefined) return known;
    const { mantissa, exponent } = decomposeDouble(cost);
    const whole = mantissa === 0n ? 0n : mantissa << BigInt(exponent - lowest);
    scaled.set(cost, whole);
    return whole;
  };
  let divisor = 0n;
  for (const cost of costs) divisor = greatestCommonDivisor(divisor, scaledUp(cost));
  if (divisor === 0n) divisor = 1n << BigInt(-lowest);
  return {
    unit: Rational.of(divisor, 1n << BigInt(-lowest)),
    unitsOf: (cost) => scaledUp(cost) / divisor,
  };
}
