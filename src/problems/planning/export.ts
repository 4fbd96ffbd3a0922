import { type OpenInstance, originalPlan } from "../../plan-file/original-plan.js";
import type { ProgramFormat } from "../../program/read-program.js";
import { type Exportable, type ProgramForm, programText } from "../exportable.js";
import type { ViprOptions } from "../program/vipr-text.js";
import type { Instance } from "./instances.js";
import { PROBLEM_NAMES, problemOf, problemOfPlan } from "./registry.js";

/** Reads a plan file as it was written, with its instance. Throws `InputError`. */
export async function readExportable(
  text: string,
  file: string,
  openInstance: OpenInstance,
): Promise<Exportable & { readonly problem: string }> {
  const { name: problem, exporting } = problemOfPlan(originalPlan(text, file, PROBLEM_NAMES), file);
  return { problem, ...(await (await exporting()).read(text, file, openInstance)) };
}

/** The proof of a plan file as VIPR's, see `viprText`; proved anew where it has to be. Throws `InputError` where there is none. */
export async function anyPlanVipr(
  text: string,
  file: string,
  openInstance: OpenInstance,
  options: Omit<ViprOptions, "solve"> = {},
): Promise<string> {
  const problem = problemOfPlan(originalPlan(text, file, PROBLEM_NAMES), file);
  const [exporting, { viprText }, { solveProgram }] = await Promise.all([
    problem.exporting(),
    import("../program/vipr-text.js"),
    import("../program/solve/solve-program.js"),
  ]);
  const solve: ViprOptions["solve"] = async (program, gap, timeLimitSeconds) =>
    (await solveProgram(program, { gap, timeLimitSeconds })).certificate;
  return viprText(await exporting.proved(), { text, file, openInstance }, { ...options, solve });
}

/**
 * The text of the program that an instance's plans are proved on: free MPS or CPLEX-LP. `exact` writes every digit of it;
 * `natural` is for other solvers, in natural units and in doubles, see {@link ProgramForm}. Of towers it is the compact
 * program, which has the same optimum; see each problem's `export.ts`.
 *
 * Throws `InputError` when a file that the instance names cannot be read, or the program is too large.
 */
export async function planProgramText(
  instance: Instance,
  format: ProgramFormat,
  form: ProgramForm = "exact",
): Promise<string> {
  const { program } = await problemOf(instance).exporting();
  return programText(await program(instance), format, form);
}
