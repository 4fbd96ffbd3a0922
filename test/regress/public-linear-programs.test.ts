import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { solveProgram } from "../../src/problems/program/solve/solve-program.js";
import { loadProgram } from "../../src/program/load-program.js";
import { isImprovingRay } from "../../src/program/ray.js";

const folder = join(dirname(fileURLToPath(import.meta.url)), "public-programs");
const load = (name: string) => loadProgram(join(folder, `${name}.mps.gz`));

// Once e226, scrs8, stair and etamacro were "unknown" after a minute, israel, standata, standmps and gas11 by their
// size alone; and HiGHS's optimum of etamacro was thrown away for a reduced cost of -1e-9.
test.each([
  ["afiro", -464.753142857],
  ["adlittle", 225494.963162],
  ["avgas", -7.75],
  ["israel", -896644.821863],
  ["e226", -11.6389290663],
  ["scrs8", 904.2969538],
  ["etamacro", -755.7152333749],
  ["stair", -251.266951193],
  ["standata", 1257.6995],
  ["standmps", 1406.0175],
])("%s is proved optimal at its root", async (name, value) => {
  const { outcome, nodes, reason, asked } = await solveProgram(await load(name));
  expect(outcome).toMatchObject({ status: "proved" });
  expect(outcome.value?.equals(outcome.bound ?? outcome.value)).toBe(true);
  expect(Math.abs((outcome.value?.toNumber() ?? Number.NaN) / value - 1)).toBeLessThan(1e-9);
  expect({ nodes, reason, asked }).toEqual({ nodes: 1, reason: null, asked: [] });
});

test.each(["klein1", "bgetam", "vol1"])("%s is proved infeasible at its root", async (name) => {
  const { outcome, nodes } = await solveProgram(await load(name));
  expect({ status: outcome.status, nodes }).toEqual({ status: "infeasible", nodes: 1 });
});

test("gas11 is unbounded: a feasible point and a ray", async () => {
  const program = await load("gas11");
  const { outcome, point, ray } = await solveProgram(program);
  expect(outcome.status).toBe("unbounded");
  expect(point).not.toBeNull();
  expect(ray !== null && isImprovingRay(program, ray)).toBe(true);
});
