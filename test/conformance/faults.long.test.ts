import { afterEach, describe, expect, it } from "vitest";
import type { Solver } from "../../src/solvers/claim.js";
import { openGlpk, openHighs } from "../../src/solvers/worker-solvers.js";
import { written } from "./written-program.js";

const program = written({ maximize: "x", rows: ["2x <= 7"], columns: { x: ["0", "9"] }, integers: ["x"] });

let solver: Solver | undefined;
afterEach(async () => {
  await solver?.close();
});

describe.each([
  ["highs", openHighs],
  ["glpk", openGlpk],
] as const)("a fault inside %s", (_, open) => {
  it("an aborted module becomes a SolverError, and the next solve works", async () => {
    solver = await open({ faults: ["abort"] });
    await expect(solver.solve(program)).rejects.toMatchObject({ name: "SolverError", kind: "crash" });
    expect((await solver.solve(program)).primalBound).toBe(3);
  });

  it("a thread that ends becomes a SolverError, and the next solve works", async () => {
    solver = await open({ faults: ["exit"] });
    await expect(solver.solve(program)).rejects.toMatchObject({ name: "SolverError", kind: "crash" });
    expect((await solver.solve(program)).primalBound).toBe(3);
  });

  it("solves that wait behind a crash are answered", async () => {
    solver = await open({ faults: ["abort"] });
    const results = await Promise.allSettled([solver.solve(program), solver.solve(program)]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  it("one that computes for ever is ended after the grace period, at its time limit", async () => {
    solver = await open({ faults: ["hang"], graceSeconds: 0.2 });
    const claim = await solver.solve(program, { timeLimitSeconds: 0.2 });
    expect(claim).toMatchObject({ status: "unknown", limitReached: "time" });
    expect(claim.seconds).toBeGreaterThan(0.35);
    expect(claim.seconds).toBeLessThan(3);
    expect((await solver.solve(program)).primalBound).toBe(3);
  });

  it("and when aborted", async () => {
    solver = await open({ faults: ["hang"], graceSeconds: 0.1 });
    const claim = await solver.solve(program, { signal: AbortSignal.timeout(100) });
    expect(claim).toMatchObject({ status: "unknown", limitReached: "interrupt" });
    expect(claim.seconds).toBeLessThan(3);
  });

  it("closing fails a solve under way", async () => {
    solver = await open({ faults: ["hang"] });
    const solve = solver.solve(program);
    const failed = expect(solve).rejects.toMatchObject({ name: "SolverError" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await solver.close();
    await failed;
  });
});
