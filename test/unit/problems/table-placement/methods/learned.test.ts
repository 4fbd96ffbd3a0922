import { expect, test } from "vitest";
import type { PlacementOption, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { SetCost, SetPart } from "../../../../../src/cost/neural/set-cost.js";
import {
  learnedCostHeuristics,
  tablePlacementHeuristics,
} from "../../../../../src/problems/table-placement/methods/index.js";
import { devicesOf, planOf, problemWith, sharded, whole } from "./support.js";

const {
  "predicted-greedy-single": single,
  "predicted-greedy": greedy,
  "simulated-annealing": annealing,
  "neuroshard-search": neuroshard,
} = learnedCostHeuristics;

/**
 * Tables of these costs and widths; a table that may be cut has a second option, two halves that cost as much as is said. What
 * a device pays is `together` of the costs on it.
 */
function learned(
  gpusPerNode: number,
  tables: readonly { readonly cost: number; readonly dim?: number; readonly half?: number; readonly bytes?: number }[],
  together: (costs: readonly number[]) => number,
  hbmBytes = 1000,
): PlacementProblem {
  const parts: SetPart[] = [];
  const numbers = tables.map(({ cost, dim = 8, half }, table) => {
    parts.push({ table, dim, cost: together([cost]) });
    if (half !== undefined) parts.push({ table, dim: dim / 2, cost: together([half]) });
    return parts.length - (half === undefined ? 1 : 2);
  });
  const own = tables.flatMap(({ cost, half }) => (half === undefined ? [cost] : [cost, half]));
  const setCost: SetCost = {
    parts,
    partOf: (table, option) => (numbers[table] as number) + option,
    costOfSet: (set) => (set.length === 0 ? 0 : together(set.map((part) => own[part] as number))),
  };
  const options = tables.map(({ cost, half, bytes = 8 }): PlacementOption[] => {
    const uncut = whole(together([cost]), bytes);
    if (half === undefined) return [uncut];
    const need = [together([half]), bytes / 2] as const;
    return [uncut, sharded("column_wise", "device", [need, need])];
  });
  return { ...problemWith({ gpusPerNode, hbmBytes }, options), setCost };
}

const sum = (costs: readonly number[]) => costs.reduce((total, cost) => total + cost, 0);
const context = { seed: 0 };

test("predicted-greedy looks at what tables cost together, predicted-greedy-single at each alone", () => {
  // Two tables or more cost half of their sum: 9; then 7 to the other, 4 with 7 (load 5.5), and 3 there too, not to 9.
  const problem = learned(2, [{ cost: 9 }, { cost: 7 }, { cost: 4 }, { cost: 3 }], (costs) =>
    costs.length > 1 ? sum(costs) / 2 : sum(costs),
  );
  expect(devicesOf(greedy(problem, context)).flat()).toEqual([0, 1, 1, 1]);
  // 9 and 7; 4 makes 11, and 3 goes to 9.
  expect(devicesOf(single(problem, context)).flat()).toEqual([0, 1, 1, 0]);
});

test("random-search scores plans by what devices cost together", () => {
  // Added up, 5 + 5 balances 10; a device that pays for its cheapest table alone is balanced where each has a 5.
  const tables = [{ cost: 5 }, { cost: 5 }, { cost: 10 }];
  const homes = (together: (costs: readonly number[]) => number) =>
    devicesOf(tablePlacementHeuristics["random-search"](learned(2, tables, together), context)).flat();
  const [a, b] = homes(sum);
  expect(a).toBe(b);
  const [c, d] = homes((costs) => Math.min(...costs));
  expect(c).not.toBe(d);
});

test("annealing leaves a plan that greedy cannot: 3 3 2 2 2 on two devices", () => {
  const problem = learned(
    2,
    [3, 3, 2, 2, 2].map((cost) => ({ cost })),
    sum,
  );
  const largest = (devices: readonly number[]) => {
    const loads = [0, 0];
    for (const [t, device] of devices.entries())
      loads[device] = (loads[device] as number) + ([3, 3, 2, 2, 2][t] as number);
    return Math.max(...loads);
  };
  expect(largest(devicesOf(greedy(problem, context)).flat())).toBe(7);
  expect(largest(devicesOf(annealing(problem, context)).flat())).toBe(6);
});

test("annealing keeps to the memory, even where the cost asks for another plan", () => {
  // The two large tables cannot share a device, though the costs would have them do so.
  const tables = [
    { cost: 1, bytes: 60 },
    { cost: 1, bytes: 60 },
    { cost: 5, bytes: 10 },
  ];
  const [a, b] = devicesOf(annealing(learned(2, tables, sum, 100), context)).flat();
  expect(a).not.toBe(b);
  expect(annealing(learned(2, [...tables, { cost: 1, bytes: 60 }], sum, 100), context)).toEqual({
    kind: "none",
    reason: "neither predicted-greedy nor a random plan keeps to the memory of the devices",
  });
});

test("annealing stops when it is asked to, with the plan that it started from", () => {
  const problem = learned(
    2,
    [3, 3, 2, 2, 2].map((cost) => ({ cost })),
    sum,
  );
  const stopped = annealing(problem, { ...context, shouldStop: () => true });
  expect(planOf(stopped)).toEqual(planOf(greedy(problem, context)));
});

test("neuroshard-search halves what costs too much for one device", () => {
  const problem = learned(2, [{ cost: 10, half: 6 }, { cost: 1 }], sum);
  // Halves cost 6 each: 7 and 6 instead of 10 and 1.
  const { choices } = planOf(neuroshard(problem, context));
  expect(choices[0]?.option).toBe(1);
  expect(new Set(choices[0]?.devices)).toEqual(new Set([0, 1]));
  // Halves that cost nearly as much as the whole are no gain.
  const dear = learned(2, [{ cost: 10, half: 9.5 }, { cost: 1 }], sum);
  expect(planOf(neuroshard(dear, context)).choices[0]?.option).toBe(0);
});

test("neuroshard-search limits the sum of dimensions of a device to at most 1.5 times the mean", () => {
  // The costs have the three wide tables share a device: 3 · 16 = 48, where the mean is 28 and the limit 42.
  const tables = [{ cost: 10 }, ...[1, 1, 1].map((cost) => ({ cost, dim: 16 }))];
  const problem = learned(2, tables, sum);
  expect(devicesOf(greedy(problem, context)).flat()).toEqual([0, 1, 1, 1]);
  const homes = devicesOf(neuroshard(problem, context)).flat();
  expect(homes.slice(1).sort()).not.toEqual([1, 1, 1]);
});

test("neuroshard-search says when no limit leaves a plan", () => {
  expect(neuroshard(learned(2, [{ cost: 1, bytes: 200 }], sum, 100), context)).toMatchObject({ kind: "none" });
  // One table on two devices: its width is twice the mean, above all limits.
  expect(neuroshard(learned(2, [{ cost: 1 }], sum), context)).toMatchObject({ kind: "none" });
});
