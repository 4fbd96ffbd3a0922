import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { Reduction } from "../bounds/reduction.js";
import type { ReducedBox } from "../bounds/reduction-steps.js";
import type { BaseModel } from "./base-model.js";

/** A limit that was decided by a tree, and by what its placements were narrowed down. */
export interface Narrowing {
  readonly claim: number;
  readonly reduction: Reduction;
  readonly decided: Int8Array;
}

/** By table, the options of those open that a box leaves. */
export function leftOptions(
  { structure }: DirectProgram,
  { box }: ReducedBox,
  open: readonly (readonly boolean[])[],
): readonly (readonly boolean[])[] {
  return open.map((own, t) => {
    const left = own.slice();
    structure.tables[t]?.options.forEach(({ option }, k) => {
      const column = structure.tables[t]?.chosen[k] ?? null;
      if (column !== null && box.upper[column]?.sign() === 0) left[option] = false;
    });
    return left;
  });
}

/** By switch: what a box says of it already, and the options left; −1 where it is open. */
export function decidedAt(
  { switches }: BaseModel,
  { box }: ReducedBox,
  left: readonly (readonly boolean[])[] | null = null,
): Int8Array {
  return Int8Array.from(switches, ({ column, table, option }) => {
    if (column === null) return -1;
    if (box.upper[column]?.sign() === 0 || left?.[table]?.[option] === false) return 0;
    return box.lower[column]?.sign() === 1 ? 1 : -1;
  });
}

/** Whether all that is known the second way is known the first. */
export function isNarrower(decided: Int8Array, other: Int8Array): boolean {
  return other.every((value, at) => value === -1 || value === decided[at]);
}
