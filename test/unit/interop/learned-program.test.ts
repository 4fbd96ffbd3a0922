import { expect, test } from "vitest";
import { neuralProgram } from "../../../models/table-placement/learned/build.js";
import { evaluateNeural } from "../../../models/table-placement/learned/evaluate.js";
import { planProgramText } from "../../../src/problems/planning/export.js";
import { evaluate } from "../../../src/program/evaluate.js";
import { programHash } from "../../../src/program/hash.js";
import { readProgram } from "../../../src/program/read-program.js";
import { drawNeural, everyPlacement } from "../models/neural-support.js";

test.each(["mps", "lp"] as const)("the program of a learned cost is written as %s, digit by digit", async (format) => {
  const { instance, problem, head } = drawNeural({ seed: 5, tables: [4, 4], devices: [2, 2], rooms: [1.3] });
  const written = readProgram(await planProgramText(instance, format), `program.${format}`);
  const { program, pointOf } = neuralProgram(problem, head);
  // An LP file may list columns in another order; a name stands for the same column.
  const at = written.columns.map(({ name }) => program.columns.findIndex((column) => column.name === name));
  expect([...at].sort((a, b) => a - b)).toEqual([...program.columns.keys()]);
  expect(written.rows.length).toBe(program.rows.length);
  if (format === "mps") expect(programHash(written)).toBe(programHash(program));
  for (const placement of everyPlacement(problem)) {
    const point = pointOf(placement);
    const { objective, violations } = evaluate(
      written,
      at.map((j) => point[j] as (typeof point)[number]),
    );
    const wanted = evaluateNeural(head, problem, placement);
    expect(violations.length > 0).toBe(wanted.violations.length > 0);
    expect(objective.toString()).toBe(wanted.objective.toString());
  }
});
