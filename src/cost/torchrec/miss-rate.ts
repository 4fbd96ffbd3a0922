import type { CacheStatistics } from "./problem.js";
import { sum } from "./python-numbers.js";

/** Share of lookups that miss a cache with a load factor in [0, 1]. */
export function expectedMissRate(statistics: CacheStatistics, loadFactor: number): number {
  if ("missRate" in statistics) return statistics.missRate;
  const { missHistogram, height } = statistics;
  return missRateOfHistogram(missHistogram, linearEdges(height, missHistogram.length), loadFactor * height);
}

/**
 * Reads a miss-rate curve at a cache of `size` rows (planner/shard_estimators.py,
 * `EmbeddingOffloadStats.estimate_cache_miss_rate`): 1 − (cumulated histogram) / (its sum), at the bin that holds
 * `size` − 1, because a cache of k rows hits at distances up to k − 1. 1 below the first edge, 0 from the last one on, and
 * 0 for a table that was never read. `edges` has one entry more than the histogram.
 *
 * TorchRec computes this in the histogram's own type; in doubles here, as for a histogram of doubles.
 */
export function missRateOfHistogram(histogram: readonly number[], edges: readonly number[], size: number): number {
  const total = sum(histogram);
  if (total === 0) return 0;
  const edgesBelow = edges.filter((edge) => edge <= size - 1).length;
  if (edgesBelow === 0) return 1;
  return 1 - sum(histogram.slice(0, edgesBelow)) / total;
}

/** `torch.linspace(0, height, bins + 1)`, which steps from both ends to the middle. */
function linearEdges(height: number, bins: number): number[] {
  const step = height / bins;
  return Array.from({ length: bins + 1 }, (_, edge) =>
    edge < (bins + 1) / 2 ? step * edge : height - step * (bins - edge),
  );
}
