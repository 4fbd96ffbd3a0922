import type { Run } from "../instance/types/assignment.js";
import type { RowsBefore, Tier } from "../instance/types/row-tiers.js";

/** Neighbouring rows that were in one tier and are in one now; `from` is `null` for new rows. */
export interface MovedStretch {
  readonly firstRow: number;
  readonly rows: number;
  readonly from: Tier | null;
  readonly to: Tier;
}

/** All rows of a table, in the order in which a plan counts them. */
export function* movedStretches(before: RowsBefore, runs: readonly Run[]): Generator<MovedStretch> {
  let firstRow = 0;
  let piece = 0;
  let left = before[0]?.rows ?? 0;
  for (const { rows, tier: to } of runs) {
    for (let missing = rows; missing > 0; ) {
      while (left === 0) left = before[++piece]?.rows ?? Number.POSITIVE_INFINITY;
      const taken = Math.min(missing, left);
      yield { firstRow, rows: taken, from: before[piece]?.tier ?? null, to };
      firstRow += taken;
      missing -= taken;
      left -= taken;
    }
  }
}
