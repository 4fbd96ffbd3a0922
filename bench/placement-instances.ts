import type { PlacementOption, PlacementProblem, PlacementTable } from "../models/table-placement/problem.js";
import { type Random, seededRandom } from "../src/exact/random.js";

export interface RandomPlacement {
  readonly tables: number;
  readonly devices: number;
  readonly seed: number;
  /** Options per table; 1: one shard each. Default 1. */
  readonly options?: number;
  /** Capacity of a device over the average need; default 1.05. */
  readonly tightness?: number;
  /** Standard deviation of the logarithm of cost; default 0.8. */
  readonly sigma?: number;
  /** Correlation of the logarithms of memory and cost; default 0.7. */
  readonly correlation?: number;
}

/**
 * A random problem: lognormal costs (multiples of 2^-20, so that sums of doubles are exact), memory lognormal and correlated with cost, every device with the same
 * capacity: `tightness` times the average need, and at least the largest table. With several options per table, option k
 * cuts the table into up to eight shards and trades memory for cost (a share of the table in slower memory); the average
 * need is that of the middle options.
 */
export function randomPlacement(spec: RandomPlacement): PlacementProblem {
  const { tables: count, devices, seed, options = 1, tightness = 1.05, sigma = 0.8, correlation = 0.7 } = spec;
  const random = seededRandom(seed);
  const tables: PlacementTable[] = [];
  let need = 0;
  let largest = 0;
  for (let t = 0; t < count; t++) {
    const [a, b] = normals(random);
    const cost = Math.exp(sigma * a);
    const bytes = Math.ceil(1e9 * Math.exp(0.8 * (correlation * a + Math.sqrt(1 - correlation ** 2) * b)));
    const made = options === 1 ? [cut(cost, bytes, 1, 1)] : severalOptions(random, cost, bytes, options);
    tables.push({ name: `t${t}`, options: made, devices: null });
    const totals = made
      .map(({ shards }) => shards.reduce((sum, { hbmBytes }) => sum + hbmBytes, 0))
      .sort((x, y) => x - y);
    need += totals[totals.length >> 1] as number;
    const smallest = made.map(({ shards }) => Math.max(...shards.map(({ hbmBytes }) => hbmBytes)));
    largest = Math.max(largest, Math.min(...smallest));
  }
  const capacity = Math.ceil(Math.max((tightness * need) / devices, largest));
  return {
    name: `random-${count}x${devices}${options > 1 ? `-options-${options}` : ""}-${seed}`,
    nodes: 1,
    gpusPerNode: devices,
    hbmBytes: Array.from({ length: devices }, () => capacity),
    hostBytes: null,
    hostIsPooled: false,
    tables,
    together: [],
    apart: [],
  };
}

function severalOptions(random: Random, cost: number, bytes: number, options: number): PlacementOption[] {
  return Array.from({ length: options }, (_, k) => {
    const shards = 1 + ((k * 3) % 8);
    // From all in fast memory to a tenth of it; slower by up to four times.
    const kept = 1 - (0.9 * Math.floor(k / 2)) / Math.max(1, Math.floor((options - 1) / 2));
    const slowdown = 1 + 3 * (1 - kept) * (0.7 + 0.6 * random.next());
    return cut(cost * slowdown * (1 + 0.05 * shards), bytes * kept, shards, k);
  });
}

function cut(cost: number, bytes: number, shards: number, index: number): PlacementOption {
  const each = {
    cost: Math.ceil((cost / shards) * 2 ** 20) / 2 ** 20,
    hbmBytes: Math.ceil(bytes / shards),
    hostBytes: 0,
  };
  return {
    shardingType: shards === 1 ? "table_wise" : "column_wise",
    kernel: index === 1 ? "fused" : `fused_${index}`,
    partitionBy: "device",
    shards: Array.from({ length: shards }, () => each),
  };
}

/** Two independent standard normal numbers (Box and Muller). */
function normals(random: Random): [number, number] {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  const angle = 2 * Math.PI * random.next();
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}
