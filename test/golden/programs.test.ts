import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { solveProgramFile } from "../../src/problems/program/solve/solve-file.js";

const FOLDER = "instances/programs";
const models = readdirSync(FOLDER).filter((name) => /\.(mps|lp)$/.test(name));

test("every model has its expected result beside it", () => {
  expect(models.length).toBeGreaterThan(2);
});

// What is expected was computed by other means: dynamic programming over capacities and loads, and all vertices.
test.each(models)("%s has the expected optimum, exactly and within ten seconds", async (name) => {
  const expected = JSON.parse(readFileSync(`${FOLDER}/${name.replace(/\.\w+$/, "")}.expected.json`, "utf8"));
  const { solution } = await solveProgramFile(`${FOLDER}/${name}`, { timeLimitSeconds: 10 });
  expect({ status: solution.status, objective: solution.exact.value }).toEqual(expected);
  expect(solution.exact.bound).toBe(expected.objective);
  expect(solution.contradictions).toEqual([]);
});
