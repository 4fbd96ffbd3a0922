import { expect, test } from "vitest";
import { placementProblem } from "../../../models/table-placement/from-instance.js";
import { incomingOf, movedBytes, receivedBytes } from "../../../models/table-placement/moved-bytes.js";
import type { PlacementOption } from "../../../models/table-placement/problem.js";
import { drawFrom } from "../../fuzz/oracle/draw.js";
import { type DrawnMigration, drawMigration, ELEMENT, extentOf, STATE } from "../../support/drawn-migration.js";
import { drawsOf } from "../../support/draws.js";

const MEMORY: Readonly<Record<string, string>> = { fused: "hbm", dense: "hbm", fused_uvm: "host", key_value: "ssd" };

/** What a device receives for a shard, element by element and row by row. */
function laidOut({ old, choices, now, optimizer }: DrawnMigration, t: number, option: PlacementOption, k: number) {
  const table = now.tables[t] as DrawnMigration["now"]["tables"][number];
  const before = old.tables.find(({ name }) => name === table.name);
  const [ofCell, ofRow] = STATE[optimizer ?? "none"] as readonly [number, number];
  const { shardingType, kernel, shards } = option;
  const [r0, r1, c0, c1] = extentOf({ shardingType, count: shards.length, k }, table, now.hosts);
  return (device: number): number => {
    if (before === undefined) return 0;
    const choice = choices[before.name] as DrawnMigration["choices"][string];
    const [host, slot] = [Math.floor(device / now.hosts.gpusPerNode), device % now.hosts.gpusPerNode];
    const rank = slot < old.hosts.gpusPerNode ? host * old.hosts.gpusPerNode + slot : -1;
    const isThere = MEMORY[choice.kernel] === MEMORY[kernel];
    const parts = choice.ranks.flatMap((own, part) =>
      own === rank && isThere
        ? [extentOf({ shardingType: choice.shardingType, count: choice.ranks.length, k: part }, before, old.hosts)]
        : [],
    );
    const columns = Array.from({ length: c1 - c0 }, (_, k) => c0 + k).filter((column) => column < before.dim);
    let bytes = 0;
    for (let row = r0; row < Math.min(r1, before.rows); row++) {
      const has = (column: number, [a, b, c, d]: (typeof parts)[number]) =>
        a <= row && row < b && c <= column && column < d;
      for (const column of columns) if (!parts.some((part) => has(column, part))) bytes += ELEMENT + ofCell;
      const hasState = columns.every((column) => parts.some((part) => has(column, part)));
      if (columns.length > 0 && !hasState) bytes += ofRow;
    }
    return bytes;
  };
}

test("bytes to receive are those of the elements that a device lacks, laid out one by one", () => {
  let moved = 0;
  let kept = 0;
  const draws = drawsOf(400, 0);
  for (const seed of draws.seeds) {
    const drawn = drawMigration(drawFrom(seed));
    const problem = placementProblem(drawn.instance);
    for (const [t, { options }] of problem.tables.entries()) {
      for (const option of options) {
        for (const k of option.shards.keys()) {
          const brute = laidOut(drawn, t, option, k);
          for (const device of problem.hbmBytes.keys()) {
            const bytes = receivedBytes(option, k, device);
            expect(bytes, `seed ${seed}, table ${t}, ${option.shardingType}, shard ${k}`).toBe(brute(device));
            if (bytes > 0) moved++;
            else kept++;
          }
        }
      }
    }
  }
  expect(Math.min(moved, kept)).toBeGreaterThanOrEqual(draws.atLeast(4000));
});

test("a placement's bytes are the sum over its shards, and none are known without a plan to move from", () => {
  const { instance } = drawMigration(drawFrom(7));
  const problem = placementProblem(instance);
  const choices = problem.tables.map(({ options }) => ({ option: 0, devices: options[0]?.shards.map(() => 0) ?? [] }));
  const sum = problem.tables.reduce((bytes, { options: [first] }) => {
    const own = first?.shards.map((_, k) => receivedBytes(first, k, 0)) ?? [];
    return bytes + own.reduce((a, b) => a + b, 0);
  }, 0);
  expect(movedBytes(problem, { choices })).toBe(sum);
  expect(movedBytes(placementProblem({ ...instance, from: null }), { choices })).toBeNull();
});

test("the state of a row moves unless the device has all of the shard's columns", () => {
  const kept = { cellBytes: 2, rowBytes: 4 };
  const half = (device: number, column: number) => ({ device, offsets: [0, column], sizes: [10, 4] }) as const;
  const now = { rows: 10, dim: 8, parts: [half(0, 0), half(0, 4), half(1, 0)] };
  const whole = incomingOf({ offsets: [0, 0], sizes: [12, 8] }, now, kept);
  expect(whole).toEqual({
    bytes: 10 * 8 * 2 + 10 * 4,
    held: [
      [0, 200],
      [1, 80],
    ],
  });
  expect(incomingOf({ offsets: [5, 4], sizes: [5, 4] }, now, kept)).toEqual({ bytes: 60, held: [[0, 60]] });
});
