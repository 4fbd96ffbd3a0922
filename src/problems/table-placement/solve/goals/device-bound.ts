import { Rational } from "../../../../exact/rational.js";
import { type ShouldStop, UNITS } from "../../../../search/work.js";
import { type DeviceRoot, generate } from "./device-generation.js";
import { type DeviceProblem, deviceModel } from "./device-model.js";
import { relaxedWorths } from "./device-relaxation.js";
import { withoutHeavyOptions } from "./heavy-options.js";

/** What the value of a known placement is in the doubles of the search. */
const KNOWN = 1000;

/** How far above the linear relaxation, and what was reached, the fewest bytes are looked for. */
const ABOVE_RELAXATION = 3;
const FURTHER = Rational.parse("3/2");

/** A bound that comes so near to the limit was held back by it, or will be. */
const NEARLY = 0.95;

export interface DeviceBoundOptions {
  /** Placements are to be better than this. */
  readonly cutoff: Rational;
  /** It ends where so small a share of the bound is all that may be gained. */
  readonly precision: number;
  readonly shouldStop: ShouldStop;
  /** What was reached below a higher limit. */
  readonly from?: DeviceRoot;
}

/**
 * The bound of what every device may hold at all: patterns of whole shards within its cost and memory, column generation with
 * exact pricing (Dantzig and Wolfe 1960; of generalised assignment Savelsbergh 1997), among the placements better than `cutoff`,
 * or than a lower limit that it does not come near. `null` where there is none.
 */
export async function deviceBound(
  devices: DeviceProblem,
  { cutoff, precision, shouldStop, from }: DeviceBoundOptions,
): Promise<DeviceRoot | null> {
  let limit = from === undefined ? await firstLimit(devices, cutoff, shouldStop) : least(cutoff, from.cutoff);
  let known: DeviceRoot | null = from ?? null;
  for (let isOver = false; !isOver; limit = least(cutoff, limit.multiply(FURTHER))) {
    const reduced = withoutHeavyOptions(devices, limit);
    // One scale for all limits, so that weights of pricing stay good.
    const scale: number = known?.scale ?? limit.toNumber() / KNOWN;
    const isLast = limit.compare(cutoff) >= 0;
    const enough = isLast ? Number.POSITIVE_INFINITY : NEARLY * limit.toNumber();
    const how = { scale, shouldStop, enough, precision, ...(known === null ? {} : { from: known.generated }) };
    const node = reduced && (await generate(devices, reduced.space, how));
    if (node === null) break;
    const { generated } = node;
    // What was stopped soon may be worth less than what was known below a lower limit.
    if (known === null || generated.value > known.generated.value) known = { generated, scale, cutoff: limit };
    isOver = isLast || generated.value < enough || shouldStop();
  }
  return known;
}

/**
 * A value that the fewest bytes are likely to be below: below a poor placement's much would be left that a good one has not. A
 * bound that comes near it asks for more.
 */
async function firstLimit(devices: DeviceProblem, cutoff: Rational, shouldStop: ShouldStop): Promise<Rational> {
  const model = deviceModel(devices, devices.whole);
  const scale = cutoff.toNumber() / KNOWN;
  const relaxed = model && (await relaxedWorths(model, scale));
  if (relaxed === null) return cutoff;
  shouldStop(UNITS.iteration * relaxed.work);
  const value = Math.floor(ABOVE_RELAXATION * relaxed.value * scale);
  return value > 0 ? least(cutoff, Rational.fromNumber(value)) : cutoff;
}

function least(a: Rational, b: Rational): Rational {
  return a.compare(b) < 0 ? a : b;
}
