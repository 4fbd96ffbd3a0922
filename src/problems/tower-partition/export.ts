import { towerGrouping } from "../../../models/tower-partition/build.js";
import { boundedCliqueProgram } from "../../../models/tower-partition/clique-program.js";
import { towerInteraction } from "../../access/interaction/tower-interaction.js";
import type { TowerPartitionInstance } from "../../instance/types/tower-partition.js";
import { type OpenInstance, planWithInstance } from "../../plan-file/original-plan.js";
import type { Exportable, ExportedProgram } from "../exportable.js";
import { towerPartitionReader } from "./instance/reader.js";
import { towerPartitionPlanSchema } from "./plan-file/plan-file.js";
import { towerWords } from "./program-words.js";

/**
 * Reads the plan file of a partition and its instance. Throws `InputError` when the text is no tower-partition plan, was
 * changed after it was written, or was made for another instance. A plan file that has no towers will do: its program can
 * be exported.
 */
export async function exportTowers(text: string, file: string, openInstance: OpenInstance): Promise<Exportable> {
  const { instance } = await planWithInstance(towerPartitionReader, towerPartitionPlanSchema, {
    text,
    file,
    openInstance,
  });
  return {
    program: () => towerProgram(instance),
    torchrec: NO_PLACES,
    remap: "which send no rows to tiers; use --to lp or mps",
  };
}

const NO_PLACES =
  "which only say which features share a tower; with cluster, training and tables in its instance, `plan` places tables too";

/**
 * Towers are proved on groups that no file can hold: this is the compact program of models/tower-partition, which has the
 * same optimum. Throws `InputError` where the matrix cannot be read, or there are too many features for it.
 */
export async function towerProgram(instance: TowerPartitionInstance): Promise<ExportedProgram> {
  const grouping = towerGrouping(instance, await towerInteraction(instance));
  const { program } = boundedCliqueProgram(grouping, instance.file);
  return { program, words: () => towerWords(grouping) };
}
