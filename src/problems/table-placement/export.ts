import { directProgram } from "../../../models/table-placement/direct-program.js";
import { placementProblem } from "../../../models/table-placement/from-instance.js";
import { neuralProgram } from "../../../models/table-placement/learned/build.js";
import { neuralHead } from "../../../models/table-placement/learned/head.js";
import type { TablePlacementInstance } from "../../instance/types/table-placement.js";
import type { ExportablePlacement } from "../../interop/exportable.js";
import { showRemap, showShardingPlan } from "../../interop/show.js";
import { requireRunnable } from "../../interop/torchrec/broken-rules.js";
import { shardingNotes, shardingPlan } from "../../interop/torchrec/export-placement.js";
import type { OpenInstance } from "../../plan-file/original-plan.js";
import { writePlan } from "../../plan-file/write-plan.js";
import { type Exportable, type Exported, type ExportedProgram, type RemapRequest, rankFilesOf } from "../exportable.js";
import { readExportablePlacement } from "./exportable.js";
import { requireDirectProgram } from "./plan-file/require-direct-program.js";
import { placementWords } from "./program-words.js";

/** Throws as {@link readExportablePlacement} does. */
export async function exportPlacement(text: string, file: string, openInstance: OpenInstance): Promise<Exportable> {
  const plan = await readExportablePlacement(text, file, openInstance);
  return {
    program: async () => placementProgram(plan.instance),
    torchrec: (module) => {
      requireRunnable(plan, file);
      const sharding = shardingPlan(plan, module);
      const notes = shardingNotes(plan);
      return { text: writePlan(sharding), shown: (written) => showShardingPlan(sharding, plan, written, notes), notes };
    },
    remap: (request) => exportRemap(plan, request),
  };
}

async function exportRemap(plan: ExportablePlacement, request: RemapRequest): Promise<Exported> {
  // It writes files, which the playground cannot.
  const { writePlacementRemap } = await import("../../interop/remap/write-placement-remap.js");
  const { folder, rankFiles, ...options } = request;
  const manifest = await writePlacementRemap(plan, folder, {
    ...options,
    rankFiles: rankFilesOf(rankFiles, plan.instance),
  });
  return { text: writePlan(manifest), shown: (written) => showRemap(manifest, written) };
}

/**
 * The program of one device for every shard (models/table-placement); under a learned cost that of its network, without a
 * ceiling, of which a plan's own may have one: the optimum is the same. Throws `InputError`.
 */
export function placementProgram(instance: TablePlacementInstance): ExportedProgram {
  const problem = placementProblem(instance);
  const { setCost } = problem;
  if (setCost !== undefined) {
    const { program } = neuralProgram(problem, neuralHead(instance, setCost));
    return { program, words: () => placementWords(instance, problem, null) };
  }
  requireDirectProgram(problem, instance.file);
  const { program, structure } = directProgram(problem);
  return { program, words: () => placementWords(instance, problem, structure.unit) };
}
