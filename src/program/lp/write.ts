import { Rational } from "../../exact/rational.js";
import type { Column, Program } from "../program.js";
import { type FileDress, PLAIN_DRESS, prepareForWriting, type WrittenProgram, type WrittenRow } from "../written.js";
import { nameProblem } from "./names.js";

/** Lines are broken before a term beyond this length; CPLEX reads up to 560 characters. */
const LINE_LENGTH = 120;

/**
 * Writes a program as a CPLEX-LP file that {@link readLp} reads back to the identical program: same names and order,
 * same exact numbers, all digits written. The objective lists every column, with coefficient 0 where need be, because
 * columns are ordered by first appearance. A row with two bounds becomes two rows, because GLPK, CBC and HiGHS do not read
 * `1 <= x + y <= 5` or misread it; a row without bounds is written `>= -inf`, which GLPK refuses, as it does a constant
 * in the objective (CBC drops that one): MPS travels better. A name that HiGHS, GLPK, CBC or SCIP cannot read is replaced
 * (see `nameProblem`). Comments restore the original, see `prepareForWriting`.
 */
export function writeLp(program: Program, dress: FileDress = PLAIN_DRESS): string {
  const isSafe = (name: string) => nameProblem(name) === undefined;
  const prepared = prepareForWriting(program, { ranges: "split", isSafe }, dress);
  const { comment, objective, rows, columns } = prepared;
  const names = columns.map((column) => column.name);
  const out = comment.map((line) => `\\ ${line}`);
  if (program.name !== "" && dress === PLAIN_DRESS) out.push(`\\ shardproof name ${JSON.stringify(program.name)}`);
  out.push(program.objective.sense === "maximize" ? "Maximize" : "Minimize");
  const { text } = dress;
  const objectiveTerms = objectiveTexts(prepared, dress);
  if (objective.constant.sign() !== 0 || objectiveTerms.length === 0) {
    objectiveTerms.push(signed(objective.constant, "", objectiveTerms.length === 0, text));
  }
  out.push(wrapped(` ${objective.name}: `, objectiveTerms, ""));
  out.push("Subject To");
  for (const row of rows) out.push(rowLines(row, names, text));
  const bounds = columns.flatMap((column) => boundLines(column, text));
  if (bounds.length > 0) out.push("Bounds", bounds.join("\n"));
  const listed = (header: string, list: readonly Column[]) => {
    if (list.length > 0) out.push(header, list.map(({ name }) => ` ${name}`).join("\n"));
  };
  const integers = columns.filter((column) => column.integer);
  const generals = integers.filter((column) => !isBinary(column));
  listed("Generals", generals);
  listed("Binaries", integers.filter(isBinary));
  out.push("End", "");
  return out.join("\n");
}

/**
 * Every column, so that their order is kept; in a file that need not keep it only those that are in the objective, or
 * nowhere else.
 */
function objectiveTexts({ objective, rows, columns }: WrittenProgram, dress: FileDress): string[] {
  const others = new Set(dress === PLAIN_DRESS ? [] : rows.flatMap((row) => row.columns));
  const coefficients = new Map(objective.columns.map((column, k) => [column, objective.coefficients[k] as Rational]));
  const listed = [...columns.keys()].filter((column) => coefficients.has(column) || !others.has(column));
  return listed.map((column, k) => {
    const { name } = columns[column] as Column;
    const coefficient = coefficients.get(column);
    if (coefficient === undefined) return `${k === 0 ? "" : "+ "}0 ${name}`;
    return signed(coefficient, name, k === 0, dress.text);
  });
}

function rowLines(
  { name, columns, coefficients, lower, upper }: WrittenRow,
  names: readonly string[],
  written: FileDress["text"],
): string {
  const terms = columns.map((column, k) =>
    signed(coefficients[k] as Rational, names[column] as string, k === 0, written),
  );
  if (terms.length === 0) terms.push(names[0] === undefined ? "0" : `0 ${names[0]}`);
  if (upper === null) return wrapped(` ${name}: `, terms, ` >= ${lower === null ? "-inf" : written(lower)}`);
  return wrapped(` ${name}: `, terms, ` ${lower === null ? "<=" : "="} ${written(upper)}`);
}

function boundLines(column: Column, written: FileDress["text"]): string[] {
  const { name, lower, upper } = column;
  if (isBinary(column)) return [];
  if (lower === null) return [upper === null ? ` ${name} free` : ` -inf <= ${name} <= ${written(upper)}`];
  if (upper === null) return lower.sign() === 0 ? [] : [` ${name} >= ${written(lower)}`];
  if (lower.equals(upper)) return [` ${name} = ${written(upper)}`];
  return [` ${written(lower)} <= ${name} <= ${written(upper)}`];
}

function isBinary({ integer, lower, upper }: Column): boolean {
  return integer && lower?.sign() === 0 && (upper?.equals(Rational.one) ?? false);
}

/** `- 2 x`, or `-2 x` at the beginning. */
function signed(coefficient: Rational, name: string, first: boolean, written: FileDress["text"]): string {
  const magnitude = coefficient.absolute();
  const negative = coefficient.sign() < 0;
  const sign = first ? (negative ? "-" : "") : negative ? "- " : "+ ";
  if (name === "") return `${sign}${written(magnitude)}`;
  return magnitude.isInteger() && magnitude.numerator === 1n
    ? `${sign}${name}`
    : `${sign}${written(magnitude)} ${name}`;
}

/** The terms between a beginning and an end, broken into lines before a sign. */
function wrapped(begin: string, terms: readonly string[], end: string): string {
  const lines: string[] = [];
  let line = begin;
  terms.forEach((term, index) => {
    if (index > 0 && line.length + term.length > LINE_LENGTH) {
      lines.push(line);
      line = `  ${term}`;
    } else {
      line += index === 0 ? term : ` ${term}`;
    }
  });
  lines.push(line + end);
  return lines.join("\n");
}
