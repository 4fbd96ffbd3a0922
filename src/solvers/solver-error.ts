/** Why a backend gave no answer at all. */
export type SolverErrorKind =
  /** The solver ended abnormally; the next solve gets a fresh one. */
  | "crash"
  /** The solver ran into the end of its memory (2 GiB inside WebAssembly); the next solve gets a fresh one. */
  | "out-of-memory"
  /** The solver is not installed. */
  | "missing"
  /** The program or the request is beyond what this solver can represent. */
  | "unsupported";

/** A backend could not do its work. The message says what happened and what to do. Not thrown for a mere bad status. */
export class SolverError extends Error {
  override readonly name = "SolverError";
  readonly kind: SolverErrorKind;

  constructor(kind: SolverErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** `null` where a backend could not do its work and there is another way; throws all other errors again. */
export function nothingOf(error: unknown): null {
  if (!(error instanceof SolverError)) throw error;
  return null;
}
