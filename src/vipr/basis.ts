import { Rational } from "../exact/rational.js";
import type { Program } from "../program/program.js";
import { type Certificate, latticeOf } from "../proof/certificate.js";
import { type LatticeBasis, reformulate } from "../proof/kernel/reformulate.js";
import { accumulate, type Coefficients, Combination, type Fact } from "./combination.js";
import type { Derivations, Walked } from "./derivations.js";
import { coefficientsOf, negated, type Problem, type Side } from "./problem.js";

/**
 * In another basis y = V·x of the integer lattice a form in y is a form in x, with integer coefficients where it had them
 * in y: so a branching on y is one that VIPR allows, and every line can be stated in x.
 */
export interface WalkedInBasis extends Walked {
  readonly basis: LatticeBasis | null;
}

export function walkedProgram(program: Program, certificate: Certificate): WalkedInBasis {
  const basis = latticeOf(certificate);
  if (basis === null) return { program, basis, own: (coefficients) => coefficients };
  const { integers, continuous } = kindsOf(program);
  const own = (coefficients: Coefficients): Coefficients => {
    const result = new Map<number, Rational>();
    for (const [column, coefficient] of coefficients) {
      const row = basis.inverse[column];
      if (row === undefined) accumulate(result, continuous[column - integers.length] as number, coefficient);
      row?.forEach((entry, k) => {
        if (entry !== 0n) accumulate(result, integers[k] as number, coefficient.multiply(Rational.of(entry)));
      });
    }
    return result;
  };
  return { program: reformulate(program, basis), basis, own };
}

/** The columns of a program by their kind: the order that the other basis has them in. */
function kindsOf({ columns }: Program): { readonly integers: number[]; readonly continuous: number[] } {
  const all = [...columns.keys()];
  const isInteger = (j: number) => columns[j]?.integer === true;
  return { integers: all.filter(isInteger), continuous: all.filter((j) => !isInteger(j)) };
}

/** What the lines of a program say of the program that is walked; bounds of new columns are derived from those of old. */
export function walkedFacts(
  original: Program,
  { program, basis }: WalkedInBasis,
  problem: Problem,
  derivations: Derivations,
): Pick<Problem, "bounds" | "rows"> {
  if (basis === null) return problem;
  const { integers, continuous } = kindsOf(original);
  const bounded = integers.filter((j) => original.columns[j]?.lower !== null || original.columns[j]?.upper !== null);
  const restated = (fact: Fact | null, coefficients: Coefficients, side: Side): Fact | null =>
    fact === null ? null : { ...fact, coefficients: side === "lower" ? coefficients : negated(coefficients) };
  const rowsOf = (side: Side) =>
    program.rows.map(({ form }, r) => {
      const from = problem.rows[side];
      const fact = r < from.length ? from[r] : problem.bounds[side][bounded[r - from.length] as number];
      return restated(fact ?? null, coefficientsOf(form), side);
    });
  const rows = { lower: rowsOf("lower"), upper: rowsOf("upper") };
  const boundOf = (column: number, side: Side): Fact | null => {
    const value = program.columns[column]?.[side] ?? null;
    if (value === null) return null;
    const row = basis.inverse[column];
    if (row === undefined) {
      const fact = problem.bounds[side][continuous[column - integers.length] as number] ?? null;
      return restated(fact, new Map([[column, Rational.one]]), side);
    }
    const sum = new Combination();
    row.forEach((entry, k) => {
      if (entry === 0n) return;
      const at = problem.rows.lower.length + bounded.indexOf(integers[k] as number);
      const fact = rows[entry > 0n === (side === "lower") ? "lower" : "upper"][at] as Fact;
      sum.add(fact, Rational.of(entry).absolute());
    });
    return derivations.derive("lin", sum, side === "lower" ? value : value.negate(), side);
  };
  const boundsOf = (side: Side) => program.columns.map((_, column) => boundOf(column, side));
  return { rows, bounds: { lower: boundsOf("lower"), upper: boundsOf("upper") } };
}
