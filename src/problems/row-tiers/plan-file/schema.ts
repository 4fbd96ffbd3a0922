import { z } from "zod";
import { COLLECTIVES } from "../../../instance/cluster.js";
import { ROW_TIERS_PUBLISHED } from "../../plan-file/method-names.js";
import { envelopeShape, exactShape, listOf, methodShape, valueShape } from "../../plan-file/plan-shape.js";

/**
 * The shape of a plan file. Only the shape: whether a number or a word is right is for the verifier to say, with what it
 * should have been.
 */
const number = z.number();
const text = z.string();
const runs = listOf(z.tuple([number, text]));
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
      tier: text,
      rows: number,
      accessShare: number,
      parameterBytes: number,
      readBytesPerSample: number,
      memoryBytesPerGpu: number,
      hostBytesPerNode: number.optional(),
      collectives: perCollective.partial(),
    }),
  ),
  runs,
});

const baseline = z.strictObject({
  method: methodShape(ROW_TIERS_PUBLISHED),
  status: text,
  reason: text.nullable(),
  value: number.nullable(),
  bytesPerGpu: number.nullable(),
  aboveBound: number.nullable(),
  runs: listOf(runs).nullable(),
});

export const rowTiersPlanSchema = z.strictObject({
  ...envelopeShape(ROW_TIERS_PUBLISHED),
  objective: z.strictObject({
    kind: text,
    ...valueShape,
  }),
  exact: z.strictObject({
    ...exactShape,
    bytesPerGpu: text.nullable(),
    budgetBytesPerGpu: text,
    hostBytesPerNode: text.nullable().optional(),
  }),
  memory: z.strictObject({
    bytesPerGpu: number.nullable(),
    budgetBytesPerGpu: number,
    hbmBytesPerGpu: number.nullable(),
    host: z.strictObject({ bytesPerNode: number.nullable(), budgetBytesPerNode: number }).optional(),
  }),
  collectives: perCollective.partial({ hostToDevice: true }).nullable(),
  prices: z.strictObject({
    secondsPerGiBPerGpu: number.nullable(),
    pricePerByte: text.nullable(),
    host: z.strictObject({ secondsPerGiBPerNode: number, pricePerByte: text }).optional(),
  }),
  baseline: listOf(baseline),
  infeasibility: z
    .strictObject({
      leastBytesPerGpu: number,
      tables: listOf(z.strictObject({ name: text, leastBytesPerGpu: number })),
      conflict: listOf(text),
      explanation: text,
    })
    .nullable(),
  tables: listOf(table),
  proof: z.strictObject({ classes: number, columns: number, steps: number, branchings: number }).nullable(),
});

/** A plan file as read: its shape is right, nothing else of it is known to be. */
export type WrittenPlan = z.output<typeof rowTiersPlanSchema>;
