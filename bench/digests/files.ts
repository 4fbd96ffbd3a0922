import { existsSync, readdirSync } from "node:fs";

export const STORED = "bench/frozen/plans";

const SHIPPED = /\.(yaml|mps|lp)$/;
/** Bad input, and files of other kinds. */
const NEITHER = /bad\/|^studies\//;

/** Shipped instances and programs, and stored plan files, whose paths match a pattern; from the root of the repository. */
export function filesOf(pattern: RegExp): readonly string[] {
  const shipped = (readdirSync("instances", { recursive: true }) as string[])
    .filter((name) => SHIPPED.test(name) && !NEITHER.test(name))
    .map((name) => `instances/${name}`);
  const stored = existsSync(STORED) ? readdirSync(STORED).map((name) => `${STORED}/${name}`) : [];
  return [...shipped, ...stored].filter((file) => pattern.test(file)).sort();
}
