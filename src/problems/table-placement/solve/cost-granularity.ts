import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import { greatestCommonDivisor, Rational } from "../../../exact/rational.js";

/**
 * The granule of a problem's costs: the number of which all are whole multiples, but for the rounding of doubles
 * (hundredths of a millisecond, say, or multiples of 16). Loads are whole multiples of it too, which lifts every bound
 * to the next one.
 */
export interface Granule {
  readonly size: Rational;
  /** All costs are whole multiples exactly: it is the unit of the direct program. */
  readonly isExact: boolean;
  /** The granule as a double. */
  readonly approximate: number;
  /** How many granules a cost is. */
  readonly wholes: ReadonlyMap<number, bigint>;
}

/** Costs may be written with this many decimals at most to have a granule. */
const MAX_DECIMALS = 9;

/** Beyond this many granules in the largest cost a granule helps nobody. */
const MAX_GRANULES = 2 ** 36;

/**
 * The granule of a problem, `null` where costs have none, or none coarse enough. `unit` is the greatest number of which
 * all costs are whole multiples exactly.
 */
export function granuleOf({ tables }: PlacementProblem, unit: Rational): Granule | null {
  const costs = new Set(
    tables.flatMap(({ options }) => options.flatMap(({ shards }) => shards.map(({ cost }) => cost))),
  );
  const largest = Math.max(...costs);
  if (!(largest > 0)) return null;
  if (largest / unit.toNumber() <= MAX_GRANULES) {
    const wholes = new Map([...costs].map((cost) => [cost, Rational.fromNumber(cost).divide(unit).numerator]));
    return { size: unit, isExact: true, approximate: unit.toNumber(), wholes };
  }
  for (let decimals = 0; decimals <= MAX_DECIMALS; decimals++) {
    const power = 10 ** decimals;
    if (largest * power > MAX_GRANULES) return null;
    if (![...costs].every((cost) => isWhole(cost, power))) continue;
    const counts = new Map([...costs].map((cost) => [cost, BigInt(Math.round(cost * power))]));
    let divisor = 0n;
    for (const count of counts.values()) divisor = greatestCommonDivisor(divisor, count);
    const size = Rational.of(divisor, 10n ** BigInt(decimals));
    const wholes = new Map([...counts].map(([cost, count]) => [cost, count / divisor]));
    return { size, isExact: false, approximate: size.toNumber(), wholes };
  }
  return null;
}

/** Whether a double is the one nearest to a whole number over the power of ten. */
function isWhole(cost: number, power: number): boolean {
  return Math.round(cost * power) / power === cost;
}
