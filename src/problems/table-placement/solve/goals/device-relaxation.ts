import { openGrowingLp } from "../../../../solvers/growing-lp.js";
import { NONE } from "./device-master.js";
import type { DeviceModel } from "./device-model.js";

/** A share of a device above which a shard does not fit at all. */
const FULL = 1e6;

/**
 * What one shard of each kind is worth in the linear relaxation, in which shards may be parted among devices; prices are in `scale`.
 * `null` where HiGHS gives up. Says its value, and the entries times iterations that it took, too.
 */
export async function relaxedWorths(
  { kinds, tables, devices }: DeviceModel,
  scale: number,
): Promise<{ readonly value: number; readonly worths: Float64Array; readonly work: number } | null> {
  const rows: [number, number][] = [
    ...kinds.map((): [number, number] => [0, 0]),
    ...tables.map((options): [number, number] => (options.length === 0 ? [-NONE, NONE] : [1, 1])),
    ...devices.flatMap((): [number, number][] => [
      [-NONE, 1],
      [-NONE, 1],
    ]),
  ];
  const lp = await openGrowingLp(rows);
  try {
    const [firstTable, firstDevice] = [kinds.length, kinds.length + tables.length];
    let entries = 0;
    tables.forEach((options, t) => {
      for (const wanted of options) {
        const [at, values] = [wanted.map(([kind]) => kind), wanted.map(([, count]) => -count)];
        lp.addColumn(0, 0, NONE, { indices: [...at, firstTable + t], values: [...values, 1] });
        entries += wanted.length + 1;
      }
    });
    devices.forEach(({ parts, cost, hbm }, d) => {
      for (const { orbits, counts, cost: load, hbm: bytes } of parts.flat()) {
        const [kind, count] = [orbits[0] as number, counts[0] as number];
        if (orbits.length > 1 || count > 1) continue;
        const price = (kinds[kind]?.prices.get(d) as number) / scale;
        const at = firstDevice + 2 * d;
        lp.addColumn(price, 0, NONE, {
          indices: [kind, at, at + 1],
          values: [1, shareOf(load, cost), shareOf(bytes, hbm)],
        });
        entries += 3;
      }
    });
    const value = lp.solve();
    if (value === null || !Number.isFinite(value)) return null;
    return { value, worths: lp.answer().duals.slice(0, kinds.length), work: entries * lp.iterations };
  } finally {
    lp.dispose();
  }
}

/** What fills nothing fills nothing of a device without room, too. */
function shareOf(used: number, room: number): number {
  return used === 0 ? 0 : Math.min(FULL, used / room);
}
