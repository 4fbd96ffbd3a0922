import { Rational } from "../../exact/rational.js";
import type { Column, Program } from "../program.js";
import { type FileDress, PLAIN_DRESS, prepareForWriting, type WrittenProgram, type WrittenRow } from "../written.js";

/**
 * Writes a program as free MPS that {@link readMps} reads back to the identical program: same names and order, same exact
 * numbers. Numbers are written with all their digits. What MPS cannot say is restored by comments, see
 * `prepareForWriting`; rows without bounds become N rows after the objective.
 *
 * HiGHS, CBC, CLP and GLPK read a minimisation written here. A maximisation is marked by an OBJSENSE section, which CBC
 * ignores (it minimises) and GLPK refuses: negate the objective before handing them one. GLPK adds the objective's
 * right-hand side where the others subtract it, so a constant shows with the wrong sign in the value it reports.
 * A name that cannot stand in free MPS is replaced.
 */
export function writeMps(program: Program, dress: FileDress = PLAIN_DRESS): string {
  const prepared = prepareForWriting(program, { ranges: "kept", isSafe }, dress);
  const { comment, objective, rows } = prepared;
  const { text } = dress;
  const nameFits = /^[^\s\p{Cc}]+$/u.test(program.name);
  const out = comment.map((line) => `* ${line}`);
  if (!nameFits) out.push(`* shardproof name ${JSON.stringify(program.name)}`);
  out.push(`NAME ${nameFits ? program.name : "MODEL"} FREE`);
  if (program.objective.sense === "maximize") out.push("OBJSENSE", "    MAX");
  out.push("ROWS", ` N  ${objective.name}`);
  for (const row of rows) out.push(` ${rowType(row)}  ${row.name}`);
  out.push("COLUMNS");
  writeColumns(out, prepared, text);
  out.push("RHS");
  if (objective.constant.sign() !== 0) out.push(`    RHS  ${objective.name}  ${text(objective.constant.negate())}`);
  for (const row of rows) {
    const rhs = row.upper ?? row.lower;
    if (rhs !== null && rhs.sign() !== 0) out.push(`    RHS  ${row.name}  ${text(rhs)}`);
  }
  const ranges = rows.flatMap(({ name, lower, upper }) => {
    const two = lower !== null && upper !== null && !lower.equals(upper);
    return two ? [`    RNG  ${name}  ${text(upper.subtract(lower))}`] : [];
  });
  if (ranges.length > 0) out.push("RANGES", ranges.join("\n"));
  const bounds = prepared.columns.flatMap((column) => boundLines(column, text));
  if (bounds.length > 0) out.push("BOUNDS", bounds.join("\n"));
  out.push("ENDATA", "");
  return out.join("\n");
}

function writeColumns(out: string[], { objective, rows, columns }: WrittenProgram, written: FileDress["text"]): void {
  const entries: string[][] = columns.map(() => []);
  for (const { name, columns: indices, coefficients } of [objective, ...rows]) {
    indices.forEach((column, k) => {
      entries[column]?.push(`${name}  ${written(coefficients[k] as Rational)}`);
    });
  }
  let integer = false;
  let markers = 0;
  const marker = (kind: string) => out.push(`    MARKER${markers++}  'MARKER'  '${kind}'`);
  columns.forEach((column, index) => {
    if (column.integer !== integer) marker(column.integer ? "INTORG" : "INTEND");
    integer = column.integer;
    const lines = entries[index] as string[];
    // A column without entries still has to be declared, at its place in the order.
    if (lines.length === 0) lines.push(`${objective.name}  0`);
    for (const line of lines) out.push(`    ${column.name}  ${line}`);
  });
  if (integer) marker("INTEND");
}

function rowType({ lower, upper }: WrittenRow): string {
  if (upper === null) return lower === null ? "N" : "G";
  return lower?.equals(upper) ? "E" : "L";
}

/** Explicit for every integer column, because its default upper bound is 1 in some programs and infinite in others. */
function boundLines({ name, integer, lower, upper }: Column, written: FileDress["text"]): string[] {
  const line = (type: string, value?: Rational) => ` ${type} BND  ${name}${value ? `  ${written(value)}` : ""}`;
  if (lower === null && upper === null) return [line("FR")];
  if (lower !== null && upper !== null) {
    if (integer && lower.sign() === 0 && upper.equals(Rational.one)) return [line("BV")];
    if (lower.equals(upper)) return [line("FX", lower)];
  }
  const lines: string[] = [];
  if (lower === null) lines.push(line("MI"));
  else if (integer || lower.sign() !== 0 || (upper !== null && upper.sign() < 0)) lines.push(line("LO", lower));
  if (upper !== null) lines.push(line("UP", upper));
  else if (integer) lines.push(line("PL"));
  return lines;
}

/** Blanks, control characters, a leading * or $ and 'MARKER' cannot stand in a name. */
function isSafe(name: string): boolean {
  return /^[^\s\p{Cc}]+$/u.test(name) && !/^[*$]|^'MARKER'$/.test(name);
}
