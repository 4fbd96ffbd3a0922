import { UsageError } from "../errors/usage-error.js";
import { writeLp } from "../program/lp/write.js";
import { writeMps } from "../program/mps/write.js";
import type { Program } from "../program/program.js";
import type { ProgramFormat } from "../program/read-program.js";
import type { RowTiersInstance } from "./row-tiers/instance/instance.js";
import type { Assignment } from "./row-tiers/plan-file/assignment.js";

/** A plan with its instance, to be handed to other tools. */
export interface Exportable {
  /** The program that it is proved on, or another with the same optimum where no file can hold that. */
  program(): Promise<Program>;
  /** TorchRec's plan; `module` is the path of the model's module. Throws `UsageError` where it has none. */
  torchrec(module: string | undefined): TorchrecExport;
  /** The rows that a remap sends to tiers. Throws `UsageError` of a plan that sends none. */
  rows(): ExportablePlan;
}

export interface TorchrecExport {
  readonly text: string;
  /** What a person reads once it is written. */
  shown(file: string): string;
}

/** A row-tiers plan with its instance, fit to be handed to other tools. */
export interface ExportablePlan {
  readonly instance: RowTiersInstance;
  /** Per table of the instance, runs from its hottest row to its coldest; they add up to its rows. */
  readonly assignment: Assignment;
  readonly method: string;
  readonly status: string;
  /** The plan file's own SHA-256, its timing apart. */
  readonly digest: string;
}

/** The text of a program: free MPS or CPLEX-LP, every digit written. */
export function programText(program: Program, format: ProgramFormat): string {
  return format === "mps" ? writeMps(program) : writeLp(program);
}

/** Throws `UsageError` for a plan that sends no rows. */
export function sendsNoRows(problem: string, advice: string): never {
  throw new UsageError(`--to remap is for plans of row-tiers; this one is of ${problem} (${advice})`);
}
