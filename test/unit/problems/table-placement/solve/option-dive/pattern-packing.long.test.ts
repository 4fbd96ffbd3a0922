import { expect, test } from "vitest";
import {
  packByPatterns,
  type ShardKind,
} from "../../../../../../src/problems/table-placement/solve/option-dive/pattern-packing.js";
import { completeBins } from "../../../../../../src/proof/kernel/packing/bin-completion.js";
import { type Draw, drawFrom } from "../../../../../fuzz/oracle/draw.js";
import { drawsOf } from "../../../../../support/draws.js";

const GRAIN = 1000;

/** Kinds of shards in whole grains of a device. */
function drawnKinds(draw: Draw, kinds: number, most: number): ShardKind[] {
  return Array.from({ length: kinds }, () => ({
    ...{ cost: draw.int(1, most) / GRAIN, hbm: draw.int(1, most) / GRAIN, count: draw.int(1, 4) },
  }));
}

/** Devices filled to a part, cut into shards of up to four a device: there is a way to pack them. */
function cutDevices(draw: Draw, devices: number, part: number): ShardKind[] {
  const cuts = (count: number) => {
    const at = Array.from({ length: count - 1 }, () => draw.int(1, GRAIN * part - 1)).sort((a, b) => a - b);
    return [...at, GRAIN * part].map((own, k) => (own - (at[k - 1] ?? 0)) / GRAIN);
  };
  return Array.from({ length: devices }, () => draw.int(2, 4)).flatMap((count) => {
    const [costs, bytes] = [cuts(count), cuts(count)];
    return costs.map((cost, k) => ({ cost, hbm: bytes[k] as number, count: 1 }));
  });
}

function expectPacked(kinds: readonly ShardKind[], devices: number, counts: readonly (readonly number[])[]): void {
  kinds.forEach(({ count }, s) => {
    expect(counts[s]).toHaveLength(devices);
    expect(counts[s]?.reduce((sum, own) => sum + own, 0)).toBe(count);
  });
  for (let d = 0; d < devices; d++) {
    for (const of of ["cost", "hbm"] as const) {
      const held = kinds.reduce((sum, kind, s) => sum + kind[of] * (counts[s]?.[d] as number), 0);
      expect(held).toBeLessThanOrEqual(1 + 1e-9);
    }
  }
}

/** Whether there is a way, by going through all ways to fill devices. */
function isPackable(kinds: readonly ShardKind[], devices: number): boolean {
  const items = kinds.flatMap(({ cost, hbm, count }) =>
    Array.from({ length: count }, () => [Math.round(cost * GRAIN), Math.round(hbm * GRAIN)]),
  );
  const all = Array.from({ length: devices }, (_, d) => d);
  const kind = { devices: all, room: [GRAIN, GRAIN], sizes: items, columns: all.map((d) => items.map(() => d)) };
  return completeBins({ kinds: [kind], items: items.length }, () => true).kind === "found";
}

test("shards fit where they are put, and mostly are put where there is a way", async () => {
  let [ways, found] = [0, 0];
  const draws = drawsOf(150, 0);
  for (const seed of draws.seeds) {
    const draw = drawFrom(seed);
    const devices = draw.int(2, 8);
    const kinds = drawnKinds(draw, draw.int(2, 8), 700);
    const isAny = isPackable(kinds, devices);
    const counts = await packByPatterns(kinds, devices, () => true);
    if (isAny) ways++;
    if (counts === null) continue;
    found++;
    expect(isAny, `seed ${seed}`).toBe(true);
    expectPacked(kinds, devices, counts);
  }
  expect(ways).toBeGreaterThanOrEqual(draws.atLeast(40));
  expect(ways - found).toBeLessThanOrEqual(draws.atMost(4));
});

test("sixteen devices that are nearly full are packed beyond what going through the ways for the last ones does", async () => {
  let found = 0;
  const draws = drawsOf(20, 0, 6);
  for (const seed of draws.seeds) {
    const kinds = cutDevices(drawFrom(seed), 16, 0.93);
    const counts = await packByPatterns(kinds, 16, () => true);
    if (counts === null) continue;
    found++;
    expectPacked(kinds, 16, counts);
  }
  expect(found).toBeGreaterThan(draws.atLeast(10));
});

test("it ends when it is told to, and where shards need more than there is", async () => {
  const kinds = cutDevices(drawFrom(1), 16, 1);
  expect(await packByPatterns(kinds, 16, () => false)).toBeNull();
  expect(await packByPatterns(kinds, 15, () => true)).toBeNull();
  expect(await packByPatterns([{ cost: 0.1, hbm: 1.01, count: 1 }], 16, () => true)).toBeNull();
});

test("shards that need nothing are put somewhere", async () => {
  const kinds = [
    { cost: 0, hbm: 0, count: 3 },
    { cost: 0.6, hbm: 0.1, count: 8 },
  ];
  const counts = await packByPatterns(kinds, 8, () => true);
  expectPacked(kinds, 8, counts ?? []);
});
