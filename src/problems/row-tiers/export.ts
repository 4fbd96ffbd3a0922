import { buildRowTiers } from "../../../models/row-tiers/build.js";
import { rowsBefore } from "../../access/rows-before.js";
import { tableClasses } from "../../access/table-classes.js";
import { UsageError } from "../../errors/usage-error.js";
import type { RowTiersInstance } from "../../instance/types/row-tiers.js";
import type { ExportablePlan } from "../../interop/exportable.js";
import { showRemap, showTorchrecPlan } from "../../interop/show.js";
import { torchrecPlan } from "../../interop/torchrec/export-plan.js";
import type { OpenInstance } from "../../plan-file/original-plan.js";
import { writePlan } from "../../plan-file/write-plan.js";
import { type Exportable, type Exported, type ExportedProgram, type RemapRequest, rankFilesOf } from "../exportable.js";
import { readExportablePlan } from "./exportable.js";
import { rowTiersWords } from "./program-words.js";

/** Throws as {@link readExportablePlan} does. */
export async function exportRowTiers(text: string, file: string, openInstance: OpenInstance): Promise<Exportable> {
  const plan = await readExportablePlan(text, file, openInstance);
  return {
    program: () => rowTiersProgram(plan.instance),
    torchrec: (module): Exported => {
      if (module !== undefined) throw new UsageError(NO_MODULE);
      const tiers = torchrecPlan(plan);
      return { text: writePlan(tiers), shown: (written) => showTorchrecPlan(tiers, written) };
    },
    remap: (request) => exportRemap(plan, request),
  };
}

const NO_MODULE =
  "--module is for plans of table-placement, and of towers with tables; those of row-tiers have modules of their own";

async function exportRemap(plan: ExportablePlan, request: RemapRequest): Promise<Exported> {
  // It writes files, which the playground cannot.
  const { writeRemap } = await import("../../interop/remap/write-remap.js");
  const { folder, rankFiles, ...options } = request;
  const manifest = await writeRemap(plan, folder, { ...options, rankFiles: rankFilesOf(rankFiles, plan.instance) });
  return { text: writePlan(manifest), shown: (written) => showRemap(manifest, written) };
}

/** The program with every class of rows; its own names are those of models/row-tiers/README.md. Throws `InputError`. */
export async function rowTiersProgram(instance: RowTiersInstance): Promise<ExportedProgram> {
  const access = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
  const { program, classes } = buildRowTiers(instance, access, await rowsBefore(instance));
  return { program, words: () => rowTiersWords(instance, classes) };
}
