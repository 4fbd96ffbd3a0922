import { totalmem } from "node:os";
import { InvalidArgumentError } from "commander";
import { bytes } from "../../text/units.js";

/** The default limit, as a share of the machine's memory or of what the process may have of it. */
const SHARE = 0.75;

/** Units of bytes after a number, by their lower case. */
const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  ...{ kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 },
  ...{ kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40 },
};

/** Work ran out of the memory that it may use before it could end with what it had. */
export class MemoryLimitError extends Error {
  override readonly name = "MemoryLimitError";

  constructor(limitBytes: number) {
    super(`the memory limit of ${bytes(limitBytes)} was reached before anything could be said; raise --memory-limit`);
  }
}

/** Bytes as a command line has them: `2e9`, `500MB`, `1.5 GiB`. */
export function memoryBytes(text: string): number {
  const [, number = "", unit = ""] = /^\s*([-+.\deE]*\d\.?)\s*([a-z]*)\s*$/i.exec(text) ?? [];
  const value = number === "" ? Number.NaN : Number(number) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  if (Number.isFinite(value) && value >= 1) return Math.floor(value);
  throw new InvalidArgumentError("Expected bytes, such as 2e9 or 2GiB.");
}

/** Three quarters of the machine's memory, or of what a container leaves the process. */
export function defaultMemoryLimit(): number {
  const constrained = process.constrainedMemory() ?? 0;
  const most = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.floor(SHARE * most);
}
