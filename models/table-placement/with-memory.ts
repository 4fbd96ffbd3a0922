import type { PlacementProblem } from "./problem.js";

/**
 * The problem with `bytes` of device memory on the device that has most; those with less have as much less in proportion,
 * rounded down. Not negative, and below 2^53.
 */
export function withMemory(problem: PlacementProblem, bytes: number): PlacementProblem {
  const most = BigInt(mostMemory(problem));
  const hbmBytes = problem.hbmBytes.map((own) =>
    // In doubles, exact: at most 2^53 - 1.
    most === 0n ? 0 : Number(atMost((BigInt(own) * BigInt(bytes)) / most, MAX_BYTES)),
  );
  return { ...problem, hbmBytes };
}

/** The least `bytes` for which {@link withMemory} leaves room for so many bytes on every device; `null` where none does. */
export function memoryFor(problem: PlacementProblem, used: readonly number[]): number | null {
  const most = BigInt(mostMemory(problem));
  let least = 0n;
  for (const [device, bytes] of used.entries()) {
    const own = BigInt(problem.hbmBytes[device] as number);
    if (bytes === 0) continue;
    if (own === 0n) return null;
    const needed = (BigInt(bytes) * most + own - 1n) / own;
    if (needed > least) least = needed;
  }
  // In doubles, exact: at most 2^53 - 1.
  return least > MAX_BYTES ? null : Number(least);
}

/** The memory of the device that has most. */
export function mostMemory({ hbmBytes }: Pick<PlacementProblem, "hbmBytes">): number {
  return hbmBytes.reduce((most, bytes) => Math.max(most, bytes), 0);
}

/**
 * What no plan has less of than on the device with most memory: some device holds the largest shard that a table's every option
 * has, and all of them what the tables' smallest options come to.
 */
export function leastMemoryOf(problem: PlacementProblem): number {
  const { tables, hbmBytes } = problem;
  let total = 0;
  let largest = 0;
  for (const { options } of tables) {
    const sums = options.map(({ shards }) => shards.reduce((sum, shard) => sum + shard.hbmBytes, 0));
    const shards = options.map(({ shards: own }) => own.reduce((most, shard) => Math.max(most, shard.hbmBytes), 0));
    total += Math.min(...sums);
    largest = Math.max(largest, Math.min(...shards));
  }
  const all = hbmBytes.reduce((sum, own) => sum + BigInt(own), 0n);
  const most = BigInt(mostMemory(problem));
  const spread = all === 0n ? 0n : (BigInt(total) * most + all - 1n) / all;
  // In doubles, exact: at most the bytes of all tables, which are below 2^53.
  return Math.max(largest, Number(spread));
}

/** With so much no option of any table is too large for any device, whatever else is there; `null` beyond 2^53. */
export function memoryForAll(problem: PlacementProblem): number | null {
  const total = problem.tables.reduce((sum, { options }) => {
    const sums = options.map(({ shards }) => shards.reduce((bytes, shard) => bytes + shard.hbmBytes, 0));
    return sum + Math.max(...sums);
  }, 0);
  return memoryFor(
    problem,
    problem.hbmBytes.map((own) => (own === 0 ? 0 : total)),
  );
}

const MAX_BYTES = BigInt(Number.MAX_SAFE_INTEGER);

function atMost(value: bigint, most: bigint): bigint {
  return value < most ? value : most;
}
