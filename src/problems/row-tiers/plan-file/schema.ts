import { z } from "zod";
import { COLLECTIVES } from "../../../instance/cluster.js";
import { ROW_TIERS_PUBLISHED } from "../../plan-file/method-names.js";
import {
  certificateShape,
  envelopeShape,
  exactNumber,
  exactShape,
  listOf,
  methodShape,
  valueShape,
  word,
} from "../../plan-file/plan-shape.js";
import { ROW_TIERS_GOALS, ROW_TIERS_OBJECTIVES, TIERS } from "../instance/instance.js";

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

const proof = z.strictObject({ classes: number, columns: number, steps: number, branchings: number });

const stage = z.strictObject({
  minimize: word(...ROW_TIERS_GOALS),
  allow: text.describe("how much worse it may be for the goals after it"),
  unit: word("s", "B", "rows"),
  status: text.describe("of this stage"),
  value: number.describe("what the plan has of it"),
  best: number.describe("the least that was found, of a plan of its own"),
  bound: number.describe("proved in exact arithmetic: no plan that keeps to the stages before is better"),
  gap: number.describe("|best - bound| / |best|"),
  most: number.describe("the most that later stages may have"),
  floor: z
    .strictObject({
      binding: listOf(z.strictObject({ limit: text, at: number })).nullable(),
      largest: z.strictObject({ table: text, tier, share: number }).nullable(),
      words: text,
    })
    .describe("why it cannot be less"),
  exact: z.strictObject({ value: exactNumber, best: exactNumber, bound: exactNumber, most: exactNumber }),
  runs: listOf(runs).nullable().describe("the plan of best; null of the last, whose plan is the file's"),
  proof,
  certificate: certificateShape.describe("null of the first, whose certificate is the file's"),
});

export const rowTiersPlanSchema = z.strictObject({
  ...envelopeShape(ROW_TIERS_PUBLISHED),
  objective: z
    .strictObject({ kind: word(...ROW_TIERS_OBJECTIVES, ...ROW_TIERS_GOALS.slice(1)), ...valueShape })
    .describe("what is minimised: seconds per iteration, or the first goal in its own unit"),
  time: z
    .strictObject({ kind: word(...ROW_TIERS_OBJECTIVES), seconds: number })
    .optional()
    .describe("seconds per iteration, where there are goals"),
  stages: listOf(stage, "the goals in order, where there are several").optional(),
  moves: z
    .strictObject({
      plan: text,
      rows: number,
      bytesPerGpu: number.describe("bytes that a GPU receives"),
      knownBy: listOf(z.strictObject({ table: text, by: word("counts", "same-access", "order", "new") })),
      moves: listOf(z.strictObject({ table: text, from: tier, to: tier, rows: number, bytesPerGpu: number })),
    })
    .nullable()
    .optional()
    .describe("rows that change the tier that a plan before has them in"),
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
  proof: proof.nullable(),
});

/** A plan file as read: its shape is right, nothing else of it is known to be. */
export type WrittenPlan = z.output<typeof rowTiersPlanSchema>;
