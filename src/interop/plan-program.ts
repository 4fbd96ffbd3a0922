import { buildRowTiers } from "../../models/row-tiers/build.js";
import { tableClasses } from "../access/table-classes.js";
import type { RowTiersInstance } from "../instance/instance.js";
import { writeLp } from "../program/lp/write.js";
import { writeMps } from "../program/mps/write.js";
import type { ProgramFormat } from "../program/read-program.js";

/**
 * The text of the program that a row-tiers instance's plans are proved on (models/row-tiers), for other solvers: free MPS
 * or CPLEX-LP, every digit written, names as in models/row-tiers/README.md.
 *
 * Throws `InputError` when a counts file of the instance cannot be read.
 */
export async function planProgramText(instance: RowTiersInstance, format: ProgramFormat): Promise<string> {
  const access = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
  const { program } = buildRowTiers(instance, access);
  return format === "mps" ? writeMps(program) : writeLp(program);
}
