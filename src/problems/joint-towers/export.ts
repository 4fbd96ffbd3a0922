import { jointGrouping } from "../../../models/joint-towers/grouping.js";
import { boundedCliqueProgram } from "../../../models/tower-partition/clique-program.js";
import { towerInteraction } from "../../access/interaction/tower-interaction.js";
import type { ExportableJoint } from "../../interop/exportable.js";
import { showShardingPlan } from "../../interop/show.js";
import { towerShardingPlan } from "../../interop/torchrec/export-towers.js";
import type { OpenInstance } from "../../plan-file/original-plan.js";
import { writePlan } from "../../plan-file/write-plan.js";
import type { Exportable, ExportedProgram } from "../exportable.js";
import { towerWords } from "../tower-partition/program-words.js";
import { readExportableJoint } from "./exportable.js";

/** Throws as {@link readExportableJoint} does. */
export async function exportJointTowers(text: string, file: string, openInstance: OpenInstance): Promise<Exportable> {
  const plan = await readExportableJoint(text, file, openInstance);
  return {
    program: () => chosenProgram(plan, plan.unplaceable()),
    torchrec: (module) => {
      const { notes, ...sharding } = towerShardingPlan(plan, module);
      return { text: writePlan(sharding), shown: (written) => showShardingPlan(sharding, plan, written, notes) };
    },
    remap: "which send no rows to tiers; use --to torchrec",
  };
}

/**
 * Of the chosen number of towers: the compact program of the partition with the memory that limits it, without the sets of
 * features that have no place in one tower.
 */
export async function chosenProgram(
  { instance, setting, shape }: Pick<ExportableJoint, "instance" | "setting" | "shape">,
  unplaceable: readonly (readonly number[])[],
): Promise<ExportedProgram> {
  const interaction = await towerInteraction(instance);
  const grouping = jointGrouping(instance, setting, shape, interaction, unplaceable);
  const { program } = boundedCliqueProgram(grouping, instance.file);
  // What limits beside the instance's own load is memory.
  const memory = instance.load?.ratio == null ? grouping.load : (grouping.furtherLoads?.[0] ?? null);
  return { program, words: () => towerWords(grouping, memory) };
}
