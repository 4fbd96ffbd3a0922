import { afterEach, expect, test, vi } from "vitest";
import { placementModel } from "../../../../../../../models/table-placement/from-instance.js";
import { neuralProgram } from "../../../../../../../models/table-placement/learned/build.js";
import { evaluateNeural } from "../../../../../../../models/table-placement/learned/evaluate.js";
import { exactCost, neuralHead } from "../../../../../../../models/table-placement/learned/head.js";
import type { Placement, PlacementProblem } from "../../../../../../../models/table-placement/problem.js";
import type { SetCost } from "../../../../../../../src/cost/neural/set-cost.js";
import { Rational } from "../../../../../../../src/exact/rational.js";
import { requireInstance } from "../../../../../../../src/instance/reader.js";
import { loadInstance } from "../../../../../../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../../../../../../src/problems/table-placement/instance/reader.js";
import { BestBound } from "../../../../../../../src/problems/table-placement/solve/best-bound.js";
import { KnownPlans } from "../../../../../../../src/problems/table-placement/solve/known-plans.js";
import { averageBound } from "../../../../../../../src/problems/table-placement/solve/learned/average-bound.js";
import { DeviceBlock } from "../../../../../../../src/problems/table-placement/solve/learned/price-bound/device-block.js";
import {
  costliestProof,
  priceProof,
} from "../../../../../../../src/problems/table-placement/solve/learned/price-bound/price-proof.js";
import {
  openPriceMaster,
  type PriceMaster,
} from "../../../../../../../src/problems/table-placement/solve/learned/price-bound/prices.js";
import {
  hasPriceBound,
  searchPrices,
} from "../../../../../../../src/problems/table-placement/solve/learned/price-bound/search-prices.js";
import { SignSearch } from "../../../../../../../src/problems/table-placement/solve/learned/price-bound/sign-search.js";
import { programHash } from "../../../../../../../src/program/hash.js";
import type { Program } from "../../../../../../../src/program/program.js";
import type { DecomposeStep, Step } from "../../../../../../../src/proof/certificate.js";
import { checkCertificate } from "../../../../../../../src/proof/check.js";
import { Work } from "../../../../../../../src/search/work.js";
import { GrowingLp } from "../../../../../../../src/solvers/growing-lp.js";
import { SolverError } from "../../../../../../../src/solvers/solver-error.js";
import { drawNeural, everyPlacement } from "../../../../../models/neural-support.js";

afterEach(() => vi.restoreAllMocks());

const never = () => false;
const always = () => true;

function check(program: Program, claim: Rational, steps: readonly Step[]) {
  return checkCertificate(program, {
    format: "shardproof-certificate 1",
    program: programHash(program),
    claim: { kind: "bound", bound: claim.toString() },
    steps,
  });
}

test("no placement is below the price bound, and the checker accepts it", async () => {
  let raised = 0;
  for (let seed = 1; seed <= 14; seed++) {
    const { problem, head } = drawNeural({ seed, tables: [4, 6], devices: [2, 3], rooms: [1.1, 1.4, 100] });
    let least: Rational | null = null;
    for (const placement of everyPlacement(problem)) {
      const { objective, violations } = evaluateNeural(head, problem, placement);
      if (violations.length === 0 && (least === null || objective.compare(least) < 0)) least = objective;
    }
    if (least === null) continue;
    const built = neuralProgram(problem, head, seed % 3 === 0 ? null : least);
    expect(hasPriceBound(built)).toBe(true);
    const best = new BestBound(built, new KnownPlans(() => null));
    best.offer(averageBound(built));
    const before = best.value;
    await searchPrices(built, best, {
      precision: 1e-6,
      isLate: never,
      work: new Work(),
      affords: always,
      onBound: never,
    });
    expect(best.certificate).not.toBeNull();
    expect(best.value.compare(least)).toBeLessThanOrEqual(0);
    if (best.value.compare(before) > 0) raised++;
  }
  expect(raised).toBeGreaterThan(5);
});

test("tables that may be cut: no placement is below the price bound, and it is above Jensen's", async () => {
  let raised = 0;
  for (let seed = 50; seed < 56; seed++) {
    const drawn = drawNeural({ seed, tables: [3, 3], devices: [2, 2], rooms: [100] });
    const instance = { ...drawn.instance, splits: { maxShardsPerTable: 2 } };
    const { problem } = placementModel(instance);
    expect(problem.tables.some(({ options }) => options.length > 1)).toBe(true);
    const head = neuralHead(instance, problem.setCost as SetCost);
    const costs = [...everyCut(problem)].map((placement) => evaluateNeural(head, problem, placement).objective);
    const least = costs.reduce((a, b) => (a.compare(b) <= 0 ? a : b));
    const built = neuralProgram(problem, head, least);
    const best = new BestBound(built, new KnownPlans(() => null));
    best.offer(averageBound(built));
    const before = best.value;
    await searchPrices(built, best, {
      precision: 1e-6,
      isLate: never,
      work: new Work(),
      affords: always,
      onBound: never,
    });
    expect(best.certificate).not.toBeNull();
    expect(best.value.compare(least)).toBeLessThanOrEqual(0);
    if (best.value.compare(before) > 0) raised++;
  }
  expect(raised).toBeGreaterThan(3);
});

/** Every placement of tables in all their options. */
function* everyCut({ tables, gpusPerNode }: PlacementProblem, from = 0): Generator<Placement> {
  const table = tables[from];
  if (table === undefined) {
    yield { choices: [] };
    return;
  }
  for (const { choices } of everyCut({ tables, gpusPerNode } as PlacementProblem, from + 1)) {
    for (const [option, { shards }] of table.options.entries()) {
      for (let code = 0; code < gpusPerNode ** shards.length; code++) {
        const devices = shards.map((_, k) => Math.floor(code / gpusPerNode ** k) % gpusPerNode);
        yield { choices: [{ option, devices }, ...choices] };
      }
    }
  }
}

test("the costliest table's device costs at least what it costs with that table", async () => {
  let reached = 0;
  for (let seed = 20; seed < 30; seed++) {
    const { problem, head, setCost } = drawNeural({ seed, tables: [3, 5], devices: [3, 4], rooms: [100] });
    const costs = [...everyPlacement(problem)].map((placement) => evaluateNeural(head, problem, placement).objective);
    const least = costs.reduce((a, b) => (a.compare(b) <= 0 ? a : b));
    const alone = problem.tables.map((_, t) => exactCost(head, [setCost.partOf(t, 0, 0)]));
    const dearest = alone.reduce((a, b) => (a.compare(b) >= 0 ? a : b));
    const built = neuralProgram(problem, head, least);
    const block = new DeviceBlock(built);
    const proof = costliestProof(block, await SignSearch.open(block, never), new Work());
    if (proof === null || proof.claim === null) throw new Error("a proof was expected");
    expect(check(built.program, proof.claim, proof.steps).bound).toEqual(proof.claim);
    expect(proof.claim.compare(least)).toBeLessThanOrEqual(0);
    if (dearest.equals(least) && proof.claim.toNumber() > least.toNumber() * (1 - 1e-6)) reached++;
  }
  expect(reached).toBeGreaterThan(0);
});

test("devices that differ have no such bound", () => {
  const { problem, head } = drawNeural({ seed: 40, tables: [4, 4], devices: [2, 2], rooms: [100], isBound: true });
  expect(hasPriceBound(neuralProgram(problem, head))).toBe(false);
});

test("eighty tables on eight devices: forty steps bring the bound from 8 % below the best plan to 2.5 %", async () => {
  const instance = requireInstance(
    tablePlacementReader,
    await loadInstance("instances/costs/autoshard-0-learned.yaml"),
  );
  const { problem } = placementModel(instance);
  const head = neuralHead(instance, problem.setCost as SetCost);
  // What annealing finds; the golden test has it too.
  const ceiling = Rational.fromNumber(560.3312);
  const built = neuralProgram(problem, head, ceiling);
  const block = new DeviceBlock(built);
  const signs = await SignSearch.open(block, never);
  const master = (await openPriceMaster(block, signs)) as PriceMaster;
  expect(master.best().bound / ceiling.toNumber()).toBeLessThan(0.93);
  for (let step = 0; step < 40; step++) expect(master.step(1e-4, never)).toBe(true);
  const proof = priceProof(block, signs, master.best().prices, new Work());
  if (proof === null || proof.claim === null) throw new Error("a proof was expected");
  const { claim, steps } = proof;
  expect(check(built.program, claim, steps).bound).toEqual(claim);
  // The search gives rows a little slack, the proof none.
  expect(claim.toNumber()).toBeGreaterThan(master.best().bound - 1e-5);
  expect(claim.toNumber()).toBeLessThan(master.best().bound + 1e-3);
  expect(claim.toNumber() / ceiling.toNumber()).toBeGreaterThan(0.975);

  // A claim of a little more, of blocks or of the whole, is refused.
  const [step] = steps as [DecomposeStep];
  const more = Rational.parse(step.blocks[0]?.least as string).add(Rational.of(1n, 1_000_000n));
  const lifted = { ...step, blocks: step.blocks.map((own) => ({ ...own, least: more.toString() })) };
  const lift = Rational.of(8n, 1_000_000n);
  expect(() => check(built.program, claim.add(lift), [step])).toThrow(/below the claim/);
  expect(() => check(built.program, claim.add(lift), [lifted])).toThrow(/block 0/);
  const oneLifted = { ...step, blocks: step.blocks.with(3, { ...lifted.blocks[3], least: more.toString() } as never) };
  expect(() => check(built.program, claim, [oneLifted])).toThrow(/block 3/);
});

test("a search that is stopped gives no proof, and the bound stays", async () => {
  const { problem, head } = drawNeural({ seed: 2, tables: [6, 6], devices: [2, 2], rooms: [100] });
  const built = neuralProgram(problem, head);
  const block = new DeviceBlock(built);
  expect(priceProof(block, await SignSearch.open(block, () => true), new Float64Array(6), new Work())).toBeNull();
  const best = new BestBound(built, new KnownPlans(() => null));
  await searchPrices(built, best, {
    precision: 1e-6,
    isLate: never,
    work: new Work(always),
    affords: always,
    onBound: never,
  });
  expect(best.certificate).toBeNull();
});

test.each([
  ["at its first solve, nothing is proved by prices", "solve", 0],
  ["later, what was proved by then stays", "solve", 1],
  ["as a point is added, what was proved by then stays", "addColumn", 1],
] as const)("where HiGHS dies %s", async (_, method, bounds) => {
  const { problem, head } = drawNeural({ seed: 2, tables: [6, 6], devices: [2, 2], rooms: [100] });
  const built = neuralProgram(problem, head);
  const best = new BestBound(built, new KnownPlans(() => null));
  const dies = () =>
    vi.spyOn(GrowingLp.prototype, method).mockImplementation(() => {
      throw new SolverError("crash", "HiGHS crashed");
    });
  if (bounds === 0) dies();
  const onBound = vi.fn(() => {
    dies();
    return false;
  });
  await searchPrices(built, best, { precision: 1e-6, isLate: never, work: new Work(), affords: always, onBound });
  expect(onBound).toHaveBeenCalledTimes(bounds);
  expect(best.certificate === null).toBe(bounds === 0);
});
