import { groupInstance } from "../../../models/grouped-placement/group-instance.js";
import { placementProblem } from "../../../models/table-placement/from-instance.js";
import { InputError } from "../../errors/input-error.js";
import type { GroupsChoice } from "../../instance/types/groups.js";
import { showShardingPlan } from "../../interop/show.js";
import { requireRunnable } from "../../interop/torchrec/broken-rules.js";
import { shardingNotes, shardingPlan } from "../../interop/torchrec/export-placement.js";
import { type OpenInstance, planWithInstance, requirePlanned } from "../../plan-file/original-plan.js";
import { writePlan } from "../../plan-file/write-plan.js";
import type { Exportable } from "../exportable.js";
import { placementProgram } from "../table-placement/export.js";
import { tablePlacementReader } from "../table-placement/instance/reader.js";
import { requireWithinLimits } from "../table-placement/plan-file/within-limits.js";
import { groupedPlacementPlanSchema } from "./plan-file/schema.js";

/**
 * Reads the plan file of groups and its instance: for other tools it is a plan of one group of the chosen size, with what
 * TorchRec's `DMPCollection` is made with. Without a plan there is the program of the largest group. Throws `InputError` as
 * `readExportablePlacement` does.
 */
export async function exportGroups(text: string, file: string, openInstance: OpenInstance): Promise<Exportable> {
  const source = { text, file, openInstance };
  const { plan, instance } = await planWithInstance(tablePlacementReader, groupedPlacementPlanSchema, source);
  const { groups } = instance;
  const size = plan.groups.chosen ?? groups?.sizes.at(-1);
  if (groups === undefined || size === undefined || !groups.sizes.includes(size)) {
    throw new InputError("expected a plan of groups whose size the instance has, received another; plan again", file);
  }
  const own = groupInstance({ ...instance, groups }, size);
  return {
    program: async () => placementProgram(own),
    torchrec: (module) => {
      requirePlanned(plan, file);
      const problem = placementProblem(own);
      const placement = { choices: plan.tables.map(({ option, ranks }) => ({ option, devices: ranks })) };
      requireWithinLimits(problem, placement, file);
      const { method, status } = plan;
      const placed = { instance: own, problem, placement, method, status };
      const parallelism = parallelismOf(groups, size, plan.groups.devices);
      requireRunnable(placed, file);
      const sharding = { ...shardingPlan(placed, module), parallelism };
      const notes = [collectionNote(groups, parallelism), ...shardingNotes(placed)];
      return {
        text: writePlan(sharding),
        shown: (written) => showShardingPlan(sharding, placed, written, notes),
        notes,
      };
    },
    remap: "which send no rows to tiers; use --to torchrec",
  };
}

/** What a `DMPCollection` is made with. */
function parallelismOf({ layout, isFullySharded }: GroupsChoice, size: number, devices: number) {
  return {
    wrapper: "DMPCollection",
    world_size: devices,
    sharding_group_size: size,
    use_inter_host_allreduce: layout === "contiguous",
    sharding_strategy: isFullySharded ? "fully_sharded" : "default",
  } as const;
}

function collectionNote(
  { isFullySharded, syncEvery }: GroupsChoice,
  { sharding_group_size, world_size, use_inter_host_allreduce }: ReturnType<typeof parallelismOf>,
): string {
  const sync = isFullySharded ? "ShardingStrategy.FULLY_SHARDED" : `sync() every ${syncEvery} iterations`;
  const layout = use_inter_host_allreduce ? "True" : "False";
  return `the plan of one group, for a DMPCollection with sharding_group_size=${sharding_group_size}, world_size=${world_size}, use_inter_host_allreduce=${layout}; ${sync}`;
}
