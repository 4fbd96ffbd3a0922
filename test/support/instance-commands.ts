import type { Instance } from "../../src/instance/instance.js";
import { loadInstance } from "../../src/instance/load.js";
import { shardingPlan } from "../../src/interop/torchrec/export-placement.js";
import { torchrecPlan } from "../../src/interop/torchrec/export-plan.js";
import { towerShardingPlan } from "../../src/interop/torchrec/export-towers.js";
import { readExportable } from "../../src/problems/export.js";
import { planProgramText } from "../../src/problems/export-program.js";
import type { JointPlan } from "../../src/problems/joint-towers/plan-file/plan-file.js";
import { compareInstance, type Plan, planInstance } from "../../src/problems/plan.js";
import { chartedPlan, checkedWith } from "../../src/problems/report.js";
import { type ExportableJoint, readExportableTowers } from "../../src/problems/tower-partition/exportable.js";
import type { TowerPartitionPlan } from "../../src/problems/tower-partition/plan-file/plan-file.js";
import { verifyPlanText } from "../../src/problems/verify.js";
import type { Program } from "../../src/program/program.js";
import { readProgram } from "../../src/program/read-program.js";
import { reportPage } from "../../src/report/page.js";
import type { SuiteCommands, SuitePlan } from "./problem-suite.js";

const read = new Map<string, Promise<Instance>>();

/** An instance, read once. */
function instanceOf(file: string): Promise<Instance> {
  const known = read.get(file) ?? loadInstance(file);
  read.set(file, known);
  return known;
}

const FORMATS = ["mps", "lp"] as const;

/** The program that an instance's plans are proved on, of a joint plan that of the towers it chose. */
function readBack(instance: Instance, joint: ExportableJoint | null = null): Promise<Program[]> {
  return Promise.all(
    FORMATS.map(async (format) =>
      readProgram(await planProgramText(instance, format, joint?.shape, joint?.unplaceable()), `program.${format}`),
    ),
  );
}

/** The commands of the problems that have instances. */
export const instanceCommands = {
  plan: async (file, options) => planInstance(await instanceOf(file), options),
  verify: (_, text, methods) => verifyPlanText(text, "plan.json", instanceOf, undefined, methods),
  compare: async (file, options) => (await compareInstance(await instanceOf(file), options)).rows,
  exported: async (file) => readBack(await instanceOf(file)),
  explained: (plan) => {
    const { infeasibility } = plan as Plan;
    return infeasibility === null ? [] : [infeasibility.explanation];
  },
  page: async (file, text) => {
    const instance = await instanceOf(file);
    const check = await checkedWith(instance, text, "plan.json");
    return reportPage([await chartedPlan(JSON.parse(text) as Plan, instance, { file: "plan.json", text, check })]);
  },
} satisfies SuiteCommands;

const { compare: _, ...exceptCompare } = instanceCommands;

/** The commands of towers with tables: methods know no tables, and the program is that of the partition. */
export const jointCommands = {
  ...exceptCompare,
  exported: async (file, text) => {
    const { joint } = await readExportableTowers(text, "plan.json", instanceOf);
    return readBack(await instanceOf(file), joint);
  },
  exportedOf: (plan) => {
    const { rows, chosen } = jointOf(plan);
    return rows.find(({ towers }) => towers === chosen?.towers)?.partition.exact ?? null;
  },
  explained: (plan) => jointOf(plan).rows.map(({ towers, reason }) => `${towers} towers: ${reason}`),
  handedOn: torchrecText,
} satisfies SuiteCommands;

function jointOf(plan: SuitePlan): JointPlan {
  return (plan as TowerPartitionPlan).joint as JointPlan;
}

/** What goes to TorchRec. */
export async function torchrecText(_: string, text: string): Promise<string> {
  const { problem, plan } = await readExportable(text, "plan.json", instanceOf);
  if (problem === "row-tiers") return JSON.stringify(torchrecPlan(plan));
  if (problem === "table-placement") return JSON.stringify(shardingPlan(plan));
  if (plan.joint === null) throw new TypeError("towers without tables are not for TorchRec");
  return JSON.stringify(towerShardingPlan(plan.joint));
}
