import { z } from "zod";
import { TOWER_PUBLISHED } from "../../plan-file/method-names.js";
import {
  envelopeShape,
  exactShape,
  listOf,
  methodShape,
  stoppedShape,
  valueShape,
  word,
} from "../../plan-file/plan-shape.js";
import { TOWER_OBJECTIVES, TOWER_STRATEGIES } from "../instance/instance.js";

/**
 * The shape of a tower-partition plan file. Only the shape: whether a number or a word is right is for the verifier to
 * say, with what it should have been.
 */
const number = z.number();
const text = z.string();
const numbers = listOf(number);

const baseline = z.strictObject({
  method: methodShape(TOWER_PUBLISHED),
  status: word("plan", "breaks-limits", "none"),
  reason: text.nullable(),
  value: number.nullable(),
  aboveBound: number.nullable().describe("(value - bound) / bound"),
  capturedShare: number.nullable(),
  numbering: numbers.nullable().describe("the tower of each feature, from 0"),
});

const infeasibility = z
  .strictObject({
    kind: word("towers", "sizes", "feature", "company", "crowding", "arrangement"),
    conflict: listOf(text, "the features that do not fit"),
    loadNeeded: number.nullable(),
    loadAllowed: number.nullable(),
    relaxed: z.strictObject({ loadRatio: number, numbering: numbers }).nullable(),
    explanation: text,
  })
  .nullable()
  .describe("why there is no plan");

export const towerPartitionPlanSchema = z.strictObject({
  ...envelopeShape(TOWER_PUBLISHED),
  stopped: stoppedShape,
  objective: z
    .strictObject({ kind: word(...TOWER_OBJECTIVES), strategy: word(...TOWER_STRATEGIES), ...valueShape })
    .describe("what is minimised: distances inside towers"),
  exact: z.strictObject(exactShape),
  random: z
    .strictObject({ value: number, capturedShare: number.nullable() })
    .nullable()
    .describe("what a partition drawn at random is expected to come to"),
  towers: listOf(listOf(text)).nullable().describe("names of the features of each tower"),
  sizes: numbers.nullable().describe("features of each tower"),
  towerCosts: numbers.nullable().describe("what each tower adds to the objective"),
  loads: numbers.nullable().describe("weights of the features of each tower; null where the instance gives no load"),
  limits: z.strictObject({
    sizes: listOf(z.tuple([number, number])),
    load: z.strictObject({ ratio: number, mean: number, most: number }).nullable(),
  }),
  baseline: listOf(baseline),
  infeasibility,
  proof: z.strictObject({ steps: number, branchings: number }).nullable(),
});

/** A plan file as read: its shape is right, nothing else of it is known to be. */
export type WrittenTowerPlan = z.output<typeof towerPartitionPlanSchema>;
