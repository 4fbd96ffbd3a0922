import type { AggregatedOption, AggregatedProgram } from "../../../../../models/table-placement/aggregated-program.js";
import type { BoundProof } from "../bounds/bound-proof.js";

type Memory = "hbm" | "host" | "ssd";

/** Memories that may be too small together: what an option saves of one it needs of another. */
const KINDS: readonly (readonly Memory[])[] = [["hbm"], ["host"], ["ssd"], ["hbm", "host"], ["hbm", "host", "ssd"]];

/** That all tables together need more memory than all devices have, whichever options they take; `null` where they may not. */
export function memoryShortage(
  { program, structure: { tables, memory } }: AggregatedProgram,
  pool: Readonly<Record<Memory, number>>,
): BoundProof | null {
  for (const kinds of KINDS) {
    const rows = kinds.map((kind) => memory[kind]);
    if (rows.includes(null)) continue;
    const of = (read: (kind: Memory) => number) => kinds.reduce((sum, kind) => sum + read(kind), 0);
    const leastOf = (own: readonly AggregatedOption[]) => Math.min(...own.map((option) => of((kind) => option[kind])));
    if (tables.reduce((sum, own) => sum + leastOf(own), 0) <= of((kind) => pool[kind])) continue;
    const multipliers = rows.map((row) => [program.rows[row as number]?.name as string, "-1"]);
    return { claim: null, steps: [{ infeasible: Object.fromEntries(multipliers) }] };
  }
  return null;
}
