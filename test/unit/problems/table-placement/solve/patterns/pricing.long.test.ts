import { expect, test } from "vitest";
import type { Part } from "../../../../../../models/table-placement/pattern-model.js";
import { dualPatterns } from "../../../../../../src/problems/table-placement/solve/patterns/pricing.js";
import { type Draw, drawFrom } from "../../../../../fuzz/oracle/draw.js";

const TABLES = 8;
const TOLERANCE = 0.01;

/** Up to three parts for each of some tables, each of an orbit of its own, on a device that holds about half of them. */
function drawn(draw: Draw) {
  const duals: number[] = [];
  const parts = Array.from({ length: TABLES }, () =>
    Array.from({ length: draw.int(1, 3) }, (): Part => {
      const [cost, hbm] = [draw.int(5, 40), draw.int(5, 40)];
      duals.push(cost + hbm + draw.int(-20, 20));
      return { option: 0, orbits: [duals.length - 1], counts: [1], cost, hbm, host: 0 };
    }),
  );
  return { parts, duals: Float64Array.from(duals), cost: 10 * TABLES, hbm: 10 * TABLES };
}

function bestOf(parts: readonly (readonly Part[])[], duals: Float64Array, cost: number, hbm: number, t = 0): number {
  if (t === parts.length) return 0;
  let best = bestOf(parts, duals, cost, hbm, t + 1);
  for (const part of parts[t] as readonly Part[]) {
    if (part.cost > cost || part.hbm > hbm) continue;
    const value = duals[part.orbits[0] as number] as number;
    if (value > 0) best = Math.max(best, value + bestOf(parts, duals, cost - part.cost, hbm - part.hbm, t + 1));
  }
  return best;
}

test("the best pattern is found within the tolerance, and what a search that is too narrow says is still a bound", () => {
  let incomplete = 0;
  for (let seed = 1; seed <= 80; seed++) {
    const { parts, duals, cost, hbm } = drawn(drawFrom(seed));
    const best = bestOf(parts, duals, cost, hbm);
    const found = (width: number, mostPatterns: number) =>
      dualPatterns({ parts, hbm, host: Number.POSITIVE_INFINITY }, [], duals, cost, {
        ...{ width, mostPatterns, above: 0, tolerance: TOLERANCE, shouldStop: () => false },
        ...(seed % 2 === 0 ? { weights: [] } : {}),
      });
    const wide = found(3000, 5);
    expect(wide.complete, `seed ${seed}`).toBe(true);
    expect(wide.most, `seed ${seed}`).toBeGreaterThanOrEqual(best);
    expect(wide.most, `seed ${seed}`).toBeLessThanOrEqual(best + 2 * TOLERANCE);
    expect(wide.patterns[0]?.value ?? 0, `seed ${seed}`).toBeGreaterThanOrEqual(best - TOLERANCE);
    expect(wide.patterns.length, `seed ${seed}`).toBeLessThanOrEqual(5);
    for (const { parts: own, value, cost: sum } of wide.patterns) {
      expect(sum, `seed ${seed}`).toBeLessThanOrEqual(cost);
      expect(own.reduce((all, part) => all + part.hbm, 0)).toBeLessThanOrEqual(hbm);
      expect(own.reduce((all, part) => all + (duals[part.orbits[0] as number] as number), 0)).toBe(value);
    }
    const narrow = found(2, 5);
    if (!narrow.complete) incomplete++;
    expect(narrow.most, `seed ${seed}`).toBeGreaterThanOrEqual(best);
  }
  expect(incomplete).toBeGreaterThan(8);
});
