import { expect, test } from "vitest";
import type { PlacementDelta } from "../../../../models/table-placement/migration/delta.js";
import { movedBytes } from "../../../../models/table-placement/moved-bytes.js";
import { placementDelta } from "../../../../src/problems/table-placement/delta.js";
import { simulateDelta } from "../../../../src/simulate/delta.js";
import { drawFrom } from "../../../fuzz/oracle/draw.js";
import { drawSides } from "../../../support/drawn-migration.js";

/** Sides whose memory is what the two plans need, and a little more. */
function tightSides(seed: number) {
  const draw = drawFrom(seed);
  const { drawn, old, now } = drawSides(draw);
  const roomy = placementDelta(old, now);
  const { memories, before, after } = roomy.schedule;
  const room = draw.of([0, 0, 4, 30, 1000]);
  const need = (kind: string) =>
    now.problem.hbmBytes.map((_, device) => {
      const at = memories.findIndex(({ memory, number }) => memory === kind && number === device);
      return Math.max(before[at] as number, after[at] as number) + room;
    });
  const hostBytes = draw.oneIn(2) ? null : need("host");
  const hostIsPooled = hostBytes !== null && draw.oneIn(2);
  const problem = { ...now.problem, hbmBytes: need("hbm"), ssdBytes: need("ssd"), hostBytes, hostIsPooled };
  return { drawn, old, roomy, now: { ...now, problem } };
}

test("the steps of a delta bring every byte that the plan counts, and no memory is exceeded", () => {
  const seen = { fits: 0, parked: 0, more: 0, gone: 0, whole: 0, steps: 0 };
  for (let seed = 0; seed < 400; seed++) {
    const { old, now, roomy } = tightSides(seed);
    for (const [delta, side] of [
      [roomy, null],
      [placementDelta(old, now), now],
    ] as const) {
      const { wrong, bytes, parkedBytes, peak } = simulateDelta(delta);
      expect(wrong, `seed ${seed}`).toEqual([]);
      const { received, parked, local, ...over } = delta.bytes;
      expect(bytes).toEqual({ local, ...over });
      expect(parkedBytes).toBe(parked);
      if (side !== null) expect(received).toBe(movedBytes(side.problem, side.placement));
      if (parked === 0) expect(over.host + over.inside + over.between).toBe(received);
      const { extraBytes, memories, steps, withoutParking } = delta.schedule;
      for (const [k, { limit }] of memories.entries()) {
        if (limit !== null) expect(peak[k]).toBeLessThanOrEqual(limit + extraBytes);
      }
      if (withoutParking !== null) expect(withoutParking.atLeast).toBeLessThanOrEqual(withoutParking.found);
      seen.fits += Number(delta.schedule.status === "fits");
      seen.more += Number(delta.schedule.status !== "fits");
      seen.parked += Number(parked > 0);
      seen.gone += Number(delta.cluster.goneRanks.length > 0);
      seen.steps += Number(steps.length > 2);
    }
  }
  expect(Math.min(seen.parked, seen.more, seen.gone, seen.steps)).toBeGreaterThan(20);
});

/** The least extra memory of all orders of the moves, one after the other: every order is tried. */
function bruteExtra({ new: made, old, schedule: { memories, unread, before }, cluster }: PlacementDelta): number {
  const at = (device: number, kind: string) =>
    memories.findIndex(
      ({ memory, of, number }) => memory === kind && number === (of === "host" ? cluster.hosts[device] : device),
    );
  const take = (use: number[], shard: PlacementDelta["old"][number], sign: number) => {
    for (const [kind, bytes] of [
      ["hbm", shard.hbmBytes] as const,
      ["host", shard.hostBytes] as const,
      ["ssd", shard.ssdBytes] as const,
    ]) {
      if (bytes > 0) use[at(shard.device, kind)] = (use[at(shard.device, kind)] as number) + sign * bytes;
    }
  };
  const over = (use: readonly number[]) =>
    Math.max(0, ...use.map((bytes, k) => bytes - (memories[k]?.limit ?? Number.POSITIVE_INFINITY)));
  const stays = new Set(made.map((shard) => shard.stays));
  const best = (use: readonly number[], left: readonly number[], readers: ReadonlyMap<number, number>): number => {
    let least = left.length === 0 ? 0 : Number.POSITIVE_INFINITY;
    for (const index of left) {
      const shard = made[index] as PlacementDelta["new"][number];
      const next = use.slice();
      take(next, shard, 1);
      if (shard.stays !== null) take(next, old[shard.stays] as PlacementDelta["old"][number], -1);
      const touched = next.map((bytes, k) => (bytes > (use[k] as number) ? bytes : 0));
      const need = over(touched);
      const after = new Map(readers);
      for (const read of new Set(shard.reads.map((one) => one.old))) {
        after.set(read, (after.get(read) ?? 0) - 1);
        if (after.get(read) === 0 && !stays.has(read)) take(next, old[read] as PlacementDelta["old"][number], -1);
      }
      least = Math.min(
        least,
        Math.max(
          need,
          best(
            next,
            left.filter((other) => other !== index),
            after,
          ),
        ),
      );
    }
    return least;
  };
  const use = before.slice();
  const first = over(use);
  for (const index of unread) take(use, old[index] as PlacementDelta["old"][number], -1);
  const readers = new Map<number, number>();
  for (const { reads } of made) {
    for (const read of new Set(reads.map((one) => one.old))) readers.set(read, (readers.get(read) ?? 0) + 1);
  }
  void first;
  return Math.max(over(use), best(use, Array.from(made.keys()), readers));
}

test("the least extra memory is that of the best of all orders", () => {
  let needing = 0;
  for (let seed = 0; seed < 900; seed++) {
    const { old, now } = tightSides(seed);
    const delta = placementDelta(old, now);
    if (delta.new.length > 6) continue;
    const least = bruteExtra(delta);
    const { withoutParking, extraBytes } = delta.schedule;
    if (least === 0) expect(withoutParking, `seed ${seed}`).toBeNull();
    else expect(withoutParking, `seed ${seed}`).toMatchObject({ found: least, atLeast: least });
    expect(extraBytes).toBeLessThanOrEqual(least);
    needing += Number(least > 0);
  }
  expect(needing).toBeGreaterThan(40);
});
