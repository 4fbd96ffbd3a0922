import { completeBins, VISITS_BETWEEN } from "../../../../proof/kernel/packing/bin-completion.js";
import type { Room } from "../core/pattern-lp.js";

/** Above so many shards there are too many ways to fill devices. */
const MOST_SHARDS = 200;

/** Visits of the search, and what one is in units of work. */
const MOST_VISITS = 150_000;
const UNITS_PER_VISIT = 5e-4;

/** The room of a device is so many grains: sums of that many shards stay whole numbers that doubles hold. */
const GRAINS = 2 ** 40;

/**
 * By kind and device, where shards go that all have to have room, by going through ways to fill devices; `null` where none was found.
 * `kinds`: what a shard needs, as shares of a device; `wanted`: how many of each.
 */
export function packedShards(
  kinds: readonly Room[],
  wanted: readonly number[],
  devices: number,
  spend: (units: number) => boolean,
): number[][] | null {
  const items = wanted.flatMap((count, s) => new Array<number>(count).fill(s));
  if (items.length > MOST_SHARDS) return null;
  const all = Array.from({ length: devices }, (_, device) => device);
  const sizes = items.map((s) => {
    const { cost, hbm } = kinds[s] as Room;
    return [Math.ceil(cost * GRAINS), Math.ceil(hbm * GRAINS)];
  });
  // An item's column on a device is named by the device.
  const columns = all.map((device) => items.map(() => device));
  let visits = 0;
  const goesOn = () => {
    visits += VISITS_BETWEEN;
    return spend(UNITS_PER_VISIT * VISITS_BETWEEN) && visits < MOST_VISITS;
  };
  const like = { devices: all, room: [GRAINS, GRAINS], sizes, columns };
  const packed = completeBins({ kinds: [like], items: items.length }, goesOn);
  if (packed.kind !== "found") return null;
  const counts = kinds.map(() => new Array<number>(devices).fill(0));
  for (const { item, column } of packed.items) {
    const own = counts[items[item] as number] as number[];
    own[column] = (own[column] as number) + 1;
  }
  return counts;
}
