import { expect, test } from "vitest";
import { besideSolution, solveBeside } from "../../../../src/problems/program/solve/solve-beside.js";
import { solveProgramFile } from "../../../../src/problems/program/solve/solve-file.js";
import type { Claim } from "../../../../src/solvers/claim.js";

const KNAPSACK = "instances/programs/knapsack-30.mps";

test("a claim beside that contradicts the proof is told, and changes nothing that was proved", async () => {
  const { program, solution } = await solveProgramFile(KNAPSACK);
  const beside = (claim: Omit<Claim, "solver" | "seconds">) =>
    besideSolution(solution, program, {
      answer: { solver: "other", claim: { solver: "other", seconds: 1, ...claim } },
      seconds: 1.23456,
    });
  const better = beside({ status: "optimal", primalBound: 8904, dualBound: 8904 });
  expect(better.contradictions).toEqual(["other claims the optimum 8904; no point is better than 8903, as was proved"]);
  expect(beside({ status: "infeasible" }).contradictions.length).toBeGreaterThan(0);
  const fine = beside({ status: "feasible", primalBound: 8900, dualBound: 9000 });
  expect(fine).toMatchObject({
    contradictions: [],
    beside: { solver: "other", status: "feasible", value: 8900, bound: 9000, gap: 100 / 8900, failure: null },
    timing: { ...solution.timing, besideSeconds: 1.235 },
  });
  expect([fine.status, fine.objective, fine.exact]).toEqual([solution.status, solution.objective, solution.exact]);
  expect(fine.digest).not.toBe(solution.digest);
});

test("a solver that is asked to stop ends with what it has", async () => {
  const { program } = await solveProgramFile(KNAPSACK);
  const { answer } = await solveBeside("highs", program, {
    ...{ timeLimitSeconds: 60, gap: 0, seed: 0 },
    signal: AbortSignal.abort(),
  });
  expect(answer).toMatchObject({ solver: "highs", claim: { status: "unknown", limitReached: "interrupt" } });
});
