import { totalmem } from "node:os";
import { bytes } from "../../text/units.js";

/** The default limit, as a share of the machine's memory or of what the process may have of it. */
const SHARE = 0.75;

/** Work ran out of the memory that it may use before it could end with what it had. */
export class MemoryLimitError extends Error {
  override readonly name = "MemoryLimitError";

  constructor(limitBytes: number) {
    super(`the memory limit of ${bytes(limitBytes)} was reached before anything could be said; raise --memory-limit`);
  }
}

/** Bytes: three quarters, or another share, of the machine's memory, or of what a container leaves the process. */
export function defaultMemoryLimit(share = SHARE): number {
  const constrained = process.constrainedMemory() ?? 0;
  const most = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.floor(share * most);
}
