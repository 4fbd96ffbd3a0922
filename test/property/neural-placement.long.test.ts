import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { evaluatePlacement } from "../../models/table-placement/evaluate.js";
import { type PlacementModel, placementModel } from "../../models/table-placement/from-instance.js";
import type { Placement } from "../../models/table-placement/problem.js";
import { BINS, type NetworkTable } from "../../src/cost/neural/features.js";
import { Predictor } from "../../src/cost/neural/predict.js";
import { readWeights } from "../../src/cost/neural/weights.js";
import { Rational } from "../../src/exact/rational.js";
import type { TablePlacementInstance } from "../../src/instance/types/table-placement.js";
import { parseInstance } from "../../src/problems/planning/instances.js";
import { learnedCostHeuristics, tablePlacementHeuristics } from "../../src/problems/table-placement/methods/index.js";
import { type Draw, drawFrom } from "../fuzz/oracle/draw.js";
import { methodSuite } from "../support/method-suite.js";

const WEIGHTS = "cpu-4-workers.neural.json";
const network = readWeights(readFileSync(`instances/costs/${WEIGHTS}`, "utf8"), WEIGHTS);

/** Tables of some hundred milliseconds together, on few devices, most with memory that matters. */
interface Tiny {
  readonly tables: readonly NetworkTable[];
  readonly devices: number;
  readonly memory: number;
  readonly model: PlacementModel;
}

function drawTiny(seed: number, mostShards: number): Tiny {
  const draw = drawFrom(seed);
  const devices = draw.int(2, 3);
  const tables = Array.from({ length: draw.int(3, mostShards === 1 ? 6 : 3) }, () => drawShape(draw));
  const bytes = tables.reduce((sum, table) => sum + bytesOf(table), 0);
  const memory = Math.ceil((bytes / devices) * draw.of([1.05, 1.3, 2, 10]));
  const document = {
    shardproof: 1,
    name: `tiny-${seed}`,
    problem: "table-placement",
    costModel: { neural: WEIGHTS, policy: "policy-cpu-4-workers.json" },
    cluster: { nodes: 1, gpusPerNode: devices, hbmBytesPerGpu: memory },
    ...(mostShards === 1 ? {} : { splits: { columns: true, maxShardsPerTable: mostShards } }),
    tables: tables.map(({ elementBytes: _, ...table }, t) => ({ name: `t${t}`, ...table })),
  };
  const instance = parseInstance(JSON.stringify(document), "instances/costs/tiny.json");
  return { tables, devices, memory, model: placementModel(instance as TablePlacementInstance) };
}

function drawShape(draw: Draw): NetworkTable {
  const first = draw.int(2, 8) / 10;
  return {
    rows: draw.int(1000, 4_000_000),
    dim: draw.of([8, 16, 32]),
    elementBytes: 4,
    poolingFactor: draw.int(0, 60),
    accessBins: [first, 1 - first, ...new Array<number>(BINS - 2).fill(0)],
  };
}

function bytesOf({ rows, dim, elementBytes }: NetworkTable): number {
  return rows * dim * elementBytes;
}

/** Halves, quarters and so on, worked out anew: the multisets of widths of at most so many parts. */
function cuts(dim: number, most: number): number[][] {
  if (most === 1 || dim % 8 !== 0) return [[dim]];
  const found = new Map<string, number[]>([[String(dim), [dim]]]);
  for (let left = 1; left < most; left++) {
    const right = most - left;
    for (const a of cuts(dim / 2, left)) {
      for (const b of cuts(dim / 2, right)) {
        const both = [...a, ...b].sort((x, y) => y - x);
        found.set(String(both), both);
      }
    }
  }
  return [...found.values()];
}

/** The smallest largest cost of all ways to cut and place, by the network alone; `null` where nothing fits. */
function bruteForce({ tables, devices, memory }: Tiny, mostShards: number): number | null {
  let best: number | null = null;
  const here: NetworkTable[][] = Array.from({ length: devices }, () => []);
  const place = (shards: readonly NetworkTable[]): void => {
    const [shard, ...rest] = shards;
    if (shard !== undefined) {
      for (const own of here) {
        own.push(shard);
        if (own.reduce((sum, table) => sum + bytesOf(table), 0) <= memory) place(rest);
        own.pop();
      }
      return;
    }
    const largest = Math.max(...here.map((own) => costOf(own)));
    if (best === null || largest < best) best = largest;
  };
  const choose = (t: number, shards: readonly NetworkTable[]): void => {
    const table = tables[t];
    if (table === undefined) {
      place(shards);
      return;
    }
    for (const widths of cuts(table.dim, mostShards)) {
      choose(t + 1, [...shards, ...widths.map((dim) => ({ ...table, dim }))]);
    }
  };
  choose(0, []);
  return best;
}

const known = new Map<string, number>();

function costOf(tables: readonly NetworkTable[]): number {
  const key = JSON.stringify(tables.map(({ rows, dim, poolingFactor }) => [rows, dim, poolingFactor]).sort());
  const found = known.get(key) ?? new Predictor(network, tables).cost([...tables.keys()]);
  known.set(key, found);
  return found;
}

/** The largest device cost of a plan, by the network alone; what it breaks fails the test. */
function largestOf({ tables, devices, memory, model }: Tiny, { choices }: Placement): number {
  const here: NetworkTable[][] = Array.from({ length: devices }, () => []);
  for (const [t, { option, devices: homes }] of choices.entries()) {
    const table = tables[t] as NetworkTable;
    const shards = model.problem.tables[t]?.options[option]?.shards ?? [];
    const widths = shards.map(({ hbmBytes }) => hbmBytes / (table.rows * table.elementBytes));
    expect(widths.reduce((sum, width) => sum + width, 0)).toBe(table.dim);
    for (const [k, home] of homes.entries()) here[home]?.push({ ...table, dim: widths[k] as number });
  }
  for (const own of here) expect(own.reduce((sum, table) => sum + bytesOf(table), 0)).toBeLessThanOrEqual(memory);
  return Math.max(...here.map(costOf));
}

const METHODS = { ...tablePlacementHeuristics, ...learnedCostHeuristics };
type Method = keyof typeof METHODS;

function run(method: Method, { model }: Tiny, seed = 0, shouldStop = () => false) {
  return METHODS[method](model.problem, { seed, shouldStop, instance: { tables: model.tables } });
}

/** On all whole-table problems, run once. */
function resultsOf(method: Method) {
  const found = remembered.get(method) ?? whole.map((tiny) => run(method, tiny));
  remembered.set(method, found);
  return found;
}

const remembered = new Map<Method, ReturnType<typeof run>[]>();
const whole = Array.from({ length: 60 }, (_, seed) => drawTiny(seed, 1));
const optima = whole.map((tiny) => bruteForce(tiny, 1));

test("memory decides in some problems, and not in others", () => {
  expect(optima.filter((optimum) => optimum !== null).length).toBeGreaterThan(40);
});

methodSuite(Object.keys(METHODS), {
  models: whole,
  bounds: optima.map((optimum) => (optimum === null ? null : Rational.fromNumber(optimum))),
  run: (method, tiny, { seed, shouldStop }) => {
    const result = run(method as Method, tiny, seed, shouldStop);
    return result.kind === "plan" ? { kind: "plan", decision: result.placement } : result;
  },
  evaluate: ({ model }, placement) => {
    const { objective, violations } = evaluatePlacement(model.problem, placement);
    return { value: objective, violations };
  },
  again: 10,
  least: 11,
});

test.each(Object.keys(METHODS) as Method[])(
  "%s: every plan keeps to the memory and costs what the network says",
  (method) => {
    for (const [p, result] of resultsOf(method).entries()) {
      if (result.kind !== "plan") continue;
      const tiny = whole[p] as Tiny;
      const { objective } = evaluatePlacement(tiny.model.problem, result.placement);
      expect(objective.toNumber()).toBe(largestOf(tiny, result.placement));
    }
  },
);

/** The mean of how far a method's plans are above the optimum. */
function meanGap(method: Method): number {
  const gaps = whole.flatMap((tiny, p) => {
    const result = resultsOf(method)[p];
    const optimum = optima[p];
    return result?.kind === "plan" && optimum != null ? [largestOf(tiny, result.placement) / optimum - 1] : [];
  });
  return gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
}

test("simulated annealing finds the optimum of nearly all tiny problems, and the predicted costs help", () => {
  expect(meanGap("simulated-annealing")).toBeLessThan(0.005);
  expect(meanGap("predicted-greedy")).toBeLessThan(meanGap("size-greedy"));
  expect(meanGap("random-search")).toBeLessThan(meanGap("random"));
});

const MAX_SHARDS = 3;
const split = Array.from({ length: 25 }, (_, seed) => drawTiny(100 + seed, MAX_SHARDS));

test("neuroshard-search cuts columns, keeps the limits, and is seldom far above the best of all cuts", () => {
  let cut = 0;
  const gaps: number[] = [];
  for (const tiny of split) {
    const result = run("neuroshard-search", tiny);
    const optimum = bruteForce(tiny, MAX_SHARDS);
    if (result.kind !== "plan") continue;
    const largest = largestOf(tiny, result.placement);
    expect(largest).toBeGreaterThanOrEqual(optimum as number);
    gaps.push(largest / (optimum as number) - 1);
    if (result.placement.choices.some(({ devices }) => devices.length > 1)) cut++;
    expect(run("neuroshard-search", tiny)).toEqual(result);
  }
  expect(gaps.length).toBeGreaterThan(15);
  expect(cut).toBeGreaterThan(5);
  expect(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length).toBeLessThan(0.1);
});

test("without a learned cost its methods do not apply, and say what they need", () => {
  const { setCost: _, ...problem } = (whole[0] as Tiny).model.problem;
  for (const method of Object.values(learnedCostHeuristics)) {
    expect(method(problem, { seed: 0 })).toEqual({
      kind: "not-applicable",
      reason: "needs a learned cost (costModel: {neural: FILE})",
    });
  }
});
