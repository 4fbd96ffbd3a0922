import { createHash, type Hash } from "node:crypto";
import type { Column, LinearForm, Program } from "./program.js";

/**
 * SHA-256 (hexadecimal) of a program's meaning: sense, columns and rows in order with their names, bounds and exact
 * coefficients. The program's own name does not count. Two programs with the same hash have the same solutions under
 * the same names.
 */
export const programHash = hashedOnce((hash, { objective, columns, rows }: Program) => {
  hash.update(`shardproof-program 1\n${objective.sense} ${objective.constant}\n`);
  hashForm(hash, objective.form);
  for (const column of columns) hash.update(columnText(column));
  for (const { name, lower, upper, form } of rows) {
    hash.update(`r ${JSON.stringify(name)} ${lower ?? "-"} ${upper ?? "-"}\n`);
    hashForm(hash, form);
  }
});

/** A hash of what does not change, so that it stays true; a large program takes longer to hash than to check. */
export function hashedOnce<Of extends object>(update: (hash: Hash, of: Of) => void): (of: Of) => string {
  const hashes = new WeakMap<Of, string>();
  return (of) => {
    const known = hashes.get(of);
    if (known !== undefined) return known;
    const hash = createHash("sha256");
    update(hash, of);
    const digest = hash.digest("hex");
    hashes.set(of, digest);
    return digest;
  };
}

/** A column's line. */
export function columnText({ name, lower, upper, integer }: Column): string {
  return `c ${JSON.stringify(name)} ${lower ?? "-"} ${upper ?? "-"} ${integer ? "i" : "r"}\n`;
}

function hashForm(hash: Hash, form: LinearForm): void {
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
