import { expect, test } from "vitest";
import { lognormalPlacement } from "../../../../../../bench/drawn-instances.js";
import { directProgram } from "../../../../../../models/table-placement/direct-program.js";
import { type NumberedProgram, numberedProgram } from "../../../../../../models/table-placement/numbered-program.js";
import type { Placement } from "../../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../../../src/exact/rational.js";
import { aggregatedBound } from "../../../../../../src/problems/table-placement/solve/bounds/aggregated-bound.js";
import { judgeOf } from "../../../../../../src/problems/table-placement/solve/known-plans.js";
import { searchPlacement } from "../../../../../../src/problems/table-placement/solve/local-search/index.js";
import { NumberedTree } from "../../../../../../src/problems/table-placement/solve/numbered/numbered-tree.js";
import { NumberedTurns } from "../../../../../../src/problems/table-placement/solve/numbered/numbered-turns.js";
import { PlacementState } from "../../../../../../src/problems/table-placement/solve/placement-state.js";
import { withRelaxation } from "../../../../../../src/search/exact-milp/lp-relaxation.js";
import { someOf, testInTurn } from "../../../../../support/draws.js";

const never = () => false;

/** What a tree proves below a limit, and what its nodes say in doubles. */
function proved(program: NumberedProgram, limit: number, shouldStop = never) {
  return withRelaxation(program.program, never, (open) => {
    const tree = NumberedTree.begun(program, limit, open) as NumberedTree;
    const root = tree.bound;
    tree.run(shouldStop);
    return { root, bound: tree.bound, nodes: tree.nodes, proof: tree.proof() };
  });
}

test("its bound is above the relaxation's, never above what a placement costs, and the checker accepts it", async () => {
  const seeds = someOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 4);
  let raised = 0;
  for (const seed of seeds) {
    const problem = lognormalPlacement(8, 4, 10, seed);
    const { placement, largest } = searchPlacement(problem, { seed: 0, maxRounds: 6 });
    const program = numberedProgram(problem);
    if (program === null || placement === null) continue;
    let asked = 0;
    const { root, proof } = await proved(program, 1.02 * largest, () => ++asked > 200);
    const claim = proof?.claim as Rational;
    expect(claim.toNumber(), `seed ${seed}`).toBeLessThanOrEqual(largest);
    if (claim.toNumber() > root * 1.001) raised++;
    const search = new PlacementState(
      directProgram(problem),
      { gap: Rational.zero, seed: 0, timeLimitSeconds: 50 },
      judgeOf(problem),
    );
    search.best.offer(proof as NonNullable<typeof proof>, program);
    expect(search.bound.equals(claim), `seed ${seed}`).toBe(true);
  }
  expect(raised).toBeGreaterThan(0);
}, 300_000);

testInTurn(
  "a tree that is stopped proves what its open nodes do",
  async () => {
    const problem = lognormalPlacement(80, 16, 10, 7);
    const program = numberedProgram(problem) as NumberedProgram;
    const asks = (most: number) => {
      let asked = 0;
      return () => ++asked > most;
    };
    const few = await proved(program, 13.6, asks(10));
    const more = await proved(program, 13.6, asks(60));
    expect(few.proof?.claim?.toNumber()).toBeCloseTo(few.bound, 6);
    expect(few.nodes).toBeLessThan(more.nodes);
    expect(few.bound).toBeGreaterThan(few.root);
    expect(more.bound).toBeGreaterThan(few.bound);
    // What relaxations of patterns with shards of a tenth come to: 13.217.
    expect(more.proof?.claim?.toNumber()).toBeGreaterThan(13.25);
  },
  300_000,
);

test("a limit that nothing is below is proved to be one", async () => {
  const problem = lognormalPlacement(80, 16, 10, 7);
  const { proof } = await proved(numberedProgram(problem) as NumberedProgram, 13.2);
  expect(proof?.claim?.toNumber()).toBe(13.2);
}, 300_000);

testInTurn(
  "it is asked once, of many tables, where bounds may be of other programs",
  async () => {
    const problem = lognormalPlacement(80, 16, 10, 7);
    const direct = directProgram(problem);
    const begun = (takesCounted: boolean) => {
      const search = new PlacementState(
        direct,
        { gap: Rational.zero, seed: 0, timeLimitSeconds: 50, takesCounted },
        judgeOf(problem),
      );
      search.add(aggregatedBound(problem, direct));
      const { placement } = searchPlacement(problem, { seed: 0, shouldStop: search.work.slice(1000) });
      search.incumbent.offer(direct.pointOf(placement as Placement));
      return search;
    };
    expect(new NumberedTurns(problem, null).applies(begun(false))).toBe(false);
    expect(new NumberedTurns({ ...problem, tables: problem.tables.slice(0, 48) }, null).applies(begun(true))).toBe(
      false,
    );
    const heeded: boolean[][][] = [];
    const heed = (options: readonly { readonly table: number; readonly option: number }[], values: Float64Array) => {
      const taken = problem.tables.map(() => [] as boolean[]);
      options.forEach(({ table, option }, at) => {
        (taken[table] as boolean[])[option] = (values[at] as number) > 0.02;
      });
      heeded.push(taken);
    };
    const [search, turns] = [begun(true), new NumberedTurns(problem, { heed })];
    const before = search.bound.toNumber();
    expect(turns.applies(search)).toBe(true);
    await turns.turn(search);
    expect(search.bound.toNumber()).toBeGreaterThan(1.005 * before);
    // Local search is told of every table's options, most of them whole.
    expect(heeded.length).toBeGreaterThan(3);
    for (const taken of heeded) {
      const numbers = taken.map((own) => own.filter(Boolean).length);
      expect(Math.min(...numbers)).toBe(1);
      expect(numbers.filter((count) => count === 1).length).toBeGreaterThan(0.8 * problem.tables.length);
    }
    expect(search.provedOnOther?.program).toEqual(numberedProgram(problem)?.program);
    expect(turns.applies(search)).toBe(false);
  },
  300_000,
);
