import type { Basis } from "./basis.js";

/** With no more columns than these for each row, all are looked at: a pivot's other work takes as long. */
const FEW = 10;

/** Columns looked at between two looks at all: so many for each row, and at least so many. */
const BY_ROW = 3;
const LEAST = 500;

/** The columns looked at are chosen anew where they have become this many times as many. */
const CROWDED = 3;

/**
 * Chooses the columns that pivots look at: a few for each row instead of all, since the others' reduced costs hardly ever fall
 * below zero (sifting: Bixby, Gregory, Lustig, Marsten and Shanno, Operations Research 40, 1992). Adds those of the least
 * reduced costs below zero, or begins anew with the least of all; says whether there were any below zero.
 */
export function sift(basis: Basis): boolean {
  const { program, slotOf, costs, working, tolerance } = basis;
  const { columns, isFixed } = program;
  const rows = basis.heads.length;
  const wanted = columns.count <= FEW * rows ? columns.count : Math.max(LEAST, BY_ROW * rows);
  const isNew = working.length === 0 || working.length > CROWDED * wanted;
  const isKnown = new Uint8Array(columns.count);
  if (!isNew) for (const column of working) isKnown[column] = 1;
  const prices = basis.prices();
  const reduced = new Float64Array(columns.count);
  let count = 0;
  let isBelow = false;
  const below = isNew ? Number.POSITIVE_INFINITY : -tolerance;
  const candidates = new Int32Array(columns.count);
  for (let column = 0; column < columns.count; column++) {
    if (isKnown[column] === 1 || isFixed[column] === 1) continue;
    const isBasic = (slotOf[column] as number) >= 0;
    const cost = isBasic ? Number.NEGATIVE_INFINITY : (costs[column] as number) - columns.dot(column, prices);
    if (cost >= below) continue;
    if (!isBasic && cost < -tolerance) isBelow = true;
    reduced[count] = cost;
    candidates[count++] = column;
  }
  let most = Number.POSITIVE_INFINITY;
  if (count > wanted) most = reduced.slice(0, count).sort()[wanted - 1] as number;
  const chosen = candidates.subarray(0, count).filter((_, k) => (reduced[k] as number) <= most);
  const stays = isNew ? new Int32Array(0) : working.filter((column) => isFixed[column] === 0);
  const looked = new Int32Array(stays.length + chosen.length);
  looked.set(stays);
  looked.set(chosen, stays.length);
  basis.lookAt(looked);
  return isBelow;
}
