import { deviceCount, type PlacementProblem } from "./problem.js";

/** Prices of a byte of each memory, in cost. */
export interface MemoryPrices {
  readonly hbm: number;
  readonly host: number;
  readonly ssd: number;
}

/** What all shards of an option need together. */
export interface OptionTotal extends MemoryPrices {
  readonly cost: number;
}

/** The totals of every option, by table. */
export function optionTotals({ tables }: PlacementProblem): OptionTotal[][] {
  return tables.map(({ options }) =>
    options.map(({ shards }) => {
      const total = { cost: 0, hbm: 0, host: 0, ssd: 0 };
      for (const { cost, hbmBytes, hostBytes, ssdBytes = 0 } of shards) {
        total.cost += cost;
        total.hbm += hbmBytes;
        total.host += hostBytes;
        total.ssd += ssdBytes;
      }
      return total;
    }),
  );
}

/** Memory of all devices together; infinite where it does not limit. */
export function pooledMemory({ hbmBytes, hostBytes, ssdBytes }: PlacementProblem): MemoryPrices {
  const sum = (bytes: readonly number[] | null) =>
    bytes === null ? Number.POSITIVE_INFINITY : bytes.reduce((total, one) => total + one, 0);
  return { hbm: sum(hbmBytes), host: sum(hostBytes), ssd: sum(ssdBytes ?? null) };
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
  if (prices.ssd > 0) sum -= prices.ssd * pool.ssd;
  return sum / deviceCount(problem);
}

export function pricedTotal(total: OptionTotal, { hbm, host, ssd }: MemoryPrices): number {
  return total.cost + hbm * total.hbm + host * total.host + ssd * total.ssd;
}
