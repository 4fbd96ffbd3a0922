import {
  type MemoryPrices,
  type OptionTotal,
  optionTotals,
  pooledMemory,
} from "../../../../../models/table-placement/aggregated-relaxation.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { bestWeights } from "../patterns/dual-weights.js";

/** Above every cost, so that a choice without an option is worth less than any with one. */
const DEAR = 2;

/** Whether more memory on devices would be worth anything to all of them together. */
export function memoryBinds(problem: PlacementProblem): boolean {
  return memoryDuals(problem, optionTotals(problem)).hbm > 0;
}

/**
 * What a byte is worth in the aggregated relaxation: one of the given options per table, all devices as one, the sum of
 * costs least. By cutting planes in the prices (`bestWeights`), an option being worth what it costs less than the
 * dearest.
 */
export function memoryDuals(problem: PlacementProblem, totals: readonly (readonly OptionTotal[])[]): MemoryPrices {
  if (totals.every(({ length }) => length === 1)) return { hbm: 0, host: 0, ssd: 0 };
  const all = totals.flat();
  const most = (read: (total: OptionTotal) => number) => all.reduce((largest, one) => Math.max(largest, read(one)), 0);
  const dear = DEAR * most(({ cost }) => cost) + Number.MIN_VALUE;
  const starts = new Int32Array(totals.length + 1);
  totals.forEach((own, t) => {
    starts[t + 1] = (starts[t] as number) + own.length;
  });
  const column = (read: (total: OptionTotal) => number) => Float64Array.from(all, read);
  const pool = pooledMemory(problem);
  const needed = (kind: keyof MemoryPrices) =>
    totals.reduce((sum, own) => sum + own.reduce((largest, one) => Math.max(largest, one[kind]), 0), 1);
  // Memory that holds even the largest options does not limit, and need not be infinite.
  const within = (kind: keyof MemoryPrices) => Math.min(pool[kind], needed(kind));
  // Costs are what choices are worth here: the weights' third budget is that of the SSDs.
  const budget = { cost: within("ssd"), hbm: within("hbm"), host: within("host") };
  const flat = {
    starts,
    value: column(({ cost }) => dear - cost),
    cost: column(({ ssd }) => ssd),
    hbm: column(({ hbm }) => hbm),
    host: column(({ host }) => host),
  };
  const { hbm, host, cost: ssd } = bestWeights(flat, budget);
  return { hbm, host, ssd };
}
