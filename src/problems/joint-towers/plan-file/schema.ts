import { z } from "zod";
import { certificateShape, exactNumber, exactShape, listOf, word } from "../../plan-file/plan-shape.js";
import { towerPartitionPlanSchema } from "../../tower-partition/plan-file/schema.js";
import { JOINT_TOWERS_STATUSES } from "./by-status.js";

/** The shape of {@link JointPlan}, as `schema.ts` has that of the rest. */
const number = z.number();
const text = z.string();
const numbers = listOf(number);
const exact = z.strictObject(exactShape);
const status = word(...Object.keys(JOINT_TOWERS_STATUSES));

const seconds = z.strictObject({
  value: number.nullable(),
  bound: number.nullable(),
  gap: number.nullable(),
  exact,
});

const placement = z.strictObject({
  status,
  largestElements: number.nullable(),
  bound: exactNumber.nullable(),
  choices: listOf(z.tuple([number, numbers])).nullable(),
  certificate: certificateShape,
});

const unplaceable = z.strictObject({ features: z.array(text), certificate: certificateShape });

const row = z.strictObject({
  towers: number,
  hostsPerTower: number,
  status,
  reason: text.nullable(),
  seconds,
  idSeconds: number.nullable(),
  partition: z.strictObject({
    status,
    value: number.nullable(),
    bound: number.nullable(),
    gap: number.nullable(),
    exact,
    numbering: numbers.nullable(),
    certificate: certificateShape,
    unplaceable: z.array(unplaceable).optional(),
  }),
  largestElements: number.nullable(),
  largestBytes: number.nullable(),
  placements: listOf(placement).nullable(),
});

const steps = z
  .array(
    z.strictObject({
      pass: word("forward", "backward"),
      step: text,
      world: number,
      insideHostBytes: number,
      acrossHostsBytes: number,
      hostMemoryBytes: number.optional(),
      seconds: number,
    }),
  )
  .nullable();

const jointPlanSchema = z.strictObject({
  chosen: z.strictObject({ towers: number, hostsPerTower: number }).nullable(),
  seconds,
  memory: z.strictObject({ hbmBytesPerGpu: number.nullable() }),
  flat: z.strictObject({
    status,
    seconds,
    idSeconds: number.nullable(),
    largestBytes: number.nullable(),
    steps,
    placement: placement.nullable(),
  }),
  steps,
  devices: listOf(listOf(text)).nullable(),
  deviceBytes: numbers.nullable(),
  deviceElements: numbers.nullable(),
  deviceHostBytes: numbers.nullable().optional(),
  tables: z
    .array(
      z.strictObject({
        ...{ name: text, tower: number, shardingType: text, ranks: numbers, sizes: numbers },
        hotRows: number.optional(),
        cacheLoadFactor: number.optional(),
      }),
    )
    .nullable(),
  rows: listOf(row),
});

/** A plan file of towers, with what is chosen beside them. */
export const jointTowersPlanSchema = towerPartitionPlanSchema.extend({ joint: jointPlanSchema });

export type WrittenJointTowersPlan = z.output<typeof jointTowersPlanSchema>;
export type WrittenJointPlan = z.output<typeof jointPlanSchema>;
export type WrittenUnplaceable = z.output<typeof unplaceable>;
