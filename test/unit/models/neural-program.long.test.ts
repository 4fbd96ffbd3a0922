import { expect, test } from "vitest";
import { neuralProgram } from "../../../models/table-placement/learned/build.js";
import { evaluateNeural } from "../../../models/table-placement/learned/evaluate.js";
import type { Placement } from "../../../models/table-placement/problem.js";
import type { Rational } from "../../../src/exact/rational.js";
import { evaluate } from "../../../src/program/evaluate.js";
import { drawNeural, everyPlacement } from "./neural-support.js";

function devicesOf({ choices }: Placement): string {
  // Devices by the tables that they have, whatever their numbers.
  const sets = new Map<number, number[]>();
  for (const [t, { devices }] of choices.entries()) {
    const d = devices[0] as number;
    sets.set(d, [...(sets.get(d) ?? []), t]);
  }
  return [...sets.values()]
    .map((set) => set.join(" "))
    .sort()
    .join(" | ");
}

test("every placement has a point of its cost, and comes back from it", () => {
  for (let seed = 1; seed <= 6; seed++) {
    const { problem, head } = drawNeural({ seed, tables: [3, 4], devices: [2, 4], rooms: [1.1, 100] });
    const { program, pointOf, recover } = neuralProgram(problem, head);
    for (const placement of everyPlacement(problem)) {
      const { objective, violations } = evaluateNeural(head, problem, placement);
      const at = evaluate(program, pointOf(placement));
      expect(at.violations.length > 0).toBe(violations.length > 0);
      expect(at.violations.every(({ name }) => name.startsWith("hbm_"))).toBe(true);
      expect(at.objective.toString()).toBe(objective.toString());
      expect(devicesOf(recover(pointOf(placement)))).toBe(devicesOf(placement));
    }
  }
});

test("below a ceiling the program has the placements that keep it, and no others", () => {
  for (let seed = 11; seed <= 13; seed++) {
    const { problem, head } = drawNeural({ seed, tables: [5, 6], devices: [2, 3], rooms: [100] });
    const costs = [...everyPlacement(problem)].map((placement) => evaluateNeural(head, problem, placement).objective);
    const sorted = costs.toSorted((a, b) => a.compare(b));
    for (const ceiling of [sorted[0], sorted[costs.length >> 3]] as Rational[]) {
      const { program, pointOf } = neuralProgram(problem, head, ceiling);
      let index = 0;
      for (const placement of everyPlacement(problem)) {
        const cost = costs[index++] as Rational;
        const { objective, violations } = evaluate(program, pointOf(placement));
        if (cost.compare(ceiling) > 0) {
          expect(violations.length).toBeGreaterThan(0);
          continue;
        }
        expect(violations).toEqual([]);
        expect(objective.toString()).toBe(cost.toString());
      }
    }
  }
});

test("a ceiling leaves fewer ReLUs open", () => {
  const { problem, head } = drawNeural({ seed: 21, tables: [8, 8], devices: [2, 2], rooms: [100] });
  const even: Placement = { choices: problem.tables.map((_, t) => ({ option: 0, devices: [t % 2] })) };
  const { objective } = evaluateNeural(head, problem, even);
  const open = (ceiling: Rational | null) =>
    neuralProgram(problem, head, ceiling).structure.devices.reduce((sum, { units }) => sum + units.length, 0);
  expect(open(objective)).toBeLessThan(open(null));
});

test("a convex head needs no binaries for its ReLUs", () => {
  const weights = "cpu-4-workers.neural-convex.json";
  const { problem, head } = drawNeural({ seed: 22, tables: [6, 6], devices: [2, 2], weights });
  const { devices } = neuralProgram(problem, head).structure;
  expect(devices.every(({ units }) => units.length > 0 && units.every(({ on }) => on === null))).toBe(true);
});
