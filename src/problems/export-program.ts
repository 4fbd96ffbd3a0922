import { jointGrouping } from "../../models/joint-towers/grouping.js";
import type { TowerShape } from "../../models/joint-towers/setting.js";
import { buildRowTiers } from "../../models/row-tiers/build.js";
import { directProgram } from "../../models/table-placement/direct-program.js";
import { placementProblem } from "../../models/table-placement/from-instance.js";
import { neuralProgram } from "../../models/table-placement/learned/build.js";
import { neuralHead } from "../../models/table-placement/learned/head.js";
import { boundedCliqueProgram } from "../../models/tower-partition/bounded-clique-program.js";
import { towerGrouping } from "../../models/tower-partition/build.js";
import { towerInteraction } from "../access/interaction/tower-interaction.js";
import { tableClasses } from "../access/table-classes.js";
import type { Instance, RowTiersInstance } from "../instance/instance.js";
import type { TablePlacementInstance } from "../instance/table-placement-instance.js";
import type { TowerPartitionInstance } from "../instance/tower-partition-instance.js";
import { writeLp } from "../program/lp/write.js";
import { writeMps } from "../program/mps/write.js";
import type { Program } from "../program/program.js";
import type { ProgramFormat } from "../program/read-program.js";

/**
 * The text of the program that an instance's plans are proved on (models/row-tiers, models/table-placement), for other
 * solvers: free MPS or CPLEX-LP, every digit written. Names are those of models/row-tiers/README.md, or of
 * models/table-placement; under a learned cost it is the program of models/table-placement/learned, without a ceiling, of
 * which a plan's own may have one: the optimum is the same. Towers are proved on groups that no file can hold; theirs
 * is the compact program of models/tower-partition, which has the same optimum; of towers, hosts and tables chosen
 * together it is the partition's, with the memory that limits it, of the number of towers in `shape`, without the sets
 * of features that are `unplaceable` in one tower.
 *
 * Throws `InputError` when a counts file, the matrix or the network of the instance cannot be read, or it has so many features
 * that the compact program is too large.
 */
export async function planProgramText(
  instance: Instance,
  format: ProgramFormat,
  shape: TowerShape | null = null,
  unplaceable: readonly (readonly number[])[] = [],
): Promise<string> {
  const program = await programOf(instance, shape, unplaceable);
  return format === "mps" ? writeMps(program) : writeLp(program);
}

function programOf(
  instance: Instance,
  shape: TowerShape | null,
  unplaceable: readonly (readonly number[])[],
): Program | Promise<Program> {
  if (instance.problem === "row-tiers") return rowTiersProgram(instance);
  if (instance.problem === "table-placement") return placementProgram(instance);
  return towerProgram(instance, shape, unplaceable);
}

async function towerProgram(
  instance: TowerPartitionInstance,
  shape: TowerShape | null,
  unplaceable: readonly (readonly number[])[],
): Promise<Program> {
  const { joint, file } = instance;
  const interaction = await towerInteraction(instance);
  const isJoint = joint !== undefined && shape !== null;
  const grouping = isJoint
    ? jointGrouping(instance, joint, shape, interaction, unplaceable)
    : towerGrouping(instance, interaction);
  return boundedCliqueProgram(grouping, file).program;
}

async function rowTiersProgram(instance: RowTiersInstance): Promise<Program> {
  const access = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
  return buildRowTiers(instance, access).program;
}

function placementProgram(instance: TablePlacementInstance): Program {
  const problem = placementProblem(instance);
  const { setCost } = problem;
  return setCost === undefined
    ? directProgram(problem).program
    : neuralProgram(problem, neuralHead(instance, setCost)).program;
}
