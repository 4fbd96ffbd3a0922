import { greatestCommonDivisor, Rational } from "../../../src/exact/rational.js";
import type { LinearForm, Program } from "../../../src/program/program.js";
import { type Linear, solveLinear } from "./linear.js";

/** A point found, `null` where it was shown that there is none, `"unknown"` at the node limit. */
export type Sought = readonly Rational[] | null | "unknown";

/**
 * Looks for a feasible point that is better than a value (`null`: for any feasible point): plain depth-first branch and
 * bound over exact linear programs, as in a first lecture. No cuts, no propagation, no fixing; nothing of src/optimize
 * or src/proof. Where every column with a cost is an integer, "better" means better by a whole step of the objective.
 */
export function seekBetter(program: Program, than: Rational | null, mostNodes: number): Sought {
  const { sense, form, constant } = program.objective;
  if (program.rows.some((row) => cannotBeMet(program, row.form, row.lower, row.upper))) return null;
  const minimise = sense === "minimize";
  const costs = dense(program, form).map((cost) => (minimise ? cost : cost.negate()));
  const rows: Linear["rows"][number][] = program.rows.map((row) => ({
    coefficients: dense(program, row.form),
    lower: row.lower,
    upper: row.upper,
  }));
  const cutoff = than === null ? null : minimise ? than.subtract(constant) : constant.subtract(than);
  if (cutoff !== null) {
    if (form.columns.length === 0 && cutoff.sign() <= 0) return null;
    const whole = form.columns.every((j) => program.columns[j]?.integer === true);
    const step = whole ? Rational.of(form.coefficients.reduce(greatestCommonDivisor, 0n), form.denominator) : null;
    // Values lie on multiples of the step: the next better one is the greatest multiple below the cutoff.
    const side =
      step === null || step.sign() === 0 ? cutoff : step.multiply(Rational.of(cutoff.divide(step).ceil() - 1n));
    rows.push({ coefficients: costs, lower: null, upper: side });
  }
  const stack = [
    {
      lower: program.columns.map(({ lower, integer }) =>
        lower !== null && integer ? Rational.of(lower.ceil()) : lower,
      ),
      upper: program.columns.map(({ upper, integer }) =>
        upper !== null && integer ? Rational.of(upper.floor()) : upper,
      ),
    },
  ];
  for (let nodes = 0; ; nodes++) {
    const box = stack.pop();
    if (box === undefined) return null;
    if (nodes === mostNodes) return "unknown";
    if (box.lower.some((lower, j) => lower !== null && lower.compare(box.upper[j] ?? lower) > 0)) continue;
    const answer = solveLinear({ costs, rows, lower: box.lower, upper: box.upper });
    if (answer.status === "infeasible") continue;
    if (answer.status === "unbounded") return "unknown";
    if (cutoff !== null && answer.value.compare(cutoff) >= 0) continue;
    const { point } = answer;
    const j = point.findIndex((value, k) => program.columns[k]?.integer === true && !value.isInteger());
    if (j === -1) return point;
    const below = Rational.of((point[j] as Rational).floor());
    const above = below.add(Rational.one);
    stack.push(
      { lower: box.lower, upper: box.upper.with(j, below) },
      { lower: box.lower.with(j, above), upper: box.upper },
    );
  }
}

/** Whether a row over integers has no multiple of its greatest common divisor between its sides. */
function cannotBeMet(program: Program, form: LinearForm, lower: Rational | null, upper: Rational | null): boolean {
  if (lower === null || upper === null || form.columns.some((j) => program.columns[j]?.integer !== true)) return false;
  const divisor = form.coefficients.reduce(greatestCommonDivisor, 0n);
  if (divisor === 0n) return false;
  const scale = Rational.of(form.denominator, divisor);
  return lower.multiply(scale).ceil() > upper.multiply(scale).floor();
}

function dense(program: Program, form: LinearForm): Rational[] {
  const coefficients = program.columns.map(() => Rational.zero);
  form.columns.forEach((j, k) => {
    coefficients[j] = Rational.of(form.coefficients[k] as bigint, form.denominator);
  });
  return coefficients;
}
