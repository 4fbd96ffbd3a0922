import { EXIT } from "./streams.js";

/** What is said on standard error, without a line break at its end, and the exit status. */
export interface Failure {
  readonly message: string;
  readonly exitStatus: number;
}

/**
 * Bad input and bad usage are one line and exit status 2; everything else is a fault of this program. Errors are told
 * by their names, because they may come from another thread.
 */
export function failureOf(error: unknown): Failure {
  const { name, message, kind } = error as { name?: unknown; message?: unknown; kind?: unknown };
  const text = oneLine(typeof message === "string" ? message : String(error));
  if (name === "InputError") return { message: text, exitStatus: EXIT.badInput };
  if (name === "UsageError") return { message: `error: ${text}`, exitStatus: EXIT.badInput };
  if (name === "MemoryLimitError") return { message: text, exitStatus: EXIT.notProved };
  if (name === "SolverError" && (kind === "missing" || kind === "unsupported")) {
    return { message: `error: ${text}`, exitStatus: EXIT.badInput };
  }
  const hint = "this is a fault of shardproof: please report it with the command and its input";
  const trace = process.env.SHARDPROOF_DEBUG ? `\n${(error as { stack?: string }).stack ?? ""}` : "";
  return { message: `internal error: ${text} (${hint})${trace}`, exitStatus: EXIT.internalError };
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").trim();
}
