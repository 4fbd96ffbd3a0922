import type { Program } from "../../program/program.js";

/**
 * Which columns may be taken as integers: those that are, and continuous ones z that follow. Let every row with z hold, but
 * for z, only integer columns with coefficients that are whole multiples of z's, and let the row's sides and z's own bounds
 * be such multiples too. Then for any integers in the other columns the values left for z form an interval with whole ends,
 * and a linear objective is best at one of them: some best point has z whole, and if any point is feasible one with z
 * whole is. (The makespan of a schedule with whole durations is such a column.)
 */
export function integerColumns(program: Program): readonly boolean[] {
  const declared = program.columns.map(({ integer }) => integer);
  const implied = program.columns.map(
    ({ lower, upper, integer }) => !integer && (lower?.isInteger() ?? true) && (upper?.isInteger() ?? true),
  );
  for (const { form, lower, upper } of program.rows) {
    const continuous = form.columns.filter((j) => declared[j] !== true);
    if (continuous.length === 0) continue;
    const own = form.coefficients[form.columns.indexOf(continuous[0] as number)] as bigint;
    // A side is a multiple of own / denominator: side · denominator / own is whole.
    const fits =
      continuous.length === 1 &&
      form.coefficients.every((coefficient) => coefficient % own === 0n) &&
      [lower, upper].every(
        (side) => side === null || (side.numerator * form.denominator) % (side.denominator * own) === 0n,
      );
    if (!fits) for (const j of continuous) implied[j] = false;
  }
  return declared.map((integer, j) => integer || implied[j] === true);
}
