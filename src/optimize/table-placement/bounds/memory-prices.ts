import { deviceCount, type PlacementProblem } from "../../../../models/table-placement/problem.js";
import { bestWeights } from "../patterns/price-weights.js";

/** Prices of a byte of device and of host memory, in cost. */
export interface MemoryPrices {
  readonly hbm: number;
  readonly host: number;
}

/** What all shards of an option need together. */
export interface OptionTotal extends MemoryPrices {
  readonly cost: number;
}

/** The totals of every option, by table. */
export function optionTotals({ tables }: PlacementProblem): OptionTotal[][] {
  return tables.map(({ options }) =>
    options.map(({ shards }) => {
      const total = { cost: 0, hbm: 0, host: 0 };
      for (const { cost, hbmBytes, hostBytes } of shards) {
        total.cost += cost;
        total.hbm += hbmBytes;
        total.host += hostBytes;
      }
      return total;
    }),
  );
}

/** Memory of all devices together; infinite where it does not limit. */
export function pooledMemory({ hbmBytes, hostBytes }: PlacementProblem): MemoryPrices {
  const sum = (bytes: readonly number[] | null) => bytes?.reduce((total, one) => total + one, 0);
  return { hbm: sum(hbmBytes) ?? Number.POSITIVE_INFINITY, host: sum(hostBytes) ?? Number.POSITIVE_INFINITY };
}

/** Above every cost, so that a choice without an option is worth less than any with one. */
const DEAR = 2;

/**
 * What a byte is worth in the pooled relaxation: one of the given options per table, all devices as one, the sum of costs
 * least. By cutting planes in the prices (`bestWeights`), an option being worth what it costs less than the dearest.
 */
export function memoryPrices(problem: PlacementProblem, totals: readonly (readonly OptionTotal[])[]): MemoryPrices {
  if (deviceCount(problem) === 0 || totals.every(({ length }) => length === 1)) return { hbm: 0, host: 0 };
  const all = totals.flat();
  const most = (read: (total: OptionTotal) => number) => all.reduce((largest, one) => Math.max(largest, read(one)), 0);
  const dear = DEAR * most(({ cost }) => cost) + Number.MIN_VALUE;
  const starts = new Int32Array(totals.length + 1);
  totals.forEach((own, t) => {
    starts[t + 1] = (starts[t] as number) + own.length;
  });
  const column = (read: (total: OptionTotal) => number) => Float64Array.from(all, read);
  const pool = pooledMemory(problem);
  const needed = (kind: "hbm" | "host") =>
    totals.reduce((sum, own) => sum + own.reduce((largest, one) => Math.max(largest, one[kind]), 0), 1);
  // Memory that holds even the largest options does not limit, and need not be infinite.
  const budget = { cost: 1, hbm: Math.min(pool.hbm, needed("hbm")), host: Math.min(pool.host, needed("host")) };
  const flat = {
    starts,
    value: column(({ cost }) => dear - cost),
    cost: new Float64Array(all.length),
    hbm: column(({ hbm }) => hbm),
    host: column(({ host }) => host),
  };
  const { hbm, host } = bestWeights(flat, budget);
  return { hbm, host };
}

/** The least average cost of a device, at some prices of memory: no largest cost is below it. */
export function pooledValue(
  problem: PlacementProblem,
  totals: readonly (readonly OptionTotal[])[],
  prices: MemoryPrices,
): number {
  const pool = pooledMemory(problem);
  let sum = 0;
  for (const own of totals) sum += own.reduce((least, one) => Math.min(least, pricedTotal(one, prices)), Infinity);
  if (prices.hbm > 0) sum -= prices.hbm * pool.hbm;
  if (prices.host > 0) sum -= prices.host * pool.host;
  return sum / deviceCount(problem);
}

export function pricedTotal(total: OptionTotal, { hbm, host }: MemoryPrices): number {
  return total.cost + hbm * total.hbm + host * total.host;
}
