import type { Rational } from "../../../../exact/rational.js";
import type { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import { type ShouldStop, UNITS } from "../../../../search/work.js";
import { type DevicePattern, openDeviceMaster, type Usage } from "./device-master.js";
import { type DeviceModel, type DeviceProblem, type DeviceRoom, deviceModel } from "./device-model.js";
import { type DeviceWeights, devicePricing } from "./device-pricing.js";
import { relaxedWorths } from "./device-relaxation.js";

/**
 * How near duals stay to the best known at first, and where they come from a larger space; and how that changes: by a step that
 * gains as promised, and by one that loses.
 */
const FIRST_SHARE = 0.05;
const KNOWN_SHARE = 0.5;
const WIDER = 1.5;
const NARROWER = 0.6;
const AS_PROMISED = 0.3;
const MUCH_WORSE = 2;

/** Where nothing is left to gain near them, how much wider, until no interval limits. */
const WIDENED = 3;
const WIDEST = 1e6;

/** It ends where the master promises no more than this of the bound. */
export const PRECISION = 5e-4;
const MAX_ROUNDS = 400;

/** Patterns of a device that are handed on come to no more than this above its best, as a share of the bound. */
const HANDED_ON = 0.03;

export interface GenerationOptions {
  /** What patterns are priced in. */
  readonly scale: number;
  readonly shouldStop: ShouldStop;
  /** What was generated with more places. */
  readonly from?: Generated;
  /** Ends where the bound is known to reach this. */
  readonly enough?: number;
  /** Ends where the master promises no more than so much of the bound. */
  readonly precision?: number;
}

/** What column generation came to. */
export interface Generated {
  /** A bound, in doubles. */
  readonly value: number;
  /** What placing a shard is worth at it, by row of the program. */
  readonly worths: ReadonlyMap<number, number>;
  /** What the master's last solution has, an optimum where generation came to its end; `null` where there was none. */
  readonly usage: Usage | null;
  /** Patterns that a good placement may have; `counts` by row of the program. */
  readonly patterns: readonly DevicePattern[];
  readonly weights: DeviceWeights;
}

/** What generation came to below a limit. */
export interface DeviceRoot {
  readonly generated: Generated;
  /** What patterns were priced in. */
  readonly scale: number;
  /** Placements below this are what it is of. */
  readonly cutoff: Rational;
}

/** What is left of the program in a space, and patterns there. */
export interface DeviceNode {
  readonly space: SearchSpace;
  readonly model: DeviceModel;
  readonly generated: Generated;
}

/**
 * Column generation over the devices' patterns in a space, from the linear relaxation on or from what was found before; `null` where
 * it has no model or HiGHS gives up.
 */
export async function generate(
  devices: DeviceProblem,
  space: SearchSpace,
  { scale, shouldStop, from, enough = Number.POSITIVE_INFINITY, precision = PRECISION }: GenerationOptions,
): Promise<DeviceNode | null> {
  const model = deviceModel(devices, space);
  if (model === null) return null;
  // In doubles, searched: how far is looked; what is claimed is checked.
  const constant = space.view.constant.toNumber();
  const start = from === undefined ? await firstWorths(model, scale, shouldStop) : worthsOf(model, scale, from);
  if (start === null) return null;
  const master = await openDeviceMaster(model, scale);
  const pricing = devicePricing(model, scale, shouldStop, from?.weights);
  try {
    if (from !== undefined) for (const pattern of within(model, from.patterns)) master.addPattern(pattern);
    let centre = master.dualsNear(start);
    let best = Number.NEGATIVE_INFINITY;
    let share = from === undefined ? FIRST_SHARE : KNOWN_SHARE;
    let columns: Float64Array | null = null;
    const look = (duals: Float64Array) => {
      const { value, patterns } = pricing.at(master.worths(duals));
      const added = patterns.filter(({ device, parts }) => master.add(device, parts)).length;
      return { value: value + constant / scale, added };
    };
    const moveTo = (duals: Float64Array, value: number) => {
      [centre, best] = [duals, value];
    };
    moveTo(centre, look(centre).value);
    master.keepNear(centre, share);
    for (let round = 0; round < MAX_ROUNDS && best * scale < enough && !shouldStop(); round++) {
      const solved = master.solve();
      if (solved === null) break;
      columns = solved.columns;
      if (shouldStop(UNITS.iteration * solved.iterations * master.columnCount())) break;
      const { value, added } = look(solved.duals);
      const [gain, promised] = [value - best, solved.value + constant / scale - best];
      if (added === 0 || promised < precision * Math.abs(best)) {
        if (gain > 0) moveTo(solved.duals, value);
        if (solved.isFree || share > WIDEST) break;
        share *= WIDENED;
      } else if (gain > 0) {
        moveTo(solved.duals, value);
        if (gain > AS_PROMISED * promised) share *= WIDER;
      } else if (gain < -MUCH_WORSE * promised) share *= NARROWER;
      else continue;
      master.keepNear(centre, share);
    }
    const worths = master.worths(centre);
    const rowOf = (kind: number) => model.kinds[kind]?.row as number;
    const generated = {
      ...{ value: best * scale, usage: columns === null ? null : master.usage(columns), weights: pricing.weights() },
      worths: new Map(model.kinds.map(({ row }, kind) => [row, (worths[kind] as number) * scale])),
      patterns: master.near(centre, HANDED_ON * Math.abs(best)).map(({ device, counts }) => ({
        device,
        counts: counts.map(([kind, count]) => [rowOf(kind), count] as const),
      })),
    };
    return { space, model, generated };
  } finally {
    master.dispose();
  }
}

async function firstWorths(model: DeviceModel, scale: number, shouldStop: ShouldStop): Promise<Float64Array | null> {
  const relaxed = await relaxedWorths(model, scale);
  return relaxed === null || shouldStop(UNITS.iteration * relaxed.work) ? null : relaxed.worths;
}

function worthsOf({ kinds }: DeviceModel, scale: number, { worths }: Generated): Float64Array {
  return Float64Array.from(kinds, ({ row }) => (worths.get(row) ?? 0) / scale);
}

/** What is left of patterns where there are fewer places, and on devices that have less room. */
function within({ kinds, devices }: DeviceModel, patterns: readonly DevicePattern[]): readonly DevicePattern[] {
  const kindOf = new Map(kinds.map(({ row }, kind) => [row, kind]));
  const parts = devices.map(({ parts: all }) => {
    const single = all.flat().filter(({ orbits }) => orbits.length === 1);
    return new Map(single.map((part) => [`${part.orbits[0]} ${part.counts[0]}`, part]));
  });
  return patterns.flatMap(({ device, counts: own }) => {
    let { cost, hbm, host } = devices[device] as DeviceRoom;
    const counts = own.flatMap(([row, count]): (readonly [number, number])[] => {
      const kind = kindOf.get(row) ?? -1;
      const part = parts[device]?.get(`${kind} ${count}`);
      if (part === undefined) return [];
      [cost, hbm, host] = [cost - part.cost, hbm - part.hbm, host - part.host];
      return [[kind, count]];
    });
    return Math.min(cost, hbm, host) < 0 ? [] : [{ device, counts: counts.sort(([a], [b]) => a - b) }];
  });
}
