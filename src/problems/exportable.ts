import { UsageError } from "../errors/usage-error.js";
import { writeLp } from "../program/lp/write.js";
import { writeMps } from "../program/mps/write.js";
import type { Program } from "../program/program.js";
import type { ProgramFormat } from "../program/read-program.js";

/** A plan with its instance, to be handed to other tools. Where a target is not for such plans there is why: `which …`. */
export interface Exportable {
  /** The program that it is proved on, or another with the same optimum where no file can hold that. */
  program(): Promise<Program>;
  /** TorchRec's plan. Throws `UsageError` where it has none. */
  readonly torchrec: TorchrecWriter | string;
  /** Where each row goes, as files in a folder. */
  readonly remap: RemapWriter | string;
}

/** `module` is the path of the model's module. */
export type TorchrecWriter = (module: string | undefined) => Exported;

/** Throws `InputError`, and what the request's signal was aborted with. */
export type RemapWriter = (request: RemapRequest) => Promise<Exported>;

export interface RemapRequest {
  readonly folder: string;
  /** Default `npy`. */
  readonly format?: "npy" | "parquet";
  /** Rows of a sharded tier by falling access, or dealt over its GPUs. */
  readonly indexOrder: "falling" | "spread";
  /** TABLE=FILE: the row ids of a table, the hottest first. */
  readonly rankFiles: readonly string[];
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number, of: number) => void;
}

/** What was made of a plan. */
export interface Exported {
  readonly text: string;
  /** What a person reads once it is written. */
  shown(file: string): string;
}

/** The text of a program: free MPS or CPLEX-LP, every digit written. */
export function programText(program: Program, format: ProgramFormat): string {
  return format === "mps" ? writeMps(program) : writeLp(program);
}

/** What writes a target. Throws `UsageError` where it is not for plans of the problem. */
export function writerOf<Target extends "torchrec" | "remap">(
  { problem, ...exportable }: Exportable & { readonly problem: string },
  target: Target,
): Exclude<Exportable[Target], string> {
  const writer = exportable[target];
  if (typeof writer !== "string") return writer as Exclude<Exportable[Target], string>;
  throw new UsageError(`--to ${target} is not for plans of ${problem}, ${writer}`);
}
