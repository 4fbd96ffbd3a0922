import { leastCommonMultiple, Rational } from "../../../exact/rational.js";
import { makeProgram, type Program, type Row } from "../../../program/program.js";
import { isImprovingRay } from "../../../program/ray.js";
import { propagate } from "../../../proof/kernel/propagate.js";
import { type Box, type View, viewOf } from "../../../proof/kernel/view.js";
import { solveRelaxation } from "../../../search/exact-milp/lp-relaxation.js";
import type { ShouldStop } from "../../../search/work.js";

/**
 * A direction in which a feasible point can go for ever and improve all the way: integers, one per column. From any
 * feasible point of a program with rational data, mixed-integer or not, it shows that the objective is unbounded.
 * `null`: there is none, or none was found before `shouldStop`.
 *
 * The direction solves the linear program over the recession cone, cut off by a box (Schrijver 1986, section 8.2).
 */
export async function improvingRay(program: Program, shouldStop: ShouldStop): Promise<readonly Rational[] | null> {
  if (!mayImproveForEver(program)) return null;
  const cone = recessionCone(program);
  const answer = await solveRelaxation(cone, viewOf(cone).box, shouldStop);
  if (answer === null || answer.kind !== "optimal") return null;
  const direction = answer.point;
  let denominator = 1n;
  for (const { denominator: other } of direction) denominator = leastCommonMultiple(denominator, other);
  const ray = direction.map((value) => value.multiply(Rational.of(denominator)));
  return isImprovingRay(program, ray) ? ray : null;
}

/** The integer columns that neither a bound nor, alone, a row keeps from growing for ever. */
export function endlessIntegers(program: Program): readonly string[] {
  const narrowed = narrow(program);
  if (narrowed === null) return [];
  const { lower, upper } = narrowed.box;
  return program.columns.flatMap(({ name, integer }, j) =>
    integer && ((lower[j] ?? null) === null || (upper[j] ?? null) === null) ? [name] : [],
  );
}

/** Rows often bound what the columns' own bounds leave open; then there is nothing to look for. */
function mayImproveForEver(program: Program): boolean {
  const narrowed = narrow(program);
  if (narrowed === null) return false;
  const { view, box } = narrowed;
  return view.objective.columns.some((j, k) => {
    const wanted = (view.objective.coefficients[k] as bigint) > 0n ? box.lower[j] : box.upper[j];
    return (wanted ?? null) === null;
  });
}

/** The program's box after bound propagation; `null` where that shows it infeasible. */
function narrow(program: Program): { view: View; box: Box } | null {
  const { view, box } = viewOf(program);
  return propagate(view, box, () => {}) ? { view, box } : null;
}

function recessionCone(program: Program): Program {
  const zero = (side: Rational | null) => (side === null ? null : Rational.zero);
  return makeProgram({
    columns: program.columns.map(({ name, lower, upper }) => ({
      name,
      lower: lower === null ? Rational.one.negate() : Rational.zero,
      upper: upper === null ? Rational.one : Rational.zero,
      integer: false,
    })),
    rows: program.rows.map((row): Row => ({ ...row, lower: zero(row.lower), upper: zero(row.upper) })),
    objective: { ...program.objective, constant: Rational.zero },
  });
}
