import { expect, test } from "vitest";
import type { Room } from "../../../../../../src/problems/table-placement/solve/core/pattern-lp.js";
import { packedByFullPatterns } from "../../../../../../src/problems/table-placement/solve/counted/full-patterns.js";
import { completeBins } from "../../../../../../src/proof/kernel/packing/bin-completion.js";
import { WholePoints } from "../../../../../../src/solvers/whole-points.js";
import { type Draw, drawFrom } from "../../../../../fuzz/oracle/draw.js";
import { drawsOf } from "../../../../../support/draws.js";

const GRAIN = 1000;
const GPUS = 3;
const always = () => true;

interface Drawn {
  readonly free: readonly Room[];
  readonly wanted: readonly number[];
  /** By node. */
  readonly room: readonly Room[];
}

/** In whole grains of a device; `hbm`: draws the bytes of a kind. */
function drawn(draw: Draw, hbm: () => number): Drawn {
  const costs = Array.from({ length: draw.int(1, 3) }, () => draw.int(80, 450) / GRAIN);
  const free = Array.from({ length: draw.int(2, 5) }, (_, s) => ({
    cost: costs[s % costs.length] as number,
    hbm: hbm(),
  }));
  return {
    free,
    wanted: free.map(() => draw.int(1, 6)),
    room: Array.from({ length: 2 }, () => ({ cost: draw.int(700, GRAIN) / GRAIN, hbm: 1 })),
  };
}

/** Whether there is a way, by going through all ways to fill devices. */
function isPackable({ free, wanted, room }: Drawn): boolean {
  const items = free.flatMap(({ cost, hbm }, s) =>
    Array.from({ length: wanted[s] as number }, () => [Math.round(cost * GRAIN), Math.round(hbm * GRAIN)]),
  );
  const kinds = room.map(({ cost, hbm }, v) => {
    const devices = Array.from({ length: GPUS }, (_, slot) => v * GPUS + slot);
    return {
      ...{ devices, room: [Math.round(cost * GRAIN), Math.round(hbm * GRAIN)], sizes: items },
      columns: devices.map((device) => items.map(() => device)),
    };
  });
  return completeBins({ kinds, items: items.length }, always).kind === "found";
}

function expectPacked({ free, wanted, room }: Drawn, placed: readonly (readonly number[])[]): void {
  free.forEach((_, s) => {
    expect(placed[s]?.reduce((sum, count) => sum + count, 0)).toBe(wanted[s]);
  });
  room.forEach((own, v) => {
    for (let device = v * GPUS; device < (v + 1) * GPUS; device++) {
      for (const of of ["cost", "hbm"] as const) {
        const held = free.reduce((sum, need, s) => sum + need[of] * (placed[s]?.[device] as number), 0);
        expect(held).toBeLessThanOrEqual(own[of] + 1e-9);
      }
    }
  });
}

test("where shards need no memory they are packed wherever there is a way", async () => {
  const points = await WholePoints.open();
  let [found, none] = [0, 0];
  const draws = drawsOf(150, 0);
  for (const seed of draws.seeds) {
    const own = drawn(drawFrom(seed), () => 0);
    const placed = packedByFullPatterns(points, { free: own.free, gpusPerNode: GPUS }, own.wanted, own.room, always);
    expect(placed !== null, `seed ${seed}`).toBe(isPackable(own));
    if (placed === null) none++;
    else {
      found++;
      expectPacked(own, placed);
    }
  }
  expect(Math.min(found, none)).toBeGreaterThanOrEqual(draws.atLeast(20));
});

test("shards of the same cost and other bytes go where memory is left, mostly", async () => {
  const points = await WholePoints.open();
  let [ways, found] = [0, 0];
  const draws = drawsOf(150, 0);
  for (const seed of draws.seeds) {
    const draw = drawFrom(seed);
    const own = drawn(draw, () => draw.int(10, 330) / GRAIN);
    const placed = packedByFullPatterns(points, { free: own.free, gpusPerNode: GPUS }, own.wanted, own.room, always);
    const isAny = isPackable(own);
    if (isAny) ways++;
    if (placed === null) continue;
    expect(isAny, `seed ${seed}`).toBe(true);
    expectPacked(own, placed);
    found++;
  }
  expect(ways).toBeGreaterThanOrEqual(draws.atLeast(30));
  expect(ways - found).toBeLessThan(draws.atMost(30));
});

test("nothing where there is no time, or too little room", async () => {
  const points = await WholePoints.open();
  const model = { free: [{ cost: 0.5, hbm: 0 }], gpusPerNode: GPUS };
  const room = [{ cost: 1, hbm: 1 }];
  expect(packedByFullPatterns(points, model, [6], room, always)).toEqual([[2, 2, 2]]);
  expect(packedByFullPatterns(points, model, [7], room, always)).toBeNull();
  expect(packedByFullPatterns(points, model, [6], room, () => false)).toBeNull();
});
