import { z } from "zod";
import { accessSchema } from "../../../instance/schema/access.js";
import { allowanceSchema } from "../../../instance/schema/allowance.js";
import { clusterSchema } from "../../../instance/schema/cluster.js";
import { elementType, notNegative, positiveInteger, text } from "../../../instance/schema/fields.js";
import { caches, hotRows } from "../../../instance/schema/hot-rows.js";
import {
  wholeBytes as bytes,
  bytesPerSecond,
  notNegativeBytes,
  positiveBytes,
} from "../../../instance/schema/quantities.js";
import {
  torchrecCountVirtual,
  torchrecReservation,
  torchrecRunnable,
  torchrecVersion,
} from "../../../instance/schema/torchrec.js";
import { GROUP_LAYOUTS, GROUP_MEMORIES } from "../../../instance/types/groups.js";
import {
  FORMULA_COST_MODELS,
  PARTITIONS_BY,
  PHASES,
  type PhaseName,
  PLACEMENT_OBJECTIVES,
  SECOND_OBJECTIVES,
  STAGE_GOALS,
} from "../../../instance/types/table-placement.js";

const whole = (description: string) => z.int().min(0).describe(description);

const perDevice = (of: string) =>
  z
    .union([notNegativeBytes(of), z.array(notNegativeBytes(of)).min(1)])
    .optional()
    .describe(`${of}: a number, or a list of one number per device`);

const clusterFields = {
  nodes: positiveInteger("number of nodes"),
  gpusPerNode: positiveInteger("GPUs of one node"),
  hbmBytesPerGpu: perDevice("bytes that shards may use on each GPU"),
  hostBytesPerGpu: perDevice("bytes of host memory that shards may use for each GPU"),
  hostBytesPerNode: positiveBytes("bytes of host memory that the GPUs of a node share").optional(),
  ssdBytesPerGpu: perDevice("bytes that shards may use on each GPU's SSD"),
  hostIsPooled: z.boolean().default(false).describe("the host memory of a node's GPUs is one pool"),
  // Of the cluster as other problems see it: here the links over which tables move from another plan.
  bandwidth: clusterSchema.shape.bandwidth,
  // Without effect here.
  latency: clusterSchema.shape.latency,
};

const dataType = elementType.describe("type of an element");

const rows = positiveInteger("rows of the table");
const dim = positiveInteger("elements per row");
const features = {
  dataType,
  poolingFactor: notNegative("mean look-ups per sample").optional(),
  accessBins: z
    .array(notNegative("share of distinct indices"))
    .length(17)
    .optional()
    .describe("AutoShard's 17 shares of distinct indices"),
};
const optionalFeatures = { rows: rows.optional(), dim: dim.optional(), ...features };

const distinctDevices = (whose: string) =>
  z.boolean().describe(`no device may have two of ${whose} shards, copies of hot rows apart`);

const anyTable = {
  name: text("the table's name, once only"),
  devices: z.array(whole("number of a device, from 0")).min(1).optional().describe("devices that its shards may use"),
  distinctDevices: distinctDevices("the table's").optional(),
};

const givenTable = z.strictObject({
  ...anyTable,
  cost: notNegative("what the table costs its device"),
  bytes: bytes("bytes of the table on its device"),
  hostBytes: bytes("bytes of host memory").prefault(0),
  ...optionalFeatures,
});

const phaseCost = notNegative("what the shard costs its device in this phase").default(0);

const phases = z
  .strictObject(Object.fromEntries(PHASES.map((phase) => [phase, phaseCost])) as Record<PhaseName, typeof phaseCost>)
  .describe("the phases that its cost is the sum of; those left out cost nothing");

const need = z
  .strictObject({
    cost: notNegative("what the shard costs its device"),
    hbmBytes: bytes("bytes on its device").prefault(0),
    hostBytes: bytes("bytes of host memory").prefault(0),
    ssdBytes: bytes("bytes on its device's SSD").optional(),
    phases: phases.optional(),
  })
  .describe("what each shard needs: cost, hbmBytes, hostBytes, ssdBytes");

const hot = z
  .strictObject({
    rows: positiveInteger("how many of the table's hottest rows"),
    share: z.number().min(0).max(1).default(0).describe("share of the table's look-ups that they take"),
    need: need.describe("what each copy needs: cost, hbmBytes, hostBytes, ssdBytes"),
  })
  .describe("hot rows of which every device has a copy beside the shards");

const option = z.strictObject({
  shardingType: text("TorchRec's name of the sharding type"),
  kernel: text("TorchRec's name of the compute kernel").default("fused"),
  partitionBy: z.enum(PARTITIONS_BY).describe("where its shards may go"),
  shards: z
    .array(z.tuple([positiveInteger("number of shards"), need]).describe("[how many, what each needs]"))
    .min(1)
    .describe("pairs [how many, what each needs]"),
  hot: hot.optional(),
  distinctDevices: distinctDevices("its").optional(),
});

const optionsTable = z.strictObject({
  ...anyTable,
  options: z.array(option).min(1).describe("ways to shard the table, of which one is chosen"),
  ...optionalFeatures,
});

export const featuresTableSchema = z.strictObject({
  ...anyTable,
  rows,
  dim,
  ...features,
  extraBytesPerRow: notNegativeBytes(
    "bytes beside the elements of each row: hash keys, scores, room to grow",
  ).optional(),
  access: accessSchema.optional(),
});

const torchrecTable = z
  .looseObject({ ...anyTable, access: accessSchema.optional() })
  .describe(
    "a table in TorchRec's words (num_embeddings, embedding_dim, …), or with rows, dim, dataType, poolingFactor",
  );

const splits = z
  .strictObject({
    columns: z.literal(true).optional().describe("tables may be cut by columns"),
    maxShardsPerTable: positiveInteger("most shards of one table").optional(),
    hotRows: hotRows.optional(),
  })
  .describe("how tables may be cut: columns with maxShardsPerTable, hotRows");

const groups = (description: string) =>
  z
    .array(z.array(text("name of a table")).min(2))
    .default([])
    .describe(description);

const sharding = z
  .looseObject({
    sharding_type: text("TorchRec's name of the sharding type"),
    compute_kernel: text("TorchRec's name of the compute kernel"),
    ranks: z.array(whole("number of a rank, from 0")).min(1).describe("the rank of each shard"),
  })
  .describe("how a table is sharded, as ShardingPlan._serialize() writes it");

/** The value of the key `plan` of TorchRec's sharding plans: by module, by table. */
export const shardingPlanSchema = z
  .record(z.string(), z.record(z.string(), sharding).describe("tables of a module"))
  .describe("a sharding plan of TorchRec's: by module, by table, sharding_type, compute_kernel and ranks");

export type ShardingPlanInput = z.output<typeof shardingPlanSchema>;

const from = z
  .strictObject({
    plan: z
      .union([text("file of a plan, or of a sharding plan of TorchRec's"), shardingPlanSchema])
      .describe("the plan that says where the tables are now: its file, or a sharding plan of TorchRec's itself"),
    instance: text("file of the plan's instance, where tables or devices have changed since").optional(),
    mostMoved: whole("most tables that may move from where the plan has them").optional(),
    ranks: z
      .array(whole("number of a device, from 0").nullable())
      .optional()
      .describe("for each rank of the plan the device that it is now, null where it is gone"),
    optimizer: text("class of the optimizer whose state moves too, where a table does not name its own").optional(),
  })
  .describe("plan: where the tables are now; mostMoved: how many may move");

export type FromInput = z.output<typeof from>;

const goals = z
  .array(z.strictObject({ minimize: z.enum(STAGE_GOALS).describe("what is minimised"), allow: allowanceSchema }))
  .min(1)
  .describe("goals in order, each within its allowance while the later ones are minimised; in place of objective");

const groupSizes = z
  .strictObject({
    sizes: z
      .union([z.literal("all"), z.array(positiveInteger("GPUs of a group")).min(1)])
      .default("all")
      .describe("GPUs of a group, of which one is chosen: a list, or all that come out even"),
    layout: z
      .enum(GROUP_LAYOUTS)
      .default("contiguous")
      .describe("contiguous: neighbouring ranks are a group; strided: with n groups every n-th rank is of one"),
    syncEvery: positiveInteger("iterations from one synchronisation of the copies to the next").default(1),
    optimizerState: z
      .boolean()
      .optional()
      .describe(
        "the optimizer's state is synchronised beside the weights; default true, with fully-sharded memory false",
      ),
    memory: z
      .enum(GROUP_MEMORIES)
      .default("replicated")
      .describe(
        "replicated: a GPU holds its shards of a copy; fully-sharded: outside the look-ups only a part of each, one of as many as there are copies",
      ),
    bandwidth: z
      .strictObject({
        intraHost: bytesPerSecond("bytes per second between GPUs of one host").optional(),
        interHost: bytesPerSecond("bytes per second of a GPU to other hosts").optional(),
      })
      .optional()
      .describe("over which copies are synchronised; default that of torchrec.topology"),
  })
  .describe(
    "groups of GPUs (TorchRec's DMPCollection), each with a copy of the tables placed on its GPUs; their size is chosen",
  );

export type GroupsInput = z.output<typeof groupSizes>;

const instanceFields = {
  shardproof: z.literal(1).describe("version of the format"),
  name: text("name of the instance"),
  problem: z.literal("table-placement"),
  source: z.string().optional().describe("where the numbers come from"),
  cluster: z.strictObject(clusterFields).describe("the devices and their memory"),
  training: z.unknown().optional().describe("of the instance as other problems see it: without effect here"),
  costUnit: text("unit of the costs").optional(),
  together: groups("lists of tables all of whose shards share one device"),
  apart: groups("lists of tables of which no two have a shard on one device"),
  goals: goals.optional(),
  objective: z
    .enum(PLACEMENT_OBJECTIVES)
    .default("largest")
    .describe("largest: the largest device cost; phases: the sum over the phases of the largest device's cost in each"),
  thenMinimize: z
    .enum(SECOND_OBJECTIVES)
    .optional()
    .describe(
      "a second goal, once the largest device cost is least: the sum of all device costs, or the second largest",
    ),
  from: from.optional(),
};

const tables = <Table extends z.ZodType>(table: Table) => z.array(table).min(1).describe("the embedding tables");

const givenSchema = z.strictObject({ ...instanceFields, costModel: z.literal("given"), tables: tables(givenTable) });

const optionsSchema = z.strictObject({
  ...instanceFields,
  costModel: z.literal("options"),
  tables: tables(optionsTable),
});

const featuresSchema = z.strictObject({
  ...instanceFields,
  costModel: z.union([
    z.enum(FORMULA_COST_MODELS),
    z.strictObject({
      neural: text("file of a cost network"),
      policy: text("file of a policy that learned under it, for the method autoshard-rl").optional(),
    }),
  ]),
  splits: splits.optional(),
  tables: tables(featuresTableSchema),
});

const torchrecSchema = z.strictObject({
  ...instanceFields,
  costModel: z.literal("torchrec"),
  cluster: instanceFields.cluster.optional(),
  torchrec: z
    .looseObject({
      version: torchrecVersion.optional(),
      topology: z
        .looseObject({
          world_size: positiveInteger("ranks").optional(),
          local_world_size: positiveInteger("ranks of one host").optional(),
          pod_size: positiveInteger("hosts of one NVLink domain").optional(),
        })
        .default({})
        .describe("TorchRec's topology"),
      devices: z
        .array(z.looseObject({ hbm: notNegativeBytes("bytes of HBM left for tables") }))
        .optional()
        .describe("memory of every rank"),
      reservation: torchrecReservation.optional(),
      runnable: torchrecRunnable,
      countVirtual: torchrecCountVirtual,
    })
    .prefault({ topology: {}, runnable: true, countVirtual: false })
    .describe("TorchRec's problem without its tables: topology, batch_size, devices, …"),
  splits: z.strictObject({ hotRows: hotRows.optional() }).optional().describe("how tables may be cut: hotRows"),
  caches: caches.optional(),
  groups: groupSizes.optional(),
  tables: tables(torchrecTable),
});

/** The schema of each family of cost models: they differ in what a table is. */
export const TABLE_PLACEMENT_SCHEMAS = {
  given: givenSchema,
  options: optionsSchema,
  features: featuresSchema,
  torchrec: torchrecSchema,
} as const;

export type PlacementFamily = keyof typeof TABLE_PLACEMENT_SCHEMAS;
export type GivenInput = z.output<typeof givenSchema>;
export type OptionsInput = z.output<typeof optionsSchema>;
export type FeaturesInput = z.output<typeof featuresSchema>;
export type TorchrecInput = z.output<typeof torchrecSchema>;
export type TablePlacementInput = GivenInput | OptionsInput | FeaturesInput | TorchrecInput;
export type PlacementClusterInput = GivenInput["cluster"];
