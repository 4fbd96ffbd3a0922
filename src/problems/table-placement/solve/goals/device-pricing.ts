import { type ShouldStop, UNITS } from "../../../../search/work.js";
import type { Weights } from "../patterns/dual-weights.js";
import type { Priced } from "../patterns/label-search.js";
import { dualPatterns } from "../patterns/pricing.js";
import type { DeviceModel } from "./device-model.js";

/** Patterns of a device are known to be the best but for so much, in the units of pricing. */
const TOLERANCE = 0.005;

/** Partial patterns that pricing keeps at each table, and patterns that it brings home. */
const WIDTH = 3000;
const PER_ROUND = 12;

/** By device. */
export type DeviceWeights = readonly (readonly Weights[])[];

/**
 * The best patterns of all devices: the bound at what shards are worth, but for the objective's constant, and patterns. `weights`: by
 * device, of prices near those to come; then those that left most partial patterns.
 */
export function devicePricing(model: DeviceModel, scale: number, shouldStop: ShouldStop, weights: DeviceWeights = []) {
  const { devices } = model;
  const known = weights.slice();
  // Work done since weights were found: once it is as much as finding them takes, they are found anew.
  let sinceNew = weights.length === 0 ? Number.POSITIVE_INFINITY : 0;
  const counted: ShouldStop = (units = 0) => {
    sinceNew += units;
    return shouldStop(units);
  };
  const at = (worths: Float64Array) => {
    const isNew = sinceNew >= UNITS.weights * devices.length;
    let value = leastWorths(model, worths).reduce((sum, least) => sum + least, 0);
    const patterns = devices.flatMap((_, device) => {
      const near = isNew ? {} : { weights: known[device] as readonly Weights[] };
      const priced = pricedOn(model, device, worths, { scale, shouldStop: counted, ...near });
      if (isNew) known[device] = priced.weights;
      value -= priced.most;
      return priced.patterns.map(({ parts }) => ({ device, parts }));
    });
    if (isNew) {
      counted(UNITS.weights * devices.length);
      sinceNew = 0;
    }
    return { value, patterns };
  };
  return { at, weights: (): DeviceWeights => known.slice() };
}

/** By table that has to be placed, what the option of least worth is worth. */
export function leastWorths({ tables }: DeviceModel, worths: ArrayLike<number>): readonly number[] {
  return tables
    .filter(({ length }) => length > 0)
    .map((options) =>
      Math.min(...options.map((wanted) => wanted.reduce((sum, [kind, n]) => sum + n * (worths[kind] as number), 0))),
    );
}

/** The best patterns of a device, where shards are worth so much, less what placing them there comes to. */
export function pricedOn(
  { kinds, devices, apart }: DeviceModel,
  device: number,
  worths: ArrayLike<number>,
  options: { readonly scale: number; readonly shouldStop: ShouldStop; readonly weights?: readonly Weights[] },
): Priced {
  const { scale, ...how } = options;
  const { parts, cost, hbm, host } = devices[device] as DeviceModel["devices"][number];
  const gains = Float64Array.from(
    kinds,
    ({ prices }, kind) => (worths[kind] as number) - (prices.get(device) ?? 0) / scale,
  );
  return dualPatterns({ parts, hbm, host }, apart, gains, cost, {
    ...{ width: WIDTH, mostPatterns: PER_ROUND, above: 0, tolerance: TOLERANCE },
    ...how,
  });
}
