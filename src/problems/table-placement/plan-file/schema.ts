import { z } from "zod";
import { GIVEN_PLACEMENT, PLACEMENT_PUBLISHED } from "../../plan-file/method-names.js";
import { envelopeShape, exactShape, listOf, methodShape, valueShape } from "../../plan-file/plan-shape.js";

/**
 * The shape of a table-placement plan file. Only the shape: whether a number or a word is right is for the verifier to
 * say, with what it should have been.
 */
const number = z.number();
const text = z.string();
const choices = listOf(z.tuple([number, listOf(number)]));
const perDevice = listOf(number).nullable();

const table = z.strictObject({
  name: text,
  option: number,
  shardingType: text,
  kernel: text,
  ranks: listOf(number),
  cost: number,
  hbmBytes: number,
  hostBytes: number,
});

const baseline = z.strictObject({
  method: methodShape(PLACEMENT_PUBLISHED),
  status: text,
  reason: text.nullable(),
  value: number.nullable(),
  aboveBound: number.nullable(),
  choices: choices.nullable(),
});

const infeasibility = z.strictObject({
  kind: text,
  memory: text,
  conflict: listOf(text),
  bytesNeeded: number.nullable(),
  bytesAvailable: number.nullable(),
  leastExtraBytesPerDevice: number.nullable(),
  relaxed: z.strictObject({ extraBytesPerDevice: number, choices }).nullable(),
  explanation: text,
});

const proof = z
  .strictObject({ columns: number, rows: number, ceiling: text.optional(), steps: number, branchings: number })
  .nullable();

const second = z.strictObject({
  goal: text,
  status: text.nullable(),
  value: number,
  bound: number.nullable(),
  gap: number.nullable(),
  exact: z.strictObject({ cap: text.nullable(), value: text, bound: text.nullable() }),
  proof,
  certificate: z.unknown(),
});

const price = z.strictObject({
  change: text,
  rate: number.nullable(),
  value: number.nullable(),
  difference: number.nullable(),
  reason: text.nullable(),
  proof: z.strictObject({ choices: choices.nullable(), certificate: z.unknown() }).optional(),
});

export const tablePlacementPlanSchema = z.strictObject({
  ...envelopeShape([...PLACEMENT_PUBLISHED, GIVEN_PLACEMENT]),
  stopped: z.literal(true).optional(),
  objective: z.strictObject({
    kind: text,
    unit: text.nullable(),
    ...valueShape,
  }),
  second: second.nullable(),
  phases: listOf(z.strictObject({ phase: text, cost: number, device: number })).nullable(),
  moves: z.strictObject({ mostMoved: number, moved: listOf(text) }).nullable(),
  exact: z.strictObject({
    ...exactShape,
    deviceCosts: listOf(text).nullable(),
  }),
  devices: listOf(listOf(text)).nullable(),
  // Its keys are names of tables, of which any text may be one: the verifier compares it as it is.
  choices: z.unknown(),
  deviceCosts: perDevice,
  deviceBytes: perDevice,
  memory: z.strictObject({
    hbmBytesPerGpu: perDevice,
    hostBytesPerGpu: perDevice,
    hostIsPooled: z.boolean(),
    deviceHostBytes: perDevice,
  }),
  tables: listOf(table),
  baseline: listOf(baseline),
  infeasibility: infeasibility.nullable(),
  prices: z.strictObject({ gibPerGpu: price, device: price }).nullable(),
  proof,
});

/** A plan file as read: its shape is right, nothing else of it is known to be. */
export type WrittenPlacementPlan = z.output<typeof tablePlacementPlanSchema>;
