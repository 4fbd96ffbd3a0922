import { expect, test } from "vitest";
import { evaluateNeural } from "../../models/neural-placement/evaluate.js";
import { Rational } from "../../src/exact/rational.js";
import { solveNeuralPlacement } from "../../src/optimize/neural-placement/solve.js";
import { drawNeural, everyPlacement, type NeuralDraw } from "../unit/models/neural-support.js";

const OPTIONS = { gap: Rational.parse("1e-9"), timeLimitSeconds: 30, seed: 0 };

/** The least largest cost of all placements within memory; `null` where there is none. */
function bruteForce({ problem, head }: ReturnType<typeof drawNeural>): Rational | null {
  let best: Rational | null = null;
  for (const placement of everyPlacement(problem)) {
    const { objective, violations } = evaluateNeural(head, problem, placement);
    if (violations.length === 0 && (best === null || objective.compare(best) < 0)) best = objective;
  }
  return best;
}

async function expectBruteForce(drawn: NeuralDraw): Promise<"proved" | "infeasible"> {
  const small = drawNeural(drawn);
  const best = bruteForce(small);
  const { verdict, placement } = await solveNeuralPlacement(small.model, small.head, OPTIONS);
  if (best === null) {
    expect(verdict?.status).toBe("infeasible");
    return "infeasible";
  }
  expect(verdict?.status).toBe("proved");
  expect(verdict?.value?.toString()).toBe(best.toString());
  const { objective, violations } = evaluateNeural(
    small.head,
    small.problem,
    placement as NonNullable<typeof placement>,
  );
  expect(violations).toEqual([]);
  expect(objective.toString()).toBe(best.toString());
  return "proved";
}

test("proved optima are those of brute force, with and without memory that binds", async () => {
  const found: string[] = [];
  for (let seed = 1; seed <= 12; seed++) {
    found.push(await expectBruteForce({ seed, tables: [4, 6], devices: [2, 3], rooms: [1.02, 1.15, 1.4, 100] }));
  }
  expect(new Set(found)).toEqual(new Set(["proved", "infeasible"]));
});

test("a device may be empty: more devices than tables", async () => {
  for (let seed = 30; seed < 34; seed++) {
    const rooms = [100];
    expect(await expectBruteForce({ seed, tables: [1, 3], devices: [4, 4], rooms })).toBe("proved");
  }
});

test("tables that are bound to places or to one another", async () => {
  for (let seed = 40; seed < 42; seed++) {
    const rooms = [100];
    expect(await expectBruteForce({ seed, tables: [4, 5], devices: [2, 3], rooms, isBound: true })).toBe("proved");
  }
});

test("ten tables on two devices", async () => {
  for (const weights of ["cpu-4-workers.neural.json", "cpu-8-workers.neural.json"]) {
    const drawn = { seed: 50, tables: [10, 10], devices: [2, 2], rooms: [100], weights } as const;
    expect(await expectBruteForce(drawn)).toBe("proved");
  }
});
