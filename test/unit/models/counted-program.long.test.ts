import { expect, test } from "vitest";
import type { Counts } from "../../../models/table-placement/counted-placement.js";
import { type CountedProgram, countedProgram } from "../../../models/table-placement/counted-program.js";
import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import type { PlacementProblem } from "../../../models/table-placement/problem.js";
import { provedProgram } from "../../../models/table-placement/proved-program.js";
import type { Rational } from "../../../src/exact/rational.js";
import { evaluate } from "../../../src/program/evaluate.js";
import { programHash } from "../../../src/program/hash.js";
import { drawFrom } from "../../fuzz/oracle/draw.js";
import { likePlacements, likeTables } from "../../support/like-tables.js";

const SEEDS = 200;

/** What a point counts. */
function countsOf({ structure }: CountedProgram, point: readonly Rational[]): Counts {
  const at = (column: number) => point[column]?.toNumber() as number;
  return {
    chosen: structure.chosen.map((own) => own.map(at)),
    filling: structure.filling.map(({ columns }) => columns.map(at)),
    free: structure.free.map(({ columns }) => columns.map(at)),
  };
}

test.each([false, true])(
  "every placement has a feasible point of its own largest cost; with memory: %s",
  (hasMemory) => {
    let [seen, infeasible] = [0, 0];
    for (let seed = 0; seed < SEEDS; seed++) {
      const problem = likeTables(drawFrom(seed));
      const counted = countedProgram(problem, hasMemory);
      if (counted === null) continue;
      for (const placement of likePlacements(problem, drawFrom(seed + 1000), 12)) {
        const { violations, largest } = evaluatePlacement(problem, placement);
        if (violations.length > 0) {
          infeasible++;
          continue;
        }
        const point = counted.pointOf(placement);
        const own = evaluate(counted.program, point);
        expect(own.violations, `seed ${seed}`).toEqual([]);
        expect(own.objective.equals(largest), `seed ${seed}`).toBe(true);
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(300);
    expect(infeasible).toBeGreaterThan(50);
  },
);

test("a placement with the counts of a point costs no more, where all shards of an option cost the same", () => {
  let seen = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const problem = likeTables(drawFrom(seed));
    const counted = countedProgram(problem, true);
    // Of others the least is counted.
    const isEven = problem.tables.every(({ options }) =>
      options.every(({ shards }) => shards.every(({ cost }) => cost === shards[0]?.cost)),
    );
    if (counted === null || !isEven) continue;
    for (const placement of likePlacements(problem, drawFrom(seed + 1000), 12)) {
      const { violations, largest } = evaluatePlacement(problem, placement);
      if (violations.length > 0) continue;
      const back = evaluatePlacement(problem, counted.placementOf(countsOf(counted, counted.pointOf(placement))));
      // Groups that belong on different nodes, and options inside one node, are not counted as such.
      if (back.violations.length > 0) continue;
      expect(back.largest.compare(largest), `seed ${seed}`).not.toBe(1);
      seen++;
    }
  }
  expect(seen).toBeGreaterThan(200);
});

test("a verifier finds the program that a certificate names", () => {
  const problem = firstCounted();
  for (const hasMemory of [false, true]) {
    const counted = countedProgram(problem, hasMemory) as CountedProgram;
    const hash = programHash(counted.program);
    const certificate = { program: hash };
    for (const written of [{ certificate }, { certificate, provedOn: counted.name }]) {
      expect(programHash(provedProgram(problem, written).program)).toBe(hash);
    }
  }
});

test("phases, tables that are all different, copies of hot rows and unlike memory have none", () => {
  const problem = firstCounted();
  expect(countedProgram({ ...problem, goal: "phases" }, false)).toBeNull();
  const [first] = problem.tables;
  expect(countedProgram({ ...problem, tables: [first as PlacementProblem["tables"][number]] }, false)).toBeNull();
  const hot = problem.tables.map((table) => ({
    ...table,
    options: table.options.map((option) => ({ ...option, hot: { rows: 1, copies: problem.hbmBytes.length } })),
  })) as unknown as PlacementProblem["tables"];
  expect(countedProgram({ ...problem, tables: hot }, false)).toBeNull();
  const unlike = problem.hbmBytes.map((bytes, d) => bytes + d);
  expect(countedProgram({ ...problem, hbmBytes: unlike }, true)).toBeNull();
  expect(countedProgram({ ...problem, hbmBytes: unlike }, false)).not.toBeNull();
});

function firstCounted(): PlacementProblem {
  for (let seed = 0; ; seed++) {
    const problem = likeTables(drawFrom(seed));
    if (problem.hbmBytes.length > 1 && countedProgram(problem, true) !== null) return problem;
  }
}

test("shards that need nothing stay on devices that there are, however many they are", () => {
  const problem = firstCounted();
  const need = { cost: 0, hbmBytes: 0, hostBytes: 0 };
  const shards = Array.from({ length: problem.hbmBytes.length + 3 }, () => need);
  const free = [{ shardingType: "column_wise", kernel: "fused", partitionBy: "device" as const, shards }];
  const idle = { ...problem, tables: problem.tables.map((table) => ({ ...table, options: free })) };
  const counted = countedProgram(idle, false) as CountedProgram;
  const chosen = counted.structure.classes.map(({ tables }) => [tables.length]);
  const placement = counted.placementOf({ chosen, filling: [], free: [] });
  expect(evaluatePlacement(idle, placement).violations).toEqual([]);
});
