import { join } from "node:path";
import { z } from "zod";
import { readTables, type TableShape } from "../../cost/neural/read-data.js";
import { type Random, seededRandom } from "../../exact/random.js";
import { readNamedText } from "../../input/files.js";
import { instancesFolder } from "../../input/instances-folder.js";
import { positiveInteger } from "../../instance/schema/fields.js";
import { type Generated, oneOf } from "./draws.js";
import { clusterOf, dims, gpusPerNode, hbmBytesPerGpu, nodes, tableCount, tightness } from "./table-fields.js";

const fields = {
  nodes,
  tightness: tightness.optional(),
  accessBins: z.boolean().default(false).describe("give tables AutoShard's 17 shares, for costs that are learned"),
};

export const autoshardOptions = z.strictObject({
  distribution: z
    .literal("autoshard")
    .describe("AutoShard's tasks: of Meta's 856 tables, none twice, fp16; mean pooling factors truncated"),
  tables: tableCount.max(856).default(80),
  ...fields,
  gpusPerNode: gpusPerNode(8),
  hbmBytesPerGpu: hbmBytesPerGpu(7 * 2 ** 30),
  dims: dims([16, 32]),
});

export const neuroshardOptions = z.strictObject({
  distribution: z
    .literal("neuroshard")
    .describe("NeuroShard's tasks: of Meta's 856 tables, also twice, fp32; columns may be cut"),
  tables: z
    .union([tableCount, z.tuple([tableCount, tableCount])])
    .refine((value) => typeof value === "number" || value[0] <= value[1])
    .default([10, 59])
    .describe("number of tables, or [least, most]"),
  ...fields,
  gpusPerNode: gpusPerNode(4),
  hbmBytesPerGpu: hbmBytesPerGpu(4 * 2 ** 30),
  dims: dims([4, 8, 16, 32, 64, 128]),
  maxShardsPerTable: positiveInteger("most shards of one table; 1: columns are not cut").default(4),
});

type Options = z.output<typeof autoshardOptions> | z.output<typeof neuroshardOptions>;

/**
 * Tasks drawn as AutoShard and NeuroShard draw theirs, of the tables in instances/costs/meta-synthetic-856.csv. Their own
 * random numbers are NumPy's: the published tasks are in instances/paper. Costs are the papers' formulas for look-ups.
 */
export function generateMeta(options: Options, seed: number): Generated {
  const random = seededRandom(seed);
  const file = join(instancesFolder(), "costs", "meta-synthetic-856.csv");
  const all = readTables(readNamedText(file), file);
  const isAutoshard = options.distribution === "autoshard";
  const chosen = isAutoshard
    ? shuffled(random, all.length).slice(0, options.tables)
    : Array.from({ length: countOf(random, options.tables) }, () => random.integer(all.length));
  const seen = new Map<number, number>();
  const tables = chosen.map((index) => {
    const times = (seen.get(index) ?? 0) + 1;
    seen.set(index, times);
    const { rows, poolingFactor, accessBins } = all[index] as TableShape;
    return {
      name: times === 1 ? `t${index}` : `t${index}_${times}`,
      rows,
      dim: oneOf(random, options.dims),
      dataType: isAutoshard ? ("fp16" as const) : ("fp32" as const),
      poolingFactor: isAutoshard ? Math.trunc(poolingFactor) : poolingFactor,
      ...(options.accessBins ? { accessBins } : {}),
    };
  });
  const { nodes, gpusPerNode } = options;
  return {
    name: `${options.distribution}-${tables.length}-${nodes}x${gpusPerNode}-${seed}`,
    keys: {
      costModel: isAutoshard ? "lookup" : "size-lookup",
      cluster: clusterOf(options, tables),
      ...splitsOf(options),
      tables,
    },
  };
}

function countOf(random: Random, tables: number | readonly [number, number]): number {
  if (typeof tables === "number") return tables;
  return tables[0] + random.integer(tables[1] - tables[0] + 1);
}

function splitsOf(options: Options): object {
  if (options.distribution === "autoshard" || options.maxShardsPerTable === 1) return {};
  return { splits: { columns: true, maxShardsPerTable: options.maxShardsPerTable } };
}

/** The numbers below a bound in random order (Fisher and Yates). */
function shuffled(random: Random, bound: number): number[] {
  const order = Array.from({ length: bound }, (_, k) => k);
  for (let k = bound - 1; k > 0; k--) {
    const other = random.integer(k + 1);
    [order[k], order[other]] = [order[other] as number, order[k] as number];
  }
  return order;
}
