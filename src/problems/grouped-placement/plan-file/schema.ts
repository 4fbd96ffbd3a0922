import type { z } from "zod";
import { groupsShape } from "../../table-placement/plan-file/groups.js";
import { tablePlacementPlanSchema } from "../../table-placement/plan-file/plan-file.js";

/** A plan file of groups: that of a placement on one group, with what is known of every size. */
export const groupedPlacementPlanSchema = tablePlacementPlanSchema.extend({
  groups: groupsShape.describe("groups of devices, each with a copy of the tables"),
});

export type WrittenGroupedPlan = z.output<typeof groupedPlacementPlanSchema>;
