import { Rational } from "../../exact/rational.js";
import type { Program } from "../../program/program.js";
import { CertificateError, readNumber } from "../../proof/certificate.js";

/**
 * The rationals of a point that a file has by column name, in the order of the program's columns: numbers are the
 * doubles that they are, texts are integers or fractions in lowest terms. `null` where the file has none.
 *
 * Throws `CertificateError` for a column without a value and a value without a column.
 */
export function pointByName(written: unknown, { columns }: Program): readonly Rational[] | null {
  if (written === null) return null;
  if (typeof written !== "object" || Array.isArray(written)) {
    throw new CertificateError(0, "a point must be an object with a value for every column");
  }
  const values = new Map<string, unknown>(Object.entries(written));
  const known = new Set(columns.map(({ name }) => name));
  for (const name of values.keys()) {
    if (!known.has(name)) throw new CertificateError(0, `there is a value of "${name}", and no such column`);
  }
  return columns.map(({ name }) => {
    const value = values.get(name);
    if (value === undefined) throw new CertificateError(0, `there is no value of column "${name}"`);
    return typeof value === "number" ? Rational.fromNumber(value) : readNumber(value, 0);
  });
}
