import { expect } from "vitest";
import { seededRandom } from "../../src/exact/random.js";
import { parseWith } from "../../src/instance/parse.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import type { GroupedPlacementPlan } from "../../src/problems/grouped-placement/plan-file/assemble.js";
import { planInstance } from "../../src/problems/planning/plan.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { tablePlacementReader } from "../../src/problems/table-placement/instance/reader.js";
import { bruteForceGroups, drawGroups, textOf } from "./brute-force-groups.js";

/** Equal but for the order in which doubles were added. */
export const CLOSE = 1e-9;

/** What was looked at: nothing where there were too many ways to try. */
export interface CheckedGroups {
  readonly sizes: number;
  readonly infeasible: number;
  readonly isHot: boolean;
  readonly isCached: boolean;
  readonly isFullySharded: boolean;
  /** The chosen size is neither the smallest nor the whole cluster's. */
  readonly chosen: number | null;
}

/** Draws an instance of groups and holds its plan against every placement of every size. */
export async function checkDrawnGroups(seed: number): Promise<CheckedGroups | null> {
  const drawn = drawGroups(seededRandom(seed));
  const found = bruteForceGroups(drawn);
  if (found === null) return null;
  const text = textOf(drawn);
  const instance = parseWith([tablePlacementReader], text, "drawn.yaml");
  const plan = (await planInstance(instance, { timeLimitSeconds: 60, gap: 0 })) as unknown as GroupedPlacementPlan;
  const { sizes, chosen } = plan.groups;
  expect(sizes.map(({ size }) => size)).toEqual(found.map(({ size }) => size));
  const best = found.flatMap(({ optimum }) => optimum ?? []).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  for (const [k, { optimum, size }] of found.entries()) {
    const row = sizes[k] as (typeof sizes)[number];
    if (optimum === null) {
      expect(row.value, `${size}`).toBeNull();
      expect(row.status).toBe("infeasible");
      continue;
    }
    expect(row.status).not.toBe("infeasible");
    // No size's bound is above its optimum, no plan below it, and the chosen is no worse than any.
    expect(row.bound as number, `${size}`).toBeLessThanOrEqual(optimum * (1 + CLOSE));
    if (row.value !== null) expect(row.value).toBeGreaterThanOrEqual(optimum * (1 - CLOSE));
    expect(plan.objective.value as number).toBeLessThanOrEqual(optimum * (1 + CLOSE));
  }
  if (best === Number.POSITIVE_INFINITY) {
    expect(plan.status).toBe("infeasible");
    expect(chosen).toBeNull();
  } else {
    expect(plan.status).toBe("proved");
    expect(Math.abs((plan.objective.value as number) - best)).toBeLessThanOrEqual(CLOSE * best);
    expect(plan.exact.bound).toBe(plan.exact.value);
  }
  const verified = await verifyPlanText(writePlan(plan as never), "plan.json", async () => instance);
  expect(verified.checks.filter(({ passed }) => !passed)).toEqual([]);
  expect(verified.differences).toEqual([]);
  return {
    sizes: sizes.length,
    infeasible: found.filter(({ optimum }) => optimum === null).length,
    isHot: drawn.splits !== undefined,
    isCached: drawn.caches !== undefined,
    isFullySharded: drawn.groups.memory === "fully-sharded",
    chosen,
  };
}
