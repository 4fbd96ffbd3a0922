import { buildRowTiers } from "../../models/row-tiers/build.js";
import { directProgram } from "../../models/table-placement/direct-program.js";
import { placementProblem } from "../../models/table-placement/from-instance.js";
import { tableClasses } from "../access/table-classes.js";
import { InputError } from "../errors/input-error.js";
import type { RowTiersInstance } from "../instance/instance.js";
import type { TablePlacementInstance } from "../instance/table-placement-instance.js";
import { writeLp } from "../program/lp/write.js";
import { writeMps } from "../program/mps/write.js";
import type { Program } from "../program/program.js";
import type { ProgramFormat } from "../program/read-program.js";

/**
 * The text of the program that an instance's plans are proved on (models/row-tiers, models/table-placement), for other
 * solvers: free MPS or CPLEX-LP, every digit written. Names are those of models/row-tiers/README.md, or of
 * models/table-placement.
 *
 * Throws `InputError` when a counts file of the instance cannot be read, or its costs are those of a network.
 */
export async function planProgramText(
  instance: RowTiersInstance | TablePlacementInstance,
  format: ProgramFormat,
): Promise<string> {
  const program = instance.problem === "row-tiers" ? await rowTiersProgram(instance) : placementProgram(instance);
  return format === "mps" ? writeMps(program) : writeLp(program);
}

async function rowTiersProgram(instance: RowTiersInstance): Promise<Program> {
  const access = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
  return buildRowTiers(instance, access).program;
}

function placementProgram(instance: TablePlacementInstance): Program {
  const problem = placementProblem(instance);
  if (problem.setCost !== undefined) {
    const message = "learned costs (costModel: {neural: FILE}) have no linear program; export the plan --to torchrec";
    throw new InputError(message, instance.file);
  }
  return directProgram(problem).program;
}
