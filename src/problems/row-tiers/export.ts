import { buildRowTiers } from "../../../models/row-tiers/build.js";
import { tableClasses } from "../../access/table-classes.js";
import { UsageError } from "../../errors/usage-error.js";
import { showTorchrecPlan } from "../../interop/show.js";
import { torchrecPlan } from "../../interop/torchrec/export-plan.js";
import type { Program } from "../../program/program.js";
import type { Exportable, TorchrecExport } from "../exportable.js";
import type { OpenInstance } from "../plan-file/original-plan.js";
import { writePlan } from "../plan-file/write-plan.js";
import { readExportablePlan } from "./exportable.js";
import type { RowTiersInstance } from "./instance/instance.js";

/** Throws as {@link readExportablePlan} does. */
export async function exportRowTiers(text: string, file: string, openInstance: OpenInstance): Promise<Exportable> {
  const plan = await readExportablePlan(text, file, openInstance);
  return {
    program: () => rowTiersProgram(plan.instance),
    torchrec: (module): TorchrecExport => {
      if (module !== undefined) throw new UsageError(NO_MODULE);
      const tiers = torchrecPlan(plan);
      return { text: writePlan(tiers), shown: (written) => showTorchrecPlan(tiers, written) };
    },
    rows: () => plan,
  };
}

const NO_MODULE =
  "--module is for plans of table-placement, and of towers with tables; those of row-tiers have modules of their own";

/** The program with every class of rows; names are those of models/row-tiers/README.md. Throws `InputError`. */
export async function rowTiersProgram(instance: RowTiersInstance): Promise<Program> {
  const access = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
  return buildRowTiers(instance, access).program;
}
