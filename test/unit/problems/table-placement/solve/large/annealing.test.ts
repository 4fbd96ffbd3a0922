import { expect, test } from "vitest";
import { evaluatePlacement } from "../../../../../../models/table-placement/evaluate.js";
import { deviceCount, type PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { coolTo } from "../../../../../../src/problems/table-placement/solve/large/annealing.js";
import { packLongestFirst } from "../../../../../../src/problems/table-placement/solve/large/construct.js";
import { Packing, type Regret } from "../../../../../../src/problems/table-placement/solve/large/packing.js";
import { drawFrom } from "../../../../../fuzz/oracle/draw.js";
import { tinyPlacement } from "../../../../../support/tiny-placement.js";

const STEPS = 3000;

/** Options that a packing knows, in their own order. */
function known(packing: Packing, { tables }: PlacementProblem): (readonly Regret[])[] {
  return tables.map(({ options }, t) =>
    [...options.keys()].filter((o) => packing.knows(t, o)).map((option) => ({ option, regret: 0 })),
  );
}

/** A packing of each table's first option, and annealing from there; `null` where there is none. */
function started(problem: PlacementProblem, seed: number, shouldStop = () => false) {
  const packing = new Packing(problem);
  const options = known(packing, problem);
  if (options.some(({ length }) => length === 0)) return null;
  const isPacked = packLongestFirst(
    packing,
    options.map(([first]) => (first as Regret).option),
  );
  if (!isPacked) return null;
  const how = { options, random: seededRandom(seed), shouldStop };
  return { packing, cool: (target: number, steps: number) => coolTo(packing, target, steps, how) };
}

/** Tables of one shard each on like devices. */
function ofWeights(weights: readonly number[], devices: number): PlacementProblem {
  return {
    ...tinyPlacement(drawFrom(1)),
    ...{ nodes: 1, gpusPerNode: devices, hostBytes: null, hostIsPooled: false, together: [], apart: [] },
    hbmBytes: Array.from({ length: devices }, () => weights.length),
    tables: weights.map((cost, t) => ({
      ...{ name: `t${t}`, devices: null },
      options: [
        {
          ...{ shardingType: "table_wise", kernel: "fused", partitionBy: "device" },
          shards: [{ cost, hbmBytes: 1, hostBytes: 0 }],
        },
      ],
    })),
  };
}

test("what a packing was annealed to is a placement with the loads that it says, and breaks no more than before", () => {
  let [annealed, changed] = [0, 0];
  for (let seed = 0; seed < 150; seed++) {
    const problem = tinyPlacement(drawFrom(seed));
    const start = started(problem, seed);
    if (start === null) continue;
    const { packing, cool } = start;
    const before = packing.save();
    const isFeasible = evaluatePlacement(problem, packing.placementOf(before)).violations.length === 0;
    expect(cool(0.2 * before.largest, STEPS)).toBe(true);
    const after = packing.save();
    const { deviceCosts, violations } = evaluatePlacement(problem, packing.placementOf(after));
    deviceCosts.forEach((cost, device) => {
      expect(packing.load[device], `seed ${seed}`).toBeCloseTo(cost.toNumber(), 6);
    });
    // Tables that belong together or apart are nothing that a packing knows of.
    const isFree = problem.together.length + problem.apart.length === 0;
    if (isFeasible && isFree) expect(violations, `seed ${seed}`).toEqual([]);
    annealed++;
    if (JSON.stringify([...after.option, after.places]) !== JSON.stringify([...before.option, before.places]))
      changed++;
  }
  expect(annealed).toBeGreaterThan(60);
  expect(changed).toBeGreaterThan(0.4 * annealed);
});

test("loads come down to a target that longest-first does not reach", () => {
  let reached = 0;
  for (let seed = 0; seed < 20; seed++) {
    const random = seededRandom(seed);
    const weights = Array.from({ length: 24 }, () => 10 + random.integer(90));
    const problem = ofWeights(weights, 5);
    const { packing, cool } = started(problem, seed) as NonNullable<ReturnType<typeof started>>;
    const before = packing.largest();
    const target = Math.ceil(weights.reduce((sum, weight) => sum + weight, 0) / deviceCount(problem));
    expect(cool(target, 200_000)).toBe(true);
    if (before > target && packing.largest() <= target) reached++;
  }
  expect(reached).toBeGreaterThan(12);
});

test("told to stop it ends, with every table somewhere", () => {
  const problem = ofWeights([3, 3, 2, 2, 2], 2);
  const { packing, cool } = started(problem, 1, () => true) as NonNullable<ReturnType<typeof started>>;
  expect(cool(1, STEPS)).toBe(false);
  expect(evaluatePlacement(problem, packing.placementOf(packing.save())).sum.toNumber()).toBe(12);
});
