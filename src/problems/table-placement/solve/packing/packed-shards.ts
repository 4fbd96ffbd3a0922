import { completeBins, VISITS_BETWEEN } from "../../../../proof/kernel/packing/bin-completion.js";
import type { Room } from "../counted/best-filling.js";
import type { CountedModel } from "../counted/counted-lp.js";

/** Above so many shards there are too many ways to fill devices. */
const MOST_SHARDS = 200;

/** Visits of the search, and what one is in units of work. */
const MOST_VISITS = 150_000;
const UNITS_PER_VISIT = 5e-4;

/** The room of a device is so many grains: sums of that many shards stay whole numbers that doubles hold. */
const GRAINS = 2 ** 40;

/**
 * By kind and device, where shards go that all have to have room, by going through ways to fill devices; `null` where none was found.
 * `wanted`: by kind, how many; `room`: by node of devices.
 */
export function packedShards(
  model: Pick<CountedModel, "free" | "gpusPerNode" | "devices" | "hasMemory">,
  wanted: readonly number[],
  room: readonly Room[],
  spend: (units: number) => boolean,
): number[][] | null {
  const { free, gpusPerNode, devices } = model;
  const items = wanted.flatMap((count, s) => new Array<number>(count).fill(s));
  if (items.length > MOST_SHARDS) return null;
  const kinds = room.map((left, v) => ({
    devices: Array.from({ length: gpusPerNode }, (_, slot) => v * gpusPerNode + slot),
    room: [Math.floor(left.cost * GRAINS), ...(model.hasMemory ? [Math.floor(left.hbm * GRAINS)] : [])],
    sizes: items.map((s) => {
      const { cost, hbm } = free[s] as Room;
      return [Math.ceil(cost * GRAINS), ...(model.hasMemory ? [Math.ceil(hbm * GRAINS)] : [])];
    }),
    // An item's column on a device is named by the device.
    columns: Array.from({ length: gpusPerNode }, (_, slot) => items.map(() => v * gpusPerNode + slot)),
  }));
  let visits = 0;
  const goesOn = () => {
    visits += VISITS_BETWEEN;
    return spend(UNITS_PER_VISIT * VISITS_BETWEEN) && visits < MOST_VISITS;
  };
  const packed = completeBins({ kinds, items: items.length }, goesOn);
  if (packed.kind !== "found") return null;
  const counts = free.map(() => new Array<number>(devices).fill(0));
  for (const { item, column } of packed.items) {
    const own = counts[items[item] as number] as number[];
    own[column] = (own[column] as number) + 1;
  }
  return counts;
}
