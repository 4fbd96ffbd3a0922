import { z } from "zod";
import { certificateShape, exactShape, listOf, word } from "../../plan-file/plan-shape.js";
import { GROUP_LAYOUTS } from "../../table-placement/instance/groups.js";
import { tablePlacementPlanSchema } from "../../table-placement/plan-file/schema.js";

const number = z.number();

const size = z.strictObject({
  size: number.describe("devices of a group"),
  copies: number.describe("groups, each with a copy of the tables"),
  hosts: number.describe("hosts that a group's devices are on"),
  status: z.string(),
  value: number.nullable(),
  bound: number.nullable().describe("proved: no plan with groups of this size has less"),
  gap: number.nullable(),
  exact: z.strictObject(exactShape),
  syncMilliseconds: number.nullable().describe("the most that a device's synchronisation takes of each iteration"),
  largestBytes: number.nullable().describe("bytes of the fullest device"),
  largestLookupBytes: number.nullable().optional().describe("the same during the look-ups, with fully-sharded memory"),
  choices: listOf(z.tuple([number, listOf(number)]))
    .nullable()
    .describe("for each table its option and the device of each shard; null: the plan's own, or none"),
  certificate: certificateShape,
});

/** A plan file of groups: that of a placement on one group, with what is known of every size. */
export const groupedPlacementPlanSchema = tablePlacementPlanSchema.extend({
  groups: z
    .strictObject({
      chosen: number.nullable().describe("devices of a group of the chosen size; null where no size has a plan"),
      devices: number.describe("of the whole cluster"),
      layout: word(...GROUP_LAYOUTS),
      syncEvery: number,
      sizes: listOf(size, "every size, rising"),
    })
    .describe("groups of devices, each with a copy of the tables"),
});

export type WrittenGroupedPlan = z.output<typeof groupedPlacementPlanSchema>;
export type WrittenGroupSize = WrittenGroupedPlan["groups"]["sizes"][number];
