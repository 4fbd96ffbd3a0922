import { floorDivide, Rational } from "../../exact/rational.js";
import { DoubleBox } from "./double-box.js";
import type { Box, View, ViewRow } from "./view.js";

const MAX_ROUNDS = 12;

/**
 * Bound propagation in exact arithmetic: from the least and greatest activity that a row's other columns allow, bounds
 * of each of its columns. Integer columns take every improvement, rounded inwards; continuous ones only bounds on a side
 * that had none, because they could creep on for ever. Stops after a fixed number of rounds, or when nothing moves.
 * `record` is told of every column before it changes. Returns `false` when a row cannot be kept.
 */
export function propagate(view: View, box: Box, record: (column: number) => void = () => {}): boolean {
  const doubles = new DoubleBox(view, box);
  const recordBoth = (column: number) => {
    doubles.changed.push(column);
    record(column);
  };
  const rows = [...view.rows.values()];
  /** When each row was looked at last. */
  const looks = new Int32Array(rows.length).fill(-1);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let moved = false;
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k] as ViewRow;
      // A row of columns that have stayed as they were then comes to the same again.
      if (!doubles.hasChangedSince(looks[k] as number, row.form.columns)) continue;
      looks[k] = doubles.time;
      for (const sign of [1, -1] as const) {
        const side = sign === 1 ? row.upper : row.lower;
        if (side === null || !doubles.mayTighten(row.form, side, sign)) continue;
        const scaled = side.multiply(Rational.of(row.form.denominator * BigInt(sign)));
        const result = tightenBySide(view, box, row.form, scaled, BigInt(sign), recordBoth);
        if (result === "infeasible") return false;
        if (result === "still") continue;
        moved = true;
        doubles.update();
      }
    }
    if (!moved) return true;
  }
  return true;
}

/** Uses sign · Σ a·x ≤ side. */
function tightenBySide(
  view: View,
  box: Box,
  form: { readonly columns: readonly number[]; readonly coefficients: readonly bigint[] },
  side: Rational,
  sign: bigint,
  record: (column: number) => void,
): "moved" | "still" | "infeasible" {
  let least = Rational.zero;
  let endless = 0;
  const contribution = (k: number): Rational | null => {
    const coefficient = (form.coefficients[k] as bigint) * sign;
    const j = form.columns[k] as number;
    const at = (coefficient > 0n ? box.lower[j] : box.upper[j]) ?? null;
    return at === null ? null : at.multiply(Rational.of(coefficient));
  };
  for (let k = 0; k < form.columns.length; k++) {
    const part = contribution(k);
    if (part === null) endless++;
    else least = least.add(part);
  }
  if (endless === 0 && least.compare(side) > 0) return "infeasible";
  if (endless > 1) return "still";
  // What the side leaves beyond the least activity: each column takes so much of it beyond its own part.
  const slack = side.subtract(least);
  let result: "moved" | "still" = "still";
  for (let k = 0; k < form.columns.length; k++) {
    const j = form.columns[k] as number;
    const coefficient = (form.coefficients[k] as bigint) * sign;
    const lower = box.lower[j] ?? null;
    const upper = box.upper[j] ?? null;
    const [at, far] = coefficient > 0n ? [lower, upper] : [upper, lower];
    if (endless === 1 && at !== null) continue;
    const integer = view.integer[j] === true;
    // Before any arithmetic, as most continuous columns have both bounds.
    if (!integer && far !== null) continue;
    const bound = integer ? roundedBound(at, slack, coefficient) : boundOf(at, slack, coefficient);
    if (far !== null && bound.compare(far) * (coefficient > 0n ? 1 : -1) >= 0) continue;
    record(j);
    (coefficient > 0n ? box.upper : box.lower)[j] = bound;
    if (at !== null && bound.compare(at) * (coefficient > 0n ? 1 : -1) < 0) return "infeasible";
    // The row's least activity does not depend on the side that moved, unless that side was missing.
    result = "moved";
  }
  return result;
}

/** How far a column may go from a bound, with so much slack; from zero where there is no bound. */
function boundOf(at: Rational | null, slack: Rational, coefficient: bigint): Rational {
  const move = slack.divide(Rational.of(coefficient));
  return at === null ? move : at.add(move);
}

/** The same of an integer column, rounded inwards, from a bound that is an integer. */
function roundedBound(at: Rational | null, slack: Rational, coefficient: bigint): Rational {
  const steps = floorDivide(slack.numerator, slack.denominator * (coefficient > 0n ? coefficient : -coefficient));
  // Of another one what is rounded here is too far on the safe side.
  if (coefficient > 0n) return Rational.of((at?.ceil() ?? 0n) + steps);
  return Rational.of((at?.floor() ?? 0n) - steps);
}
