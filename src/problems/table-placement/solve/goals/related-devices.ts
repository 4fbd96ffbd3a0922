import type { DeviceBlocks } from "../../../../../models/table-placement/goal-program.js";
import type { ShardColumn } from "../../../../../models/table-placement/option-site.js";
import type { Random } from "../../../../exact/random.js";

/** Odds of a device that no shard comes to or leaves for, and how much more likely one is that holds too much or receives. */
const UNRELATED = 0.02;
const PREFERRED = 3;

/**
 * So many of the devices (relatedness: Shaw 1998): half of them of the first preferred set that has any, then by chance those that
 * most shards may go to from the ones drawn, preferred ones more likely.
 */
export function relatedDevices(
  random: Random,
  relations: readonly Float64Array[],
  count: number,
  preferred: readonly (readonly number[])[],
): ReadonlySet<number> {
  const all = relations.length;
  const some = preferred.find((own) => own.length > 0) ?? [...relations.keys()];
  const isPreferred = new Set(preferred.flat());
  const devices = new Set<number>();
  for (const device of shuffled(random, some)) if (devices.size < Math.ceil(count / 2)) devices.add(device);
  const odds = new Float64Array(all).fill(UNRELATED);
  const add = (device: number) => {
    devices.add(device);
    const own = relations[device] as Float64Array;
    for (let d = 0; d < all; d++)
      odds[d] = (odds[d] as number) + (own[d] as number) * (isPreferred.has(d) ? PREFERRED : 1);
  };
  for (const device of devices) add(device);
  while (devices.size < count) {
    const left = [...odds.keys()].filter((d) => !devices.has(d));
    let at = random.next() * left.reduce((sum, d) => sum + (odds[d] as number), 0);
    const next = left.find((d) => {
      at -= odds[d] as number;
      return at < 0;
    });
    add(next ?? (left.at(-1) as number));
  }
  return devices;
}

/** By device and device: shards that may be worth having on both, each as much as it has fewer places. */
export function relationsOf(
  { shards, capRows }: DeviceBlocks,
  isWorthwhile: (shard: ShardColumn) => boolean,
): readonly Float64Array[] {
  const places = new Map<number, number[]>();
  for (const shard of shards) {
    const own = places.get(shard.placeRow) ?? [];
    if (isWorthwhile(shard)) own.push(shard.device);
    places.set(shard.placeRow, own);
  }
  const relations = capRows.map(() => new Float64Array(capRows.length));
  for (const devices of places.values()) {
    for (const a of devices) {
      for (const b of devices) {
        const own = relations[a] as Float64Array;
        if (a !== b) own[b] = (own[b] as number) + 1 / devices.length;
      }
    }
  }
  return relations;
}

function shuffled(random: Random, items: readonly number[]): readonly number[] {
  const left = items.slice();
  for (let k = left.length - 1; k > 0; k--) {
    const other = random.integer(k + 1);
    [left[k], left[other]] = [left[other] as number, left[k] as number];
  }
  return left;
}
