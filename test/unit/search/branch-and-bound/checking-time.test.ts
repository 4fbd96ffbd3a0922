import { expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { programHash } from "../../../../src/program/hash.js";
import { checkCertificate } from "../../../../src/proof/check.js";
import { CheckingTime } from "../../../../src/search/branch-and-bound/checking-time.js";
import { Incumbent } from "../../../../src/search/branch-and-bound/incumbent.js";
import { branchAndBound } from "../../../../src/search/branch-and-bound/search.js";
import { SearchSpace } from "../../../../src/search/branch-and-bound/space.js";
import { withRelaxation } from "../../../../src/search/exact-milp/lp-relaxation.js";
import { knapsacks } from "../../../support/knapsacks.js";

test("what led to steps counts, and a bound for each leaf", () => {
  let now = 0;
  const time = new CheckingTime(() => now);
  const take = (milliseconds: number) => () => {
    now += milliseconds;
  };
  expect(time.withOpen(3)).toBe(0);
  time.ofNarrowing(take(7), () => true);
  time.ofNarrowing(take(100), () => false);
  expect(time.withOpen(0)).toBe(7);
  time.ofBound(take(2));
  time.ofBound(take(4));
  expect(time.withOpen(0)).toBe(7);
  expect(time.withOpen(2)).toBe(13);
  time.count({ infeasible: {} });
  expect(time.withOpen(2)).toBe(16);
  // A long text takes time too: it is read, hashed and written.
  time.count({ bound: { row: "1".repeat(1_000_000) } });
  expect(time.withOpen(0)).toBeGreaterThan(50);
});

test("a search foretells how long checking it takes, and asks with that whether to go on", async () => {
  const program = knapsacks(5, 40);
  const asked: number[] = [];
  const options = { gap: Rational.zero, maxNodes: 150, shouldStop: (checking: number) => asked.push(checking) < 0 };
  const result = await withRelaxation(
    program,
    () => false,
    (open) => branchAndBound(SearchSpace.of(program), new Incumbent(program), open, { ...options, propagate: true }),
  );
  if (result.bound === null) throw new Error("a bound was expected");
  const started = performance.now();
  checkCertificate(program, {
    format: "shardproof-certificate 1",
    program: programHash(program),
    claim: { kind: "bound", bound: result.bound.negate().toString() },
    steps: result.steps,
  });
  const checked = performance.now() - started;
  expect(asked.length).toBeGreaterThanOrEqual(150);
  expect(asked.at(-1)).toBeGreaterThan(0);
  // Wide enough for a machine that does other things too.
  expect(checked / result.checking).toBeGreaterThan(0.1);
  expect(checked / result.checking).toBeLessThan(4);
});
