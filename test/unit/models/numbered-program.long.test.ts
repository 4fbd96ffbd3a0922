import { expect, test } from "vitest";
import { lognormalPlacement } from "../../../bench/drawn-instances.js";
import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import { largeShards } from "../../../models/table-placement/large-shards.js";
import { numberedProgram } from "../../../models/table-placement/numbered-program.js";
import type { Placement, PlacementProblem } from "../../../models/table-placement/problem.js";
import { provedProgram } from "../../../models/table-placement/proved-program.js";
import { type Random, seededRandom } from "../../../src/exact/random.js";
import { evaluate } from "../../../src/program/evaluate.js";
import { programHash } from "../../../src/program/hash.js";
import { drawsOf } from "../../support/draws.js";

/** A drawn problem with more memory; every other one has options of unlike shards. */
function drawn(seed: number, memory = 2): PlacementProblem {
  const problem = lognormalPlacement(4 + (seed % 5), 3 + (seed % 3), 10, seed);
  const scale = (k: number) => (seed % 2 === 0 ? 1 : 1 + (k % 2) / 4);
  return {
    ...problem,
    hbmBytes: problem.hbmBytes.map((bytes) => memory * bytes),
    tables: problem.tables.map((table) => ({
      ...table,
      options: table.options.map((option) => ({
        ...option,
        shards: option.shards.map((shard, k) => ({ ...shard, cost: shard.cost * scale(k) })),
      })),
    })),
  };
}

function placed({ tables, hbmBytes }: PlacementProblem, random: Random): Placement {
  return {
    choices: tables.map(({ options }) => {
      const option = random.integer(options.length);
      return { option, devices: (options[option]?.shards ?? []).map(() => random.integer(hbmBytes.length)) };
    }),
  };
}

test("every placement has a feasible point of its own largest cost, wherever its large shards are", () => {
  const random = seededRandom(1);
  let [seen, infeasible] = [0, 0];
  const draws = drawsOf(60, 0);
  for (const seed of draws.seeds) {
    const problem = drawn(seed);
    const numbered = numberedProgram(problem);
    if (numbered === null) continue;
    for (let k = 0; k < 20; k++) {
      const placement = placed(problem, random);
      const { violations, largest } = evaluatePlacement(problem, placement);
      if (violations.length > 0) {
        infeasible++;
        continue;
      }
      const own = evaluate(numbered.program, numbered.pointOf(placement));
      expect(own.violations, `seed ${seed}`).toEqual([]);
      expect(own.objective.equals(largest), `seed ${seed}`).toBe(true);
      seen++;
    }
  }
  expect(seen).toBeGreaterThanOrEqual(draws.atLeast(200));
  expect(infeasible).toBeGreaterThanOrEqual(draws.atLeast(50));
});

test("the same shards elsewhere, with other numbers, break a row", () => {
  const problem = drawn(2);
  const { program, order, pointOf } = numberedProgram(problem) as NonNullable<ReturnType<typeof numberedProgram>>;
  const kind = order.find(({ shards }) => shards.length === 1) as (typeof order)[number];
  const isLarge = (t: number, o: number) => order.some(({ table, option }) => table === t && option === o);
  const choices = problem.tables.map(({ options }, t) => {
    const fitting = options.findIndex(
      ({ shards }, o) => !isLarge(t, o) && shards.every(({ hbmBytes }) => hbmBytes <= (problem.hbmBytes[0] as number)),
    );
    const option = t === kind.table ? kind.option : fitting;
    return { option, devices: (options[option]?.shards ?? []).map(() => problem.hbmBytes.length - 1) };
  });
  const point = [...pointOf({ choices })];
  const brokenBy = (own: typeof point) => evaluate(program, own).violations.map(({ name }) => name);
  expect(brokenBy(point).filter((name) => name.startsWith("first"))).toEqual([]);
  const [first, second] = kind.columns as readonly [number, number];
  [point[first], point[second]] = [point[second] as (typeof point)[number], point[first] as (typeof point)[number]];
  expect(brokenBy(point)).toContain(`first_${order.indexOf(kind)}_1`);
});

test("a written proof that names it is checked against it", () => {
  const problem = drawn(2);
  const { program } = numberedProgram(problem) as NonNullable<ReturnType<typeof numberedProgram>>;
  expect(programHash(provedProgram(problem, { certificate: { program: programHash(program) } }).program)).toBe(
    programHash(program),
  );
});

test("it is for one host of like devices whose memory is given, and some shard that is large", () => {
  const problem = lognormalPlacement(8, 4, 10, 2);
  expect(numberedProgram(problem)).not.toBeNull();
  expect(numberedProgram({ ...problem, nodes: 2, gpusPerNode: 2 })).toBeNull();
  expect(numberedProgram({ ...problem, hbmBytes: problem.hbmBytes.map((bytes, d) => bytes + d) })).toBeNull();
  expect(numberedProgram({ ...problem, hbmBytes: problem.hbmBytes.map(() => Number.POSITIVE_INFINITY) })).toBeNull();
  expect(numberedProgram({ ...problem, goal: "phases" })).toBeNull();
  const split = problem.tables.map((table) => ({
    ...table,
    options: table.options.map((option) => ({
      ...option,
      shards: option.shards.flatMap((shard) =>
        new Array(400).fill({ ...shard, cost: shard.cost / 400, hbmBytes: Math.floor(shard.hbmBytes / 400) }),
      ),
    })),
  }));
  expect(largeShards({ ...problem, tables: split })).toEqual([]);
  expect(numberedProgram({ ...problem, tables: split })).toBeNull();
});

test("options that leave most of a device to few shards come first, dear ones never", () => {
  const problem = lognormalPlacement(80, 16, 10, 7);
  const order = largeShards(problem);
  expect(order.length).toBeGreaterThan(10);
  const bytes = problem.hbmBytes[0] as number;
  const [first, last] = [order[0], order.at(-1)].map((kind) =>
    Math.abs((kind?.cost as number) / 13.2 - (kind?.hbmBytes as number) / bytes),
  );
  expect(first).toBeGreaterThan(last as number);
  // No device of a good placement has a shard that costs so much.
  expect(Math.max(...order.map(({ cost }) => cost))).toBeLessThan(1.12 * 13.2);
});
