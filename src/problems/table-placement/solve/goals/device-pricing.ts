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

/** The best patterns of all devices. */
export class DevicePricing {
  readonly #model: DeviceModel;
  readonly #scale: number;
  readonly #shouldStop: ShouldStop;
  readonly #weights: (readonly Weights[])[];
  /** Work done since weights were found: once it is as much as finding them takes, they are found anew. */
  #sinceNew: number;

  /** `weights`: by device, of prices near those to come. */
  constructor(model: DeviceModel, scale: number, shouldStop: ShouldStop, weights: DeviceWeights = []) {
    this.#model = model;
    this.#scale = scale;
    this.#shouldStop = (units = 0) => {
      this.#sinceNew += units;
      return shouldStop(units);
    };
    this.#weights = weights.slice();
    this.#sinceNew = weights.length === 0 ? Number.POSITIVE_INFINITY : 0;
  }

  /** By device, the weights that left most partial patterns. */
  get weights(): DeviceWeights {
    return this.#weights.slice();
  }

  /** The bound at what shards are worth, but for the objective's constant, and patterns. */
  at(worths: Float64Array) {
    const { tables, devices } = this.#model;
    const isNew = this.#sinceNew >= UNITS.weights * devices.length;
    let value = 0;
    for (const options of tables) {
      if (options.length === 0) continue;
      value += Math.min(
        ...options.map((wanted) => wanted.reduce((sum, [kind, n]) => sum + n * (worths[kind] as number), 0)),
      );
    }
    const patterns = devices.flatMap((_, device) => {
      const priced = pricedOn(this.#model, device, worths, {
        ...{ scale: this.#scale, shouldStop: this.#shouldStop },
        ...(isNew ? {} : { weights: this.#weights[device] as readonly Weights[] }),
      });
      if (isNew) this.#weights[device] = priced.weights;
      value -= priced.most;
      return priced.patterns.map(({ parts }) => ({ device, parts }));
    });
    if (isNew) {
      this.#shouldStop(UNITS.weights * devices.length);
      this.#sinceNew = 0;
    }
    return { value, patterns };
  }
}

interface PricingOptions {
  readonly scale: number;
  readonly shouldStop: ShouldStop;
  readonly weights?: readonly Weights[];
}

/** The best patterns of a device, where shards are worth so much, less what placing them there comes to. */
export function pricedOn(
  { kinds, devices, apart }: DeviceModel,
  device: number,
  worths: ArrayLike<number>,
  { scale, ...options }: PricingOptions,
): Priced {
  const { parts, cost, hbm, host } = devices[device] as DeviceModel["devices"][number];
  const gains = Float64Array.from(
    kinds,
    ({ prices }, kind) => (worths[kind] as number) - (prices.get(device) ?? 0) / scale,
  );
  return dualPatterns({ parts, hbm, host }, apart, gains, cost, {
    ...{ width: WIDTH, mostPatterns: PER_ROUND, above: 0, tolerance: TOLERANCE },
    ...options,
  });
}
