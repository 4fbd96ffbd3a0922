import { Rational } from "../exact/rational.js";

/** A number of a plan file's `exact`; `null` where it has none. */
export function exactOrNull(text: string | null): Rational | null {
  return text === null ? null : Rational.parse(text);
}
