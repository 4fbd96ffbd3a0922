import { expect } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { programHash } from "../../../src/program/hash.js";
import { type Column, linearForm, makeProgram, type Program, type Row } from "../../../src/program/program.js";
import type { Certificate, Claim, Step } from "../../../src/proof/certificate.js";
import { type ExactSolution, solveExactly } from "../../../src/search/exact-milp/solve-exactly.js";

/** Programs, certificates and what their files should say, for the tests of the writer of VIPR. */
export const fraction = (text: string) => Rational.parse(text);
export const integer = (value: number) => Rational.of(BigInt(value));

export type Solved = ExactSolution & { readonly certificate: Certificate };

/** Stops by nodes rather than by the clock, so that every machine writes the same proofs. */
export function solve(program: Program): Promise<ExactSolution> {
  let nodes = 0;
  return solveExactly(program, {
    onProgress: (progress) => {
      nodes = progress.nodes;
    },
    shouldStop: () => nodes >= 1500,
  });
}

export function expectedClaim(program: Program, { verdict, point }: Solved) {
  if (verdict === null || verdict.bound === null) return { kind: "infeasible" };
  const bound = verdict.bound.subtract(program.objective.constant);
  const value = point === null ? null : (verdict.value?.subtract(program.objective.constant) ?? null);
  return program.objective.sense === "minimize"
    ? { kind: "range", lower: bound, upper: value }
    : { kind: "range", lower: value, upper: bound };
}

/** The same problem up to names, the objective's constant and rows that were split into two sides. */
export function expectSameProblem(read: Program, written: Program): void {
  expect(read.objective.sense).toBe(written.objective.sense);
  expect(read.objective.form).toEqual(written.objective.form);
  expect(read.columns.map(({ lower, upper, integer }) => ({ lower, upper, integer }))).toEqual(
    written.columns.map(({ lower, upper, integer }) => ({ lower, upper, integer })),
  );
  type Sides = Omit<Row, "name">;
  const sides = written.rows.flatMap(({ form, lower, upper }): Sides[] => {
    if (lower !== null && upper !== null && lower.equals(upper)) return [{ form, lower, upper }];
    const split: Sides[] = [
      { form, lower, upper: null },
      { form, lower: null, upper },
    ];
    return split.filter((side) => side.lower !== null || side.upper !== null);
  });
  expect(read.rows.map(({ form, lower, upper }) => ({ form, lower, upper }))).toEqual(sides);
}

export function rulesOf(text: string): string[] {
  return [...text.matchAll(/\{ (\w+)/g)].map(([, rule]) => rule as string);
}

export function certify(program: Program, claim: Claim, steps: readonly Step[]): Certificate {
  return { format: "shardproof-certificate 1", program: programHash(program), claim, steps };
}

export function column(name: string, lower: number | null, upper: number | null, integral: boolean): Column {
  const bound = (value: number | null) => (value === null ? null : integer(value));
  return { name, lower: bound(lower), upper: bound(upper), integer: integral };
}

export function form(coefficients: readonly number[]) {
  return linearForm(coefficients.map((value, j) => [j, integer(value)] as const));
}

/** min costs · x with rows `terms · x ≥ lower`. */
export function minimise(
  costs: readonly number[],
  columns: readonly Column[],
  rows: readonly { readonly name: string; readonly terms: readonly number[]; readonly lower: Rational }[],
): Program {
  return makeProgram({
    columns,
    rows: rows.map(({ name, terms, lower }) => ({ name, form: form(terms), lower, upper: null })),
    objective: { form: form(costs) },
  });
}
