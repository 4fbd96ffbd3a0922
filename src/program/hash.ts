import { createHash } from "node:crypto";
import type { Rational } from "../exact/rational.js";
import type { LinearForm, Program } from "./program.js";

/**
 * SHA-256 (hexadecimal) of a program's meaning: sense, columns and rows in order with their names, bounds and exact
 * coefficients. The program's own name does not count. Two programs with the same hash have the same solutions under
 * the same names.
 */
export const programHash = hashedOnce(computeHash);

/** A hash of what does not change, so that it stays true; a large program takes longer to hash than to check. */
export function hashedOnce<Of extends object>(compute: (of: Of) => string): (of: Of) => string {
  const hashes = new WeakMap<Of, string>();
  return (of) => {
    const hash = hashes.get(of) ?? compute(of);
    hashes.set(of, hash);
    return hash;
  };
}

function computeHash(program: Program): string {
  const hash = createHash("sha256");
  hash.update(`shardproof-program 1\n${program.objective.sense} ${program.objective.constant}\n`);
  hashForm(hash, program.objective.form);
  for (const column of program.columns) {
    hash.update(
      `c ${JSON.stringify(column.name)} ${bound(column.lower)} ${bound(column.upper)} ${column.integer ? "i" : "r"}\n`,
    );
  }
  for (const row of program.rows) {
    hash.update(`r ${JSON.stringify(row.name)} ${bound(row.lower)} ${bound(row.upper)}\n`);
    hashForm(hash, row.form);
  }
  return hash.digest("hex");
}

function hashForm(hash: { update(text: string): unknown }, form: LinearForm): void {
  let text = `${form.denominator}`;
  for (let k = 0; k < form.columns.length; k++) {
    text += ` ${form.columns[k]}:${(form.coefficients[k] as bigint).toString(36)}`;
    if (text.length > 65_536) {
      hash.update(text);
      text = "";
    }
  }
  hash.update(`${text}\n`);
}

function bound(value: Rational | null): string {
  return value === null ? "-" : value.toString();
}
