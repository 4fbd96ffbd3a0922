import { programText, writerOf } from "../../src/problems/exportable.js";
import type { GroupedPlacementPlan } from "../../src/problems/grouped-placement/plan-file/assemble.js";
import type { JointPlan, TowersPlan } from "../../src/problems/joint-towers/plan-file/plan-file.js";
import { compareInstance } from "../../src/problems/planning/compare.js";
import { planProgramText, readExportable } from "../../src/problems/planning/export.js";
import type { Instance } from "../../src/problems/planning/instances.js";
import { loadInstance } from "../../src/problems/planning/instances.js";
import { type Plan, planInstance } from "../../src/problems/planning/plan.js";
import { chartedPlan, checkedWith, shapedPlan } from "../../src/problems/planning/report.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { readProgram } from "../../src/program/read-program.js";
import { reportPage } from "../../src/report/page.js";
import type { SuiteCommands, SuitePlan, SuiteRow } from "./problem-suite.js";

const read = new Map<string, Promise<Instance>>();

/** An instance, read once. */
function instanceOf(file: string): Promise<Instance> {
  const known = read.get(file) ?? loadInstance(file);
  read.set(file, known);
  return known;
}

const FORMATS = ["mps", "lp"] as const;

/** The commands of the problems that have instances. */
export const instanceCommands = {
  plan: async (file, options) => planInstance(await instanceOf(file), options),
  verify: (_, text, methods) => verifyPlanText(text, "plan.json", instanceOf, undefined, methods),
  compare: async (file, options) =>
    (await compareInstance(await instanceOf(file), options)).rows as unknown as readonly SuiteRow[],
  exported: async (file) => {
    const texts = FORMATS.map(async (format) => planProgramText(await instanceOf(file), format));
    return (await Promise.all(texts)).map((text, k) => readProgram(text, `program.${FORMATS[k]}`));
  },
  explained: (plan) => {
    const { infeasibility } = plan as Plan;
    return infeasibility === null ? [] : [infeasibility.explanation];
  },
  page: async (file, text) => {
    const instance = await instanceOf(file);
    const checked = { file: "plan.json", text, check: await checkedWith(instance, text, "plan.json") };
    return reportPage([await chartedPlan(await shapedPlan(text, "plan.json"), instance, checked)]);
  },
} satisfies SuiteCommands;

const { compare: _, ...exceptCompare } = instanceCommands;

/** The commands of towers with tables: methods know no tables, and the program is that of the partition. */
export const jointCommands = {
  ...exceptCompare,
  exported: async (_, text) => {
    const program = await (await readExportable(text, "plan.json", instanceOf)).program();
    return FORMATS.map((format) => readProgram(programText(program, format), `program.${format}`));
  },
  exportedOf: (plan) => {
    const { rows, chosen } = jointOf(plan);
    return rows.find(({ towers }) => towers === chosen?.towers)?.partition.exact ?? null;
  },
  explained: (plan) => jointOf(plan).rows.map(({ towers, reason }) => `${towers} towers: ${reason}`),
  handedOn: torchrecText,
} satisfies SuiteCommands;

/** The commands of groups: methods know no sizes, and the program is that of one group of the chosen size. */
export const groupCommands = {
  ...exceptCompare,
  exported: jointCommands.exported,
  exportedOf: (plan) => {
    const { sizes, chosen } = (plan as unknown as GroupedPlacementPlan).groups;
    return sizes.find(({ size }) => size === chosen)?.exact ?? null;
  },
  handedOn: torchrecText,
} satisfies SuiteCommands;

function jointOf(plan: SuitePlan): JointPlan {
  return (plan as TowersPlan).joint as JointPlan;
}

/** What goes to TorchRec. */
export async function torchrecText(_: string, text: string): Promise<string> {
  return writerOf(await readExportable(text, "plan.json", instanceOf), "torchrec")(undefined).text;
}
