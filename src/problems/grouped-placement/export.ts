import { type GroupedInstance, groupInstance } from "../../../models/grouped-placement/group-instance.js";
import { placementProblem } from "../../../models/table-placement/from-instance.js";
import { InputError } from "../../errors/input-error.js";
import { showShardingPlan } from "../../interop/show.js";
import { shardingNotes, shardingPlan } from "../../interop/torchrec/export-placement.js";
import type { Exportable } from "../exportable.js";
import { type OpenInstance, planWithInstance, requirePlanned } from "../plan-file/original-plan.js";
import { writePlan } from "../plan-file/write-plan.js";
import { placementProgram } from "../table-placement/export.js";
import { tablePlacementReader } from "../table-placement/instance/reader.js";
import { requireWithinLimits } from "../table-placement/plan-file/within-limits.js";
import { groupedPlacementPlanSchema } from "./plan-file/schema.js";

/**
 * Reads the plan file of groups and its instance: for other tools it is a plan of one group of the chosen size, with what
 * TorchRec's `DMPCollection` is made with. Throws `InputError` as `readExportablePlacement` does.
 */
export async function exportGroups(text: string, file: string, openInstance: OpenInstance): Promise<Exportable> {
  const source = { text, file, openInstance };
  const { plan, instance } = await planWithInstance(tablePlacementReader, groupedPlacementPlanSchema, source);
  requirePlanned(plan, file);
  const { chosen, devices } = plan.groups;
  if (chosen === null || !instance.groups?.sizes.includes(chosen)) {
    throw new InputError("expected a plan of groups whose size the instance has, received another; plan again", file);
  }
  const own = groupInstance(instance as GroupedInstance, chosen);
  const problem = placementProblem(own);
  const placement = { choices: plan.tables.map(({ option, ranks }) => ({ option, devices: ranks })) };
  requireWithinLimits(problem, placement, file);
  const { method, status, digest } = plan;
  const placed = { instance: own, problem, placement, method, status, digest };
  const { layout, isFullySharded, syncEvery } = instance.groups;
  const parallelism = {
    wrapper: "DMPCollection",
    world_size: devices,
    sharding_group_size: chosen,
    use_inter_host_allreduce: layout === "contiguous",
    sharding_strategy: isFullySharded ? "fully_sharded" : "default",
  } as const;
  return {
    program: async () => placementProgram(own),
    torchrec: (module) => {
      const sharding = { ...shardingPlan(placed, module), parallelism };
      const collection = `DMPCollection with sharding_group_size=${chosen} on ${devices} ranks, use_inter_host_allreduce=${layout === "contiguous" ? "True" : "False"}`;
      const sync = isFullySharded ? "ShardingStrategy.FULLY_SHARDED" : `sync() every ${syncEvery} iterations`;
      const notes = [`${collection}, ${sync}`, ...shardingNotes(placed)];
      return {
        text: writePlan(sharding),
        shown: (written) => showShardingPlan(sharding, placed, written, notes),
        notes,
      };
    },
    remap: "which send no rows to tiers; use --to torchrec",
  };
}
