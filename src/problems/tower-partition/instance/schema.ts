import { z } from "zod";
import { accessSchema } from "../../../instance/schema/access.js";
import { elementType, notNegative, positive, positiveInteger, text } from "../../../instance/schema/fields.js";
import { caches, hotRows } from "../../../instance/schema/hot-rows.js";
import { bytesPerSecond, notNegativeSeconds, positiveBytes } from "../../../instance/schema/quantities.js";
import { TOWER_HARDWARE, TOWER_OBJECTIVES, TOWER_STRATEGIES } from "../../../instance/types/tower-partition.js";

export const towerPartitionSchema = z.strictObject({
  shardproof: z.literal(1).describe("version of the format"),
  name: text("name of the instance"),
  problem: z.literal("tower-partition"),
  source: z.string().optional().describe("where the numbers come from"),
  towers: positiveInteger("number of towers, none of them empty"),
  sizeRatio: z
    .number()
    .min(1)
    .default(1)
    .describe("features of the largest tower over those of the smallest, at most; 1: sizes differ by at most one"),
  strategy: z
    .enum(TOWER_STRATEGIES)
    .default("coherent")
    .describe("coherent: distance = 1 − interaction; diverse: distance = interaction"),
  objective: z
    .enum(TOWER_OBJECTIVES)
    .default("pairwise")
    .describe("pairwise: the sum of distances inside towers; kmeans: (1/size) · the sum of squared distances"),
  features: z.array(text("name of a feature, once only")).min(1).describe("names of the features"),
  interaction: z
    .union([
      z.array(z.array(z.number().describe("an interaction, from 0 to 1"))).min(1),
      z.strictObject({ file: text("file of the matrix: .csv or .npy") }),
    ])
    .describe("one row of numbers for each feature, or {file: matrix.csv} (or .npy)"),
  load: z.array(notNegative("weight of a feature")).optional().describe("one weight for each feature"),
  loadRatio: z.number().min(1).optional().describe("load of the largest tower over the mean load of a tower, at most"),
});

export type TowerPartitionInput = z.output<typeof towerPartitionSchema>;

const bandwidth = (between: string) =>
  z
    .union([
      bytesPerSecond("bytes per second"),
      z.array(z.tuple([positiveInteger("ranks of the collective"), bytesPerSecond("bytes per second")])).min(1),
    ])
    .optional()
    .describe(`bytes per second per GPU ${between}: a number, or points [ranks of the collective, bytes per second]`);

const latency = (between: string) => notNegativeSeconds(`seconds per collective ${between}`).prefault(0);

const cluster = z
  .strictObject({
    nodes: positiveInteger("number of nodes"),
    gpusPerNode: positiveInteger("GPUs of one node"),
    hbmBytesPerGpu: positiveBytes("bytes that tables may use on each GPU").optional(),
    hostBytesPerGpu: positiveBytes("bytes that tables may use of the host's memory for each GPU").optional(),
    hardware: z.enum(TOWER_HARDWARE).optional().describe("GPUs of DMT's table 1, for bandwidths that are not given"),
    bandwidth: z
      .strictObject({
        insideHost: bandwidth("inside a host"),
        acrossHosts: bandwidth("between hosts"),
        hostMemory: bytesPerSecond("bytes per second that each GPU reads of its host's memory").optional(),
      })
      .prefault({})
      .describe("bytes per second per GPU in one direction, by the kind of link"),
    latency: z
      .strictObject({ insideHost: latency("inside a host"), acrossHosts: latency("between hosts") })
      .prefault({ insideHost: 0, acrossHosts: 0 })
      .describe("seconds per collective, 0 where not given"),
  })
  .describe("the GPUs and the links between them");

const table = z.strictObject({
  name: text("name of the feature whose table it is"),
  rows: positiveInteger("rows of the table"),
  dim: positiveInteger("elements per row"),
  dataType: elementType.describe("type of an element in memory"),
  poolingFactor: positive("mean ids per sample").default(1),
  access: accessSchema.optional(),
});

/** With a cluster and tables: towers, hosts per tower and placement are chosen together. */
export const towerJointSchema = towerPartitionSchema.extend({
  towers: z
    .union([positiveInteger("number of towers"), z.literal("any")])
    .default("any")
    .describe("number of towers, or any: each that the nodes can be divided by"),
  cluster,
  training: z
    .strictObject({
      batchPerGpu: positiveInteger("samples per GPU and iteration"),
      wireDataType: elementType.describe("type of an element of a vector on the wire"),
    })
    .describe("batchPerGpu, and wireDataType where it is not fp32"),
  tables: z.array(table).min(1).describe("one table for each feature, by its name"),
  splits: z.strictObject({ hotRows }).optional().describe("how tables may be cut: hotRows"),
  caches: caches.optional(),
  towerModules: z
    .strictObject({
      width: positiveInteger("elements of a vector that a module puts out"),
      perFeature: z.int().min(0).default(0).describe("such vectors for each feature of a tower"),
      perTower: z.int().min(0).default(0).describe("such vectors for each tower"),
    })
    .optional()
    .describe("what tower modules put out: width · (perFeature · features + perTower) elements per sample and tower"),
});

export type TowerJointInput = z.output<typeof towerJointSchema>;
