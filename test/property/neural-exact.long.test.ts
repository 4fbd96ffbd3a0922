import { expect, test } from "vitest";
import { placementModel } from "../../models/table-placement/from-instance.js";
import { neuralProgram } from "../../models/table-placement/learned/build.js";
import { evaluateNeural } from "../../models/table-placement/learned/evaluate.js";
import { exactCost, neuralHead } from "../../models/table-placement/learned/head.js";
import type { SetCost } from "../../src/cost/neural/set-cost.js";
import { Rational } from "../../src/exact/rational.js";
import { requireInstance } from "../../src/instance/reader.js";
import { loadInstance } from "../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../src/problems/table-placement/instance/reader.js";
import { BestBound } from "../../src/problems/table-placement/solve/best-bound.js";
import { KnownPlans } from "../../src/problems/table-placement/solve/known-plans.js";
import { searchPrices } from "../../src/problems/table-placement/solve/learned/price-bound/search-prices.js";
import { solveNeuralPlacement } from "../../src/problems/table-placement/solve/learned/solve.js";
import { Work } from "../../src/search/work.js";
import { someOf } from "../support/draws.js";
import { drawNeural, everyPlacement, type NeuralDraw } from "../unit/models/neural-support.js";

const OPTIONS = { gap: Rational.parse("1e-9"), timeLimitSeconds: 30, seed: 0 };

/** The least largest cost of all placements within memory; `null` where there is none. */
function bruteForce({ problem, head }: ReturnType<typeof drawNeural>): Rational | null {
  let best: Rational | null = null;
  for (const placement of everyPlacement(problem)) {
    const { objective, violations } = evaluateNeural(head, problem, placement);
    if (violations.length === 0 && (best === null || objective.compare(best) < 0)) best = objective;
  }
  return best;
}

async function expectBruteForce(drawn: NeuralDraw): Promise<"proved" | "infeasible"> {
  const small = drawNeural(drawn);
  const best = bruteForce(small);
  const { verdict, placement } = await solveNeuralPlacement(small.model, small.head, OPTIONS);
  if (best === null) {
    expect(verdict?.status).toBe("infeasible");
    return "infeasible";
  }
  expect(verdict?.status).toBe("proved");
  expect(verdict?.value?.toString()).toBe(best.toString());
  const { objective, violations } = evaluateNeural(
    small.head,
    small.problem,
    placement as NonNullable<typeof placement>,
  );
  expect(violations).toEqual([]);
  expect(objective.toString()).toBe(best.toString());
  return "proved";
}

test("proved optima are those of brute force, with and without memory that binds", async () => {
  const found: string[] = [];
  for (let seed = 1; seed <= 12; seed++) {
    found.push(await expectBruteForce({ seed, tables: [4, 6], devices: [2, 3], rooms: [1.02, 1.15, 1.4, 100] }));
  }
  expect(new Set(found)).toEqual(new Set(["proved", "infeasible"]));
});

test("a device may be empty: more devices than tables", async () => {
  for (let seed = 30; seed < 34; seed++) {
    const rooms = [100];
    expect(await expectBruteForce({ seed, tables: [1, 3], devices: [4, 4], rooms })).toBe("proved");
  }
});

test("tables that are bound to places or to one another", async () => {
  for (let seed = 40; seed < 42; seed++) {
    const rooms = [100];
    expect(await expectBruteForce({ seed, tables: [4, 5], devices: [2, 3], rooms, isBound: true })).toBe("proved");
  }
});

test("ten tables on two devices", async () => {
  for (const weights of ["cpu-4-workers.neural.json", "cpu-8-workers.neural.json"]) {
    const drawn = { seed: 50, tables: [10, 10], devices: [2, 2], rooms: [100], weights } as const;
    expect(await expectBruteForce(drawn)).toBe("proved");
  }
});

/** The same as brute force for more tables, with each set's cost worked out once. */
function bruteForceOfSets({ problem, head }: ReturnType<typeof drawNeural>): Rational | null {
  const { tables, hbmBytes, setCost } = problem;
  const own = (set: number) => [...tables.keys()].filter((t) => ((set >> t) & 1) === 1);
  const sets = Array.from({ length: 2 ** tables.length }, (_, set) => ({
    cost: exactCost(
      head,
      own(set).map((t) => (setCost as SetCost).partOf(t, 0, 0)),
    ),
    bytes: own(set).reduce((sum, t) => sum + (tables[t]?.options[0]?.shards[0]?.hbmBytes as number), 0),
  }));
  const here = hbmBytes.map(() => 0);
  let best: Rational | null = null;
  const place = (t: number): void => {
    if (t < tables.length) {
      for (const d of here.keys()) {
        here[d] = (here[d] as number) | (1 << t);
        place(t + 1);
        here[d] = (here[d] as number) & ~(1 << t);
      }
      return;
    }
    if (here.some((set, d) => (sets[set]?.bytes as number) > (hbmBytes[d] as number))) return;
    const largest = here.map((set) => sets[set]?.cost as Rational).reduce((a, b) => (a.compare(b) >= 0 ? a : b));
    if (best === null || largest.compare(best) < 0) best = largest;
  };
  place(0);
  return best;
}

test.each([
  ["eight tables on two devices", [8, 8], [2, 2], 60],
  ["nine tables on three devices", [9, 9], [3, 3], 80],
] as const)("%s: sets and prices agree with brute force, memory binding or not", async (_, tables, devices, first) => {
  for (let seed = first; seed < first + 6; seed++) {
    const small = drawNeural({ seed, tables, devices, rooms: [1.02, 1.1, 1.3, 100] });
    const best = bruteForceOfSets(small);
    const { verdict, certificate } = await solveNeuralPlacement(small.model, small.head, OPTIONS);
    expect(verdict?.status).toBe(best === null ? "infeasible" : "proved");
    expect(verdict?.value?.toString()).toBe(best?.toString());
    if (best === null) continue;
    expect(certificate?.claim).toEqual({ kind: "bound", bound: best.toString() });
    const built = neuralProgram(small.problem, small.head, best);
    const bound = new BestBound(built, new KnownPlans(() => null));
    const never = () => false;
    await searchPrices(built, bound, {
      precision: 1e-6,
      work: new Work(),
      isLate: never,
      affords: () => true,
      onBound: never,
    });
    expect(bound.certificate).not.toBeNull();
    expect(bound.value.compare(best)).toBeLessThanOrEqual(0);
  }
});

test("fifteen tables on three devices: a slice of a task is proved", async () => {
  const task = requireInstance(tablePlacementReader, await loadInstance("instances/costs/autoshard-0-learned.yaml"));
  for (const from of someOf([0, 15, 30, 45, 60], 1)) {
    const tables = task.tables.slice(from, from + 15);
    const instance = { ...task, tables, cluster: { ...task.cluster, gpusPerNode: 3 } };
    const model = placementModel(instance);
    const head = neuralHead(instance, model.problem.setCost as SetCost);
    const { verdict } = await solveNeuralPlacement(model, head, { ...OPTIONS, gap: Rational.zero });
    expect(verdict?.status).toBe("proved");
    expect(verdict?.bound?.toString()).toBe(verdict?.value?.toString());
  }
});
