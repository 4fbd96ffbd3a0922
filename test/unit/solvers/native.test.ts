import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scaledMps } from "../../../src/solvers/native.js";
import { scaleProgram } from "../../../src/solvers/scaling.js";
import { openSolver } from "../../../src/solvers/solver.js";
import { written } from "../../conformance/written-program.js";

const program = written({ minimize: "x", rows: ["x + y >= 2"], columns: { x: ["0", null], y: ["0", "1"] } });

/** A folder that is the whole PATH, with executables of ours in it. */
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "shardproof-test-"));
  vi.stubEnv("PATH", folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** Installs a shell script; it ends at once when it is only asked whether it is there. */
async function install(name: string, script: string): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\ncase "$1" in -quit|--version) exit 0;; esac\n${script}\n`);
  await chmod(path, 0o755);
}

describe("native solvers", () => {
  it("says what to install when the executable is missing", async () => {
    await expect(openSolver("native:cbc")).rejects.toMatchObject({
      name: "SolverError",
      kind: "missing",
      message: expect.stringMatching(/no executable "cbc" on the PATH.*coinor-cbc/),
    });
  });

  it("names the choices for an unknown one", async () => {
    await expect(openSolver("native:gurobi")).rejects.toMatchObject({
      kind: "unsupported",
      message: expect.stringMatching(/native:cbc, native:glpsol/),
    });
    await expect(openSolver("cplex")).rejects.toMatchObject({ kind: "unsupported" });
  });

  it("reads a solution of glpsol", async () => {
    await install("glpsol", "printf 's bas 1 2 f f 1\\ni 1 l 2 1\\nj 1 b 1 0\\nj 2 u 1 -1\\ne o f\\n' > solution.txt");
    const claim = await (await openSolver("native:glpsol")).solve(program);
    expect(claim).toMatchObject({ status: "optimal", primalBound: 1, dualBound: 1 });
    expect(claim.point).toEqual(Float64Array.of(1, 1));
    expect(claim.rowDuals).toEqual(Float64Array.of(1));
    expect(claim.reducedCosts).toEqual(Float64Array.of(0, -1));
  });

  it("turns an executable that dies into a SolverError with its words", async () => {
    await install("cbc", "echo 'model read with 3 errors'; exit 3");
    const solver = await openSolver("native:cbc");
    await expect(solver.solve(program)).rejects.toMatchObject({
      kind: "crash",
      message: expect.stringMatching(/exit status 3; it said: model read with 3 errors/),
    });
  });

  it("turns a truncated solution into a SolverError", async () => {
    await install("glpsol", "printf 's bas 1 1 f f 1\\n' > solution.txt");
    await expect((await openSolver("native:glpsol")).solve(program)).rejects.toMatchObject({ kind: "crash" });
    await install("cbc", "echo 'Optimal - objective value 1' > solution.txt; echo short > solution.bin");
    await expect((await openSolver("native:cbc")).solve(program)).rejects.toMatchObject({ kind: "crash" });
  });

  it("refuses a solution that contradicts the program", async () => {
    await install("glpsol", "printf 's bas 1 2 f f 0\\ni 1 l 2 1\\nj 1 b 0 0\\nj 2 u 1 -1\\n' > solution.txt");
    await expect((await openSolver("native:glpsol")).solve(program)).rejects.toThrow(/row "row0" comes to 1/);
  });

  it("kills one that overruns its time limit, and one that is aborted", async () => {
    await install("cbc", "exec /bin/sleep 20");
    const solver = await openSolver("native:cbc");
    const late = await solver.solve(program, { timeLimitSeconds: 0 });
    expect(late).toMatchObject({ status: "unknown", limitReached: "time" });
    expect(late.seconds).toBeLessThan(5);
    const aborted = await solver.solve(program, { signal: AbortSignal.timeout(100) });
    expect(aborted).toMatchObject({ status: "unknown", limitReached: "interrupt" });
    expect(aborted.seconds).toBeLessThan(3);
  });
});

describe("scaledMps", () => {
  it("writes what readers agree on, and leaves rows without bounds out", () => {
    const mixed = written({
      minimize: "x - 2z",
      rows: ["x + y free", "1 <= x - y <= 3", "x + y = 2", "z >= -1", "y <= 0"],
      columns: { x: [null, "5"], y: ["1/4", "1/4"], z: [null, null] },
      integers: ["x"],
    });
    const { text, keptRows } = scaledMps(scaleProgram(mixed).model);
    expect(keptRows).toEqual([1, 2, 3, 4]);
    expect(text.split("\n")).toEqual([
      "NAME MODEL FREE",
      "ROWS",
      ...[" N  obj", " L  r1", " E  r2", " G  r3", " L  r4"],
      "COLUMNS",
      "    MARKER0  'MARKER'  'INTORG'",
      ...["    c0  obj  1", "    c0  r1  1", "    c0  r2  1"],
      "    MARKER1  'MARKER'  'INTEND'",
      ...["    c1  r1  -1", "    c1  r2  1", "    c1  r4  1", "    c2  obj  -2", "    c2  r3  1"],
      "RHS",
      ...["    RHS  r1  3", "    RHS  r2  2", "    RHS  r3  -1"],
      "RANGES",
      "    RNG  r1  2",
      "BOUNDS",
      ...[" MI BND  c0", " UP BND  c0  5", " FX BND  c1  0.25", " FR BND  c2"],
      ...["ENDATA", ""],
    ]);
  });
});
