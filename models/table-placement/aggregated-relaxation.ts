import { deviceCount, type PlacementProblem } from "./problem.js";

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
