import { expect, test } from "vitest";
import { directProgram } from "../../models/table-placement/direct-program.js";
import type { PlacementModel } from "../../models/table-placement/from-instance.js";
import type { Placement, PlacementProblem } from "../../models/table-placement/problem.js";
import { CHANGES, changedProblem } from "../../models/table-placement/what-if.js";
import { memoryFor, withMemory } from "../../models/table-placement/with-memory.js";
import { seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import type { TablePlacementInstance } from "../../src/instance/types/table-placement.js";
import { boundsWithoutChoices } from "../../src/problems/table-placement/explain/without-choices.js";
import { solveBudgets } from "../../src/problems/table-placement/frontier/solved-budgets.js";
import { placeByGoals } from "../../src/problems/table-placement/solve/goals/place-by-goals.js";
import { whatIfPrices } from "../../src/problems/table-placement/solve/goals/prices.js";
import { PLACEMENT_STRATEGIES } from "../../src/problems/table-placement/solve/solve.js";
import { programHash } from "../../src/program/hash.js";
import { entriesOf } from "../../src/program/program.js";
import type { Certificate } from "../../src/proof/certificate.js";
import { checkCertificate } from "../../src/proof/check.js";
import { Work } from "../../src/search/work.js";
import { bruteForcePlacement, combinations } from "../support/brute-force-placement.js";
import { type Draws, drawsOf } from "../support/draws.js";
import { randomPlacementProblem } from "../support/random-placement.js";

const MAX_COMBINATIONS = 5000;
const GAP = Rational.parse("1e-9");

/** Problems with a plan, small enough to try every placement. */
function smallProblems({ seed, amount }: Draws): { problem: PlacementProblem; best: Placement; value: Rational }[] {
  const random = seededRandom(seed);
  const found: { problem: PlacementProblem; best: Placement; value: Rational }[] = [];
  while (found.length < amount) {
    const problem = randomPlacementProblem(random);
    if (combinations(problem) > MAX_COMBINATIONS) continue;
    const best = bruteForcePlacement(problem);
    if (best !== null) found.push({ problem, best: best.placement, value: best.largest });
  }
  return found;
}

/** As an instance would say it, without the option that a table has. */
function without(problem: PlacementProblem, { choices }: Placement, table: number): PlacementProblem {
  const tables = problem.tables.map((one, t) =>
    t === table ? { ...one, options: one.options.filter((_, o) => o !== choices[t]?.option) } : one,
  );
  return { ...problem, tables };
}

// Little work leaves the bounds that need no search alone; much has every search end.
test.each([
  { units: 60, draws: drawsOf(40, 31) },
  { units: 20_000, draws: drawsOf(20, 31) },
])(
  "bounds without a choice are below the optimum without it, and plans above ($units units)",
  async (asked) => {
    const seen = { closed: 0, none: 0, above: 0, open: 0 };
    for (const { problem, best, value } of smallProblems(asked.draws)) {
      const { known } = await boundsWithoutChoices(problem, best, {
        ...{ gap: GAP, seed: 0, work: new Work(), units: asked.units, secondsLeft: () => 60 },
        ...{ entries: entriesOf(directProgram(problem).program), value, bound: value, onTable: () => {} },
      });
      expect(known.map(({ table }) => table)).toEqual(
        problem.tables.flatMap(({ options }, t) => (options.length > 1 ? [t] : [])),
      );
      for (const { table, known: one } of known) {
        const other = bruteForcePlacement(without(problem, best, table));
        if (one.isInfeasible) {
          expect(other).toBeNull();
          seen.none++;
          continue;
        }
        if (other === null) {
          expect(one.value).toBeNull();
          continue;
        }
        const bound = one.bound as Rational;
        expect(bound.compare(other.largest)).toBeLessThanOrEqual(0);
        if (one.value !== null) expect(one.value.compare(other.largest)).toBeGreaterThanOrEqual(0);
        if (bound.compare(value) > 0) seen.above++;
        const isClosed = one.value !== null && one.value.subtract(bound).compare(one.value.multiply(GAP)) <= 0;
        seen[isClosed ? "closed" : "open"]++;
      }
    }
    // Or the test shows little.
    const { atLeast } = asked.draws;
    expect(seen.above).toBeGreaterThanOrEqual(atLeast(6));
    expect(seen.closed).toBeGreaterThanOrEqual(atLeast(11));
    if (asked.units > 1000) {
      expect(seen.none).toBeGreaterThanOrEqual(atLeast(3));
      expect(seen.open).toBe(0);
    }
  },
  240_000,
);

test("what a changed cluster costs at least, beside a plan that is not proved, is below its optimum", async () => {
  const draws = drawsOf(60, 34);
  const seen = { tight: 0, bounds: 0 };
  const options = { gap: GAP, seed: 0, timeLimitSeconds: 30, mostUnits: 300 };
  const few = new Set(PLACEMENT_STRATEGIES.filter((name) => name !== "pooled bound" && name !== "local search"));
  for (const { problem } of smallProblems(draws)) {
    const solution = await placeByGoals(problem, { ...options, timeLimitSeconds: 0.2, without: few });
    if (solution.verdict?.status !== "feasible") continue;
    const instance = { torchrec: null } as TablePlacementInstance;
    const model = { problem } as PlacementModel;
    const prices = await whatIfPrices({ instance, model }, solution, options);
    for (const change of CHANGES) {
      const { value, bound, proof } = prices?.[change] ?? {};
      const then = changedProblem(change, instance, model).problem;
      if (then === null || combinations(then) > MAX_COMBINATIONS) continue;
      expect([value, bound === undefined]).toEqual([null, false]);
      const best = bruteForcePlacement(then);
      const own = proof?.certificate ?? solution.certificate;
      const { program } = directProgram(then);
      const checked = checkCertificate(program, { ...(own as Certificate), program: programHash(program) });
      expect(checked.bound?.toNumberDown()).toBe(bound);
      if (best === null) continue;
      expect(bound as number).toBeLessThanOrEqual(best.largest.toNumber());
      seen.bounds++;
      if ((bound as number) > 0.9 * best.largest.toNumber()) seen.tight++;
    }
  }
  expect(seen.bounds).toBeGreaterThanOrEqual(draws.atLeast(21));
  expect(seen.tight).toBeGreaterThanOrEqual(draws.atLeast(6));
});

test("at every budget the optimum is between bound and plan, and neither rises with memory", async () => {
  const draws = drawsOf(30, 32);
  const seen = { proved: 0, infeasible: 0, falls: 0 };
  for (const { problem } of smallProblems(draws)) {
    const model: PlacementModel = {
      problem,
      tables: problem.tables.map(({ name }) => ({ name, features: null as never })),
      phases: null,
    };
    const { budgets, leastBytes, missing } = await solveBudgets(model, {
      ...{ points: 5, gap: GAP, seed: 0, timeLimitSeconds: 60, workSeconds: 5 },
      ...{ shouldStop: () => false, onProgress: () => {} },
    });
    expect(missing).toBe(0);
    budgets.forEach(({ bytes, plan, proved, gap }, k) => {
      const at = withMemory(problem, bytes);
      const best = bruteForcePlacement(at);
      if (proved?.isInfeasible) {
        expect(best).toBeNull();
        seen.infeasible++;
        return;
      }
      expect(plan === null || best !== null).toBe(true);
      if (best === null || plan === null) return;
      expect(bytes).toBeGreaterThanOrEqual(leastBytes);
      expect(plan.usedBytes).toBeLessThanOrEqual(bytes);
      expect(plan.value.compare(best.largest)).toBeGreaterThanOrEqual(0);
      if (proved?.bound) expect(proved.bound.compare(best.largest)).toBeLessThanOrEqual(0);
      if (gap !== null && gap.compare(GAP) <= 0) seen.proved++;
      const next = budgets[k + 1];
      if (next === undefined) return;
      const further = next.plan as NonNullable<typeof next.plan>;
      expect(further.value.compare(plan.value)).toBeLessThanOrEqual(0);
      if (proved?.bound && next.proved?.bound) {
        expect(next.proved.bound.compare(proved.bound)).toBeLessThanOrEqual(0);
        if (next.proved.bound.compare(proved.bound) < 0) seen.falls++;
      }
    });
  }
  expect(seen.proved).toBeGreaterThanOrEqual(draws.atLeast(62));
  expect(seen.infeasible).toBeGreaterThanOrEqual(draws.atLeast(6));
  expect(seen.falls).toBeGreaterThanOrEqual(draws.atLeast(12));
});

test("so much memory is the least that holds what a plan needs", () => {
  const random = seededRandom(33);
  for (let k = 0; k < 200; k++) {
    const problem = randomPlacementProblem(random);
    const used = problem.hbmBytes.map(() => random.integer(200));
    const bytes = memoryFor(problem, used);
    if (bytes === null) continue;
    const fits = (limits: readonly number[]) => used.every((own, d) => own <= (limits[d] as number));
    expect(fits(withMemory(problem, bytes).hbmBytes)).toBe(true);
    if (bytes > 0) expect(fits(withMemory(problem, bytes - 1).hbmBytes)).toBe(false);
  }
});
