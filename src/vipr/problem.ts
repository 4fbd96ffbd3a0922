import { Rational } from "../exact/rational.js";
import { coefficientAt, freeName, type LinearForm, type Program } from "../program/program.js";
import type { Coefficients, Fact } from "./combination.js";

export type Side = "lower" | "upper";

/** A line of the CON section, as text. */
export interface ProblemLine {
  readonly name: string;
  readonly sense: "G" | "L" | "E";
  readonly rhs: Rational;
  readonly coefficients: Coefficients;
}

/** A program as the sections VAR to CON have it, and what its lines say as facts. */
export interface Problem {
  readonly columnNames: readonly string[];
  readonly lines: readonly ProblemLine[];
  /** The first so many lines are bounds of columns. */
  readonly boundCount: number;
  /** By program column, and by program row; `null` where that side has no bound. */
  readonly bounds: Readonly<Record<Side, readonly (Fact | null)[]>>;
  readonly rows: Readonly<Record<Side, readonly (Fact | null)[]>>;
}

/**
 * Numbers the constraints of a program: first the bounds of its columns, then the sides of its rows (an equation is one
 * line). A program without any gets `0 ≥ 0`, because viprchk takes `CON 0 0` for a failure. Names lose their white space,
 * which VIPR separates its words by, and a leading `%`, which begins a comment; they stay distinct.
 */
export function problemOf(program: Program): Problem {
  const taken = new Set<string>();
  const nameOf = (wanted: string) => {
    const name = freeName(wanted.replace(/\s+/g, "_").replace(/^%/, "_"), taken);
    taken.add(name);
    return name;
  };
  const columnNames = program.columns.map(({ name }) => nameOf(name));
  taken.clear();
  const lines: ProblemLine[] = [];
  const state = (line: ProblemLine): number => lines.push(line) - 1;

  const bounds = { lower: [] as (Fact | null)[], upper: [] as (Fact | null)[] };
  program.columns.forEach(({ name, lower, upper }, column) => {
    const coefficients = new Map([[column, Rational.one]]);
    for (const [side, rhs] of [["lower", lower] as const, ["upper", upper] as const]) {
      const sense = side === "lower" ? "G" : "L";
      const line = rhs === null ? -1 : state({ name: nameOf(`${name}_${side}`), sense, rhs, coefficients });
      bounds[side].push(rhs === null ? null : factOf(coefficients, rhs, line, side));
    }
  });
  const boundCount = lines.length;

  const rows = { lower: [] as (Fact | null)[], upper: [] as (Fact | null)[] };
  for (const { name, form, lower, upper } of program.rows) {
    const coefficients = coefficientsOf(form);
    if (lower !== null && upper !== null && lower.equals(upper)) {
      const line = state({ name: nameOf(name), sense: "E", rhs: lower, coefficients });
      rows.lower.push(factOf(coefficients, lower, line, "lower"));
      rows.upper.push(factOf(coefficients, lower, line, "upper"));
      continue;
    }
    for (const [side, rhs] of [["lower", lower] as const, ["upper", upper] as const]) {
      const sense = side === "lower" ? "G" : "L";
      const line = rhs === null ? -1 : state({ name: nameOf(name), sense, rhs, coefficients });
      rows[side].push(rhs === null ? null : factOf(coefficients, rhs, line, side));
    }
  }
  if (lines.length === 0) state({ name: "nothing", sense: "G", rhs: Rational.zero, coefficients: new Map() });
  return { columnNames, lines, boundCount, bounds, rows };
}

/** The objective as a minimisation, without its constant. */
export function objectiveOf({ objective: { form, sense } }: Program): Coefficients {
  return sense === "maximize" ? negated(coefficientsOf(form)) : coefficientsOf(form);
}

/** What a line `coefficients · x ≥ rhs` (side `lower`) or `≤ rhs` (side `upper`) says. */
export function factOf(coefficients: Coefficients, rhs: Rational, line: number, side: Side): Fact {
  return side === "lower"
    ? { coefficients, weight: Rational.zero, rhs, line, negated: false }
    : { coefficients: negated(coefficients), weight: Rational.zero, rhs: rhs.negate(), line, negated: true };
}

export function coefficientsOf(form: LinearForm): Coefficients {
  return new Map(form.columns.map((column, k) => [column, coefficientAt(form, k)]));
}

export function negated(coefficients: Coefficients): Coefficients {
  return new Map([...coefficients].map(([column, coefficient]) => [column, coefficient.negate()]));
}
