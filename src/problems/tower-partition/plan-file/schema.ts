import { z } from "zod";
import { TOWER_PUBLISHED } from "../../plan-file/method-names.js";
import { envelopeShape, exactShape, listOf, methodShape, valueShape } from "../../plan-file/plan-shape.js";

/**
 * The shape of a tower-partition plan file. Only the shape: whether a number or a word is right is for the verifier to
 * say, with what it should have been.
 */
const number = z.number();
const text = z.string();
const numbers = listOf(number);

const baseline = z.strictObject({
  method: methodShape(TOWER_PUBLISHED),
  status: text,
  reason: text.nullable(),
  value: number.nullable(),
  aboveBound: number.nullable(),
  capturedShare: number.nullable(),
  numbering: numbers.nullable(),
});

const infeasibility = z.strictObject({
  kind: text,
  conflict: listOf(text),
  loadNeeded: number.nullable(),
  loadAllowed: number.nullable(),
  relaxed: z.strictObject({ loadRatio: number, numbering: numbers }).nullable(),
  explanation: text,
});

export const towerPartitionPlanSchema = z.strictObject({
  ...envelopeShape(TOWER_PUBLISHED),
  stopped: z.literal(true).optional(),
  objective: z.strictObject({
    kind: text,
    strategy: text,
    ...valueShape,
  }),
  exact: z.strictObject(exactShape),
  random: z.strictObject({ value: number, capturedShare: number.nullable() }).nullable(),
  towers: listOf(listOf(text)).nullable(),
  sizes: numbers.nullable(),
  towerCosts: numbers.nullable(),
  loads: numbers.nullable(),
  limits: z.strictObject({
    sizes: listOf(z.tuple([number, number])),
    load: z.strictObject({ ratio: number, mean: number, most: number }).nullable(),
  }),
  baseline: listOf(baseline),
  infeasibility: infeasibility.nullable(),
  proof: z.strictObject({ steps: number, branchings: number }).nullable(),
});

/** A plan file as read: its shape is right, nothing else of it is known to be. */
export type WrittenTowerPlan = z.output<typeof towerPartitionPlanSchema>;
