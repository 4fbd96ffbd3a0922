import { Rational } from "../exact/rational.js";
import { coefficientAt, freeName, type LinearForm, type Program, type Row } from "../program/program.js";
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

type Facts = Readonly<Record<Side, (Fact | null)[]>>;

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

  /** A line for each side, `null` where there is none. */
  const stateSides = (
    wanted: (side: Side) => string,
    coefficients: Coefficients,
    sides: Pick<Row, Side>,
    to: Facts,
  ) => {
    for (const side of ["lower", "upper"] as const) {
      const [sense, rhs] = [side === "lower" ? "G" : "L", sides[side]] as const;
      const line = rhs === null ? -1 : state({ name: nameOf(wanted(side)), sense, rhs, coefficients });
      to[side].push(rhs === null ? null : factOf(coefficients, rhs, line, side));
    }
  };

  const bounds: Facts = { lower: [], upper: [] };
  program.columns.forEach((column, j) => {
    stateSides((side) => `${column.name}_${side}`, new Map([[j, Rational.one]]), column, bounds);
  });
  const boundCount = lines.length;

  const rows: Facts = { lower: [], upper: [] };
  for (const row of program.rows) {
    const { name, lower } = row;
    const coefficients = coefficientsOf(row.form);
    if (lower !== null && row.upper?.equals(lower) === true) {
      const line = state({ name: nameOf(name), sense: "E", rhs: lower, coefficients });
      rows.lower.push(factOf(coefficients, lower, line, "lower"));
      rows.upper.push(factOf(coefficients, lower, line, "upper"));
    } else stateSides(() => name, coefficients, row, rows);
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

/** What an integer form is where it is not at least (side `lower`) or at most the value. */
export function oppositeOf(value: Rational, side: Side): { readonly side: Side; readonly value: Rational } {
  return side === "lower"
    ? { side: "upper", value: value.subtract(Rational.one) }
    : { side: "lower", value: value.add(Rational.one) };
}
