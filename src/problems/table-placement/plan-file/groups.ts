import { z } from "zod";
import { GROUP_LAYOUTS } from "../../../instance/types/groups.js";
import { covered, type Fields, listOf, type Named, number, textOf, word } from "../../../plan-file/fields.js";
import { exactShape } from "../../../plan-file/plan-shape.js";
import type { Verdict } from "../../../proof/verdict.js";
import { certifiedShape } from "./proof-on.js";

const sizeFields = {
  /** Devices of a group, and how many groups there are. */
  size: number.describe("devices of a group"),
  copies: number.describe("groups, each with a copy of the tables"),
  /** Hosts that a group's devices are on. */
  hosts: number.describe("hosts that a group's devices are on"),
  /** `unknown`: no plan was found, nor proved to be none. */
  status: textOf<Verdict["status"] | "unknown">(),
  value: number.nullable(),
  /** Proved: no plan with groups of this size has less. There may be one without a plan. */
  bound: number.nullable().describe("proved: no plan with groups of this size has less"),
  gap: number.nullable(),
  /** Integers or fractions in lowest terms. */
  exact: z.strictObject(exactShape),
  /** The most that a device's synchronisation takes of each iteration; part of its cost. */
  syncMilliseconds: number.nullable().describe("the most that a device's synchronisation takes of each iteration"),
  /** Bytes of the fullest device. */
  largestBytes: number.nullable().describe("bytes of the fullest device"),
  /** The same during the look-ups, where copies are fully sharded outside them. */
  largestLookupBytes: number.nullable().optional().describe("the same during the look-ups, with fully-sharded memory"),
  /** `null`: the plan's own, which is that of the chosen size, or none. */
  choices: covered(
    "chosen",
    listOf(z.tuple([number, listOf(number)]))
      .nullable()
      .describe("for each table its option and the device of each shard; null: the plan's own, or none"),
  ),
  /** `null`: the plan's own, or none. */
  ...certifiedShape,
};
export interface PlacementGroupSize extends Fields<typeof sizeFields> {}
const size: Named<PlacementGroupSize, typeof sizeFields> = z.strictObject(sizeFields);

const groupsFields = {
  /** Devices of a group of the chosen size; `null` where no size has a plan. */
  chosen: number.nullable().describe("devices of a group of the chosen size; null where no size has a plan"),
  /** Of the whole cluster. */
  devices: number.describe("of the whole cluster"),
  layout: word(...GROUP_LAYOUTS),
  syncEvery: number,
  /** In the order of their sizes. */
  sizes: listOf(size, "every size, rising"),
};
/**
 * What a plan has where the devices are parted into groups, each with a copy of the tables: every size with what is proved of it.
 * The rest of the file is about one group of the chosen size, but for the bound, the gap and the status, which are of all sizes
 * together: the bound is the least of theirs.
 *
 * Apart from choices and certificates, every field follows from those and the instance.
 */
export interface PlacementGroups extends Fields<typeof groupsFields> {}
export const groupsShape: Named<PlacementGroups, typeof groupsFields> = z.strictObject(groupsFields);
