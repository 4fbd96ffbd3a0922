import { Rational } from "../../../src/exact/rational.js";
import type { Program } from "../../../src/program/program.js";
import { type Truth, truthOf } from "./truth.js";

/** Integer bounds within which all feasible points of a program are known to lie. */
export type IntegerBox = readonly (readonly [from: bigint, to: bigint])[];

/** The columns' own bounds, rounded inwards. Throws `RangeError` where a column has none. */
export function ownBox(program: Program): IntegerBox {
  return program.columns.map(({ name, lower, upper }) => {
    if (lower === null || upper === null) throw new RangeError(`column "${name}" has no bounds to enumerate`);
    return [lower.ceil(), upper.floor()];
  });
}

/** The optimum of an integer program by trying every point of a box. */
export function tryEveryPoint(program: Program, box: IntegerBox = ownBox(program)): Truth {
  const { form, constant, sense } = program.objective;
  let best: bigint | null = null;
  forEachPoint(program, box, (_, cost) => {
    if (best === null || (sense === "minimize" ? cost < best : cost > best)) best = cost;
  });
  return truthOf(best === null ? null : Rational.of(best, form.denominator).add(constant));
}

/**
 * Calls back with every feasible point of an integer program in a box, and with its objective times the form's
 * denominator, without the constant. The point is reused: copy it to keep it.
 */
export function forEachPoint(
  program: Program,
  box: IntegerBox,
  visit: (point: readonly bigint[], cost: bigint) => void,
): void {
  if (program.columns.some(({ integer }) => !integer)) throw new RangeError("a continuous column cannot be enumerated");
  const forms = [program.objective.form, ...program.rows.map(({ form }) => form)];
  const dense = forms.map((form) => {
    const coefficients = program.columns.map(() => 0n);
    form.columns.forEach((j, k) => {
      coefficients[j] = form.coefficients[k] as bigint;
    });
    return coefficients;
  });
  // A form over integers, times its denominator, is an integer: so are the sides it must keep to.
  const sides = program.rows.map(({ form, lower, upper }) => {
    const scale = Rational.of(form.denominator);
    return [lower?.multiply(scale).ceil() ?? null, upper?.multiply(scale).floor() ?? null] as const;
  });
  const point = box.map(([from]) => from);
  const descend = (j: number, sums: readonly bigint[]): void => {
    const range = box[j];
    if (range === undefined) {
      const kept = sides.every(([lower, upper], r) => {
        const activity = sums[r + 1] as bigint;
        return (lower === null || activity >= lower) && (upper === null || activity <= upper);
      });
      if (kept) visit(point, sums[0] as bigint);
      return;
    }
    for (let value = range[0]; value <= range[1]; value++) {
      point[j] = value;
      descend(
        j + 1,
        sums.map((sum, r) => sum + ((dense[r] as bigint[])[j] as bigint) * value),
      );
    }
  };
  descend(
    0,
    forms.map(() => 0n),
  );
}
