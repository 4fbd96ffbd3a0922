import { z } from "zod";
import { accessSchema } from "../../../instance/schema/access.js";
import { allowanceSchema } from "../../../instance/schema/allowance.js";
import { clusterSchema } from "../../../instance/schema/cluster.js";
import { elementType, positive, positiveInteger, text } from "../../../instance/schema/fields.js";
import { notNegativeBytes, withUnit } from "../../../instance/schema/quantities.js";
import { ROW_TIERS_GOALS, ROW_TIERS_OBJECTIVES, TIERS } from "../../../instance/types/row-tiers.js";

const budget = z
  .union([
    z.literal("memory-neutral"),
    z.strictObject({ bytesPerGpu: notNegativeBytes("bytes that a plan may use on each GPU") }),
    z.strictObject({
      extraBytesPerGpu: withUnit("bytes", z.number().describe("bytes per GPU over those of the all-row_wise plan")),
    }),
  ])
  .prefault("memory-neutral")
  .describe("memory-neutral, {bytesPerGpu: BYTES} or {extraBytesPerGpu: BYTES}");

const table = z.strictObject({
  name: text("the table's name, once only"),
  rows: positiveInteger("rows of the table"),
  dim: positiveInteger("elements per row"),
  dataType: elementType.describe("type of an element"),
  // The other poolings parse, so that checks/tables.ts can say why they are refused.
  pooling: z.string().default("sequence").describe("only sequence: FlexShard's cost model has unpooled embeddings"),
  access: accessSchema,
});

const goal = z.strictObject({
  minimize: z.enum(ROW_TIERS_GOALS).describe("what is minimised at this stage"),
  allow: allowanceSchema,
});

const from = z
  .strictObject({
    plan: text("file of the plan that says where the rows are now"),
    instance: text("file of the plan's instance: how its rows were read").optional(),
    order: z.literal("same").optional().describe("same: rows are in the same order of access as they were then"),
    mostMovedRows: z.int().min(0).optional().describe("most rows that may change their tier"),
    mostMovedBytes: notNegativeBytes("most bytes that a GPU may receive for rows that change their tier").optional(),
  })
  .describe("plan: where the rows are now; mostMovedRows, mostMovedBytes: how much may move");

export const rowTiersSchema = z.strictObject({
  shardproof: z.literal(1).describe("version of the format"),
  name: text("name of the instance"),
  problem: z.literal("row-tiers"),
  source: z.string().optional().describe("where the numbers come from"),
  cluster: clusterSchema,
  training: z
    .strictObject({
      batchPerGpu: positive("samples per GPU and iteration"),
      replicaMemoryFactor: positive("memory of a data-parallel parameter as a multiple of its size"),
    })
    .describe("batchPerGpu and replicaMemoryFactor"),
  tiers: z
    .array(z.enum(TIERS))
    .min(1)
    .default(["data_parallel", "flex", "row_wise"])
    .describe("strategies that a plan may use"),
  budget,
  objective: z.enum(ROW_TIERS_OBJECTIVES).default("serial").describe("what a plan minimises"),
  goals: z
    .array(goal)
    .min(1)
    .optional()
    .describe("several goals in order, each held within its allowance for those after it; default the time alone"),
  from: from.optional(),
  granularity: positiveInteger("rows move between tiers in multiples of this").default(1),
  tables: z.array(table).min(1).describe("the embedding tables"),
});

export type RowTiersInput = z.output<typeof rowTiersSchema>;
