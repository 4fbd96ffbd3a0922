import { Rational } from "../../exact/rational.js";
import { DoubleBox } from "./double-box.js";
import type { Box, View } from "./view.js";

const MAX_ROUNDS = 12;

/**
 * Bound propagation in exact arithmetic: from the least and greatest activity that a row's other columns allow, bounds
 * of each of its columns. Integer columns take every improvement, rounded inwards; continuous ones only bounds on a side
 * that had none, because they could creep on for ever. Stops after a fixed number of rounds, or when nothing moves.
 * `record` is told of the old bounds before every change. Returns `false` when a row cannot be kept.
 */
export function propagate(
  view: View,
  box: Box,
  record: (column: number, lower: Rational | null, upper: Rational | null) => void,
): boolean {
  const doubles = new DoubleBox(view, box);
  const recordBoth: typeof record = (column, lower, upper) => {
    doubles.changed.push(column);
    record(column, lower, upper);
  };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let moved = false;
    for (const row of view.rows.values()) {
      const { form, lower, upper } = row;
      for (const [side, sign] of [
        [upper, 1n],
        [lower, -1n],
      ] as const) {
        if (side === null || !doubles.mayTighten(row, sign)) continue;
        const scaled = side.multiply(Rational.of(form.denominator * sign));
        const result = tightenBySide(view, box, form, scaled, sign, recordBoth);
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
  record: (column: number, lower: Rational | null, upper: Rational | null) => void,
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
  let result: "moved" | "still" = "still";
  for (let k = 0; k < form.columns.length; k++) {
    const part = contribution(k);
    if (endless === 1 && part !== null) continue;
    const j = form.columns[k] as number;
    const coefficient = (form.coefficients[k] as bigint) * sign;
    const integer = view.integer[j] === true;
    // Before any arithmetic, as most continuous columns have both bounds.
    if (!integer && ((coefficient > 0n ? box.upper[j] : box.lower[j]) ?? null) !== null) continue;
    const others = part === null ? least : least.subtract(part);
    const limit = side.subtract(others).divide(Rational.of(coefficient));
    const lower = box.lower[j] ?? null;
    const upper = box.upper[j] ?? null;
    if (coefficient > 0n) {
      const bound = integer ? Rational.of(limit.floor()) : limit;
      if (upper !== null && bound.compare(upper) >= 0) continue;
      record(j, lower, upper);
      box.upper[j] = bound;
      if (lower !== null && bound.compare(lower) < 0) return "infeasible";
    } else {
      const bound = integer ? Rational.of(limit.ceil()) : limit;
      if (lower !== null && bound.compare(lower) <= 0) continue;
      record(j, lower, upper);
      box.lower[j] = bound;
      if (upper !== null && bound.compare(upper) > 0) return "infeasible";
    }
    // The row's least activity does not depend on the side that moved, unless that side was missing.
    result = "moved";
  }
  return result;
}
