import { z } from "zod";
import { type Random, seededRandom } from "../../exact/random.js";
import { positive, positiveInteger } from "../../instance/schema/fields.js";
import { type Generated, normals } from "./draws.js";
import { gpusPerNode, nodes, tableCount, tightMemory, tightness } from "./table-fields.js";

export const lognormalOptions = z.strictObject({
  distribution: z.literal("lognormal").describe("costs and bytes lognormal and correlated, with no model behind them"),
  tables: tableCount.default(40),
  nodes,
  gpusPerNode: gpusPerNode(8),
  options: positiveInteger("ways to shard a table; each further one trades bytes for cost").default(1),
  tightness: tightness.default(1.05),
  sigma: positive("standard deviation of the logarithm of cost").default(0.8),
  correlation: z.number().min(-1).max(1).default(0.7).describe("of the logarithms of bytes and cost"),
});

/** Median bytes of a table, and the standard deviation of their logarithm. */
const MEDIAN_BYTES = 1e9;
const SIGMA_BYTES = 0.8;

interface Option {
  readonly shardingType: string;
  readonly kernel: string;
  readonly partitionBy: "device";
  readonly shards: readonly [readonly [count: number, need: { readonly cost: number; readonly hbmBytes: number }]];
}

/**
 * Costs are multiples of 2^-20, so that sums of doubles are exact; every device has the same memory. With several options
 * per table, option k cuts the table into up to eight shards and trades memory for cost (a share of the table in slower
 * memory); the mean need is that of the middle options, the largest table that of the smallest ones.
 */
export function generateLognormal(options: z.output<typeof lognormalOptions>, seed: number): Generated {
  const { tables: count, nodes, gpusPerNode, tightness, sigma, correlation } = options;
  const random = seededRandom(seed);
  const drawn = Array.from({ length: count }, () => {
    const [a, b] = normals(random);
    const cost = Math.exp(sigma * a);
    const both = correlation * a + Math.sqrt(1 - correlation ** 2) * b;
    return optionsOf(random, cost, Math.ceil(MEDIAN_BYTES * Math.exp(SIGMA_BYTES * both)), options.options);
  });
  const middle = drawn.map((own) => own.map(bytesOf).sort((x, y) => x - y)[own.length >> 1] as number);
  const largest = Math.max(...drawn.map((own) => Math.min(...own.map(({ shards: [[, { hbmBytes }]] }) => hbmBytes))));
  const hbmBytesPerGpu = tightMemory(middle, nodes * gpusPerNode, tightness, largest);
  const isGiven = options.options === 1;
  return {
    name: `lognormal-${count}${isGiven ? "" : `-options-${options.options}`}-${nodes}x${gpusPerNode}-${seed}`,
    keys: {
      costModel: isGiven ? "given" : "options",
      cluster: { nodes, gpusPerNode, hbmBytesPerGpu },
      tables: drawn.map((own, t) => ({ name: `t${t}`, ...(isGiven ? given(own[0] as Option) : { options: own }) })),
    },
  };
}

function optionsOf(random: Random, cost: number, bytes: number, options: number): Option[] {
  if (options === 1) return [cut(cost, bytes, 1, 1)];
  return Array.from({ length: options }, (_, k) => {
    const shards = 1 + ((k * 3) % 8);
    // From all in fast memory to a tenth of it; slower by up to four times.
    const kept = 1 - (0.9 * Math.floor(k / 2)) / Math.max(1, Math.floor((options - 1) / 2));
    const slowdown = 1 + 3 * (1 - kept) * (0.7 + 0.6 * random.next());
    return cut(cost * slowdown * (1 + 0.05 * shards), bytes * kept, shards, k);
  });
}

function cut(cost: number, bytes: number, shards: number, index: number): Option {
  return {
    shardingType: shards === 1 ? "table_wise" : "column_wise",
    kernel: index === 1 ? "fused" : `fused_${index}`,
    partitionBy: "device",
    shards: [[shards, { cost: Math.ceil((cost / shards) * 2 ** 20) / 2 ** 20, hbmBytes: Math.ceil(bytes / shards) }]],
  };
}

function bytesOf({ shards: [[count, { hbmBytes }]] }: Option): number {
  return count * hbmBytes;
}

function given({ shards: [[, { cost, hbmBytes }]] }: Option): object {
  return { cost, bytes: hbmBytes };
}
