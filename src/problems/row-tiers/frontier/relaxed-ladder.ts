import type { RowTiersModel } from "../../../../models/row-tiers/build.js";
import type { Rational } from "../../../exact/rational.js";
import type { Ladder, LadderForm, LadderRow } from "../../../program/ladder/ladder.js";
import type { LadderRoles } from "../../../search/class-knapsack/roles.js";

/** A ladder without fixed charges, and which of its rows play which part. */
export interface RelaxedLadder {
  readonly ladder: Ladder;
  readonly roles: LadderRoles;
}

/**
 * The ladder whose relaxation is that of a row-tiers model, with the fixed charges gone. In the relaxation a charge is
 * a fraction, and at an optimum the least that its row `Σ carried ≤ N·y` allows, Σ carried / N: so a latency ℓ costs
 * ℓ/N for each unit in a tier that the collective carries, with N units in all that it could carry. That is exact for
 * the relaxation, and below what whole charges cost.
 */
export function relaxedLadder({ ladder, structure }: RowTiersModel): RelaxedLadder {
  const { memoryRow, hostRow, carriers, channels } = structure;
  const chargeRows = new Set(carriers.map(({ row }) => row));
  const chargeColumns = new Set(carriers.map(({ column }) => column));
  const spread = (form: LadderForm): LadderForm => {
    const terms = form.terms.map((ofChain, r) =>
      ofChain.map((term, t) =>
        carriers.reduce(({ fixed, perRate }, { row, column }) => {
          const charge = form.auxiliaries[column] as Rational;
          if (charge.sign() === 0) return { fixed, perRate };
          const { form: carried } = ladder.rows[row] as LadderRow;
          const share = charge.divide((carried.auxiliaries[column] as Rational).negate());
          const of = (carried.terms[r] as LadderForm["terms"][number])[t] as typeof term;
          return {
            fixed: fixed.add(share.multiply(of.fixed)),
            perRate: perRate.add(share.multiply(of.perRate)),
          };
        }, term),
      ),
    );
    return { terms, auxiliaries: form.auxiliaries.filter((_, a) => !chargeColumns.has(a)) };
  };
  const rowsBefore = (row: number) => [...chargeRows].filter((other) => other < row).length;
  const columnsBefore = (column: number) => [...chargeColumns].filter((other) => other < column).length;
  const moved = (row: number) => row - rowsBefore(row);
  return {
    ladder: {
      ...ladder,
      auxiliaries: ladder.auxiliaries.filter((_, a) => !chargeColumns.has(a)),
      rows: ladder.rows.filter((_, k) => !chargeRows.has(k)).map((row) => ({ ...row, form: spread(row.form) })),
      objective: { ...ladder.objective, form: spread(ladder.objective.form) },
    },
    roles: {
      memoryRow: moved(memoryRow),
      hostRow: hostRow === null ? null : moved(hostRow),
      channels:
        channels === null
          ? null
          : { rows: channels.rows.map(moved), column: channels.column - columnsBefore(channels.column) },
    },
  };
}
