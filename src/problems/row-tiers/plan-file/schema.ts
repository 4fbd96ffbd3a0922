import { z } from "zod";
import { COLLECTIVES } from "../../../instance/cluster.js";
import { ROW_TIERS_PUBLISHED } from "../../plan-file/method-names.js";
import {
  envelopeShape,
  exactNumber,
  exactShape,
  listOf,
  methodShape,
  valueShape,
  word,
} from "../../plan-file/plan-shape.js";
import { ROW_TIERS_OBJECTIVES, TIERS } from "../instance/instance.js";

/**
 * The shape of a plan file. Only the shape: whether a number or a word is right is for the verifier to say, with what it
 * should have been.
 */
const number = z.number();
const text = z.string();
const tier = word(...TIERS);
const runs = listOf(z.tuple([number, tier]), "[rows, tier] from the hottest row to the coldest");
const perCollective = z.strictObject(
  Object.fromEntries(COLLECTIVES.map((collective) => [collective, number])) as Record<
    (typeof COLLECTIVES)[number],
    z.ZodNumber
  >,
);

const table = z.strictObject({
  name: text,
  rows: number,
  tiers: listOf(
    z.strictObject({
      tier,
      rows: number,
      accessShare: number.describe("share of all accesses to the table"),
      parameterBytes: number,
      readBytesPerSample: number.describe("expected bytes that one sample reads"),
      memoryBytesPerGpu: number,
      hostBytesPerNode: number.optional(),
      collectives: perCollective.partial(),
    }),
  ),
  runs,
});

const baseline = z.strictObject({
  method: methodShape(ROW_TIERS_PUBLISHED),
  status: word("within-budget", "over-budget", "not-applicable"),
  reason: text.nullable(),
  value: number.nullable(),
  bytesPerGpu: number.nullable(),
  aboveBound: number.nullable().describe("(value - bound) / bound"),
  runs: listOf(runs).nullable(),
});

export const rowTiersPlanSchema = z.strictObject({
  ...envelopeShape(ROW_TIERS_PUBLISHED),
  objective: z
    .strictObject({ kind: word(...ROW_TIERS_OBJECTIVES), ...valueShape })
    .describe("what is minimised: seconds per iteration"),
  exact: z.strictObject({
    ...exactShape,
    bytesPerGpu: exactNumber.nullable(),
    budgetBytesPerGpu: exactNumber,
    hostBytesPerNode: exactNumber.nullable().optional(),
  }),
  memory: z.strictObject({
    bytesPerGpu: number.nullable(),
    budgetBytesPerGpu: number,
    hbmBytesPerGpu: number.nullable(),
    host: z.strictObject({ bytesPerNode: number.nullable(), budgetBytesPerNode: number }).optional(),
  }),
  collectives: perCollective
    .partial({ hostToDevice: true })
    .nullable()
    .describe("seconds per iteration of each collective, with latency"),
  prices: z.strictObject({
    secondsPerGiBPerGpu: number.nullable(),
    pricePerByte: exactNumber.nullable(),
    host: z.strictObject({ secondsPerGiBPerNode: number, pricePerByte: exactNumber }).optional(),
  }),
  baseline: listOf(baseline, "published methods beside the proved bound"),
  infeasibility: z
    .strictObject({
      leastBytesPerGpu: number,
      tables: listOf(z.strictObject({ name: text, leastBytesPerGpu: number })),
      conflict: listOf(text),
      explanation: text,
    })
    .nullable()
    .describe("why there is no plan"),
  tables: listOf(table, "the tiers of each table"),
  proof: z.strictObject({ classes: number, columns: number, steps: number, branchings: number }).nullable(),
});

/** A plan file as read: its shape is right, nothing else of it is known to be. */
export type WrittenPlan = z.output<typeof rowTiersPlanSchema>;
