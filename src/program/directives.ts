import { InputError, type Place } from "../errors/input-error.js";
import { shown } from "../errors/shown.js";
import { Rational } from "../exact/rational.js";
import type { Directive } from "./draft.js";

/**
 * Reads the text of one comment (without its comment character). A comment that does not begin with `shardproof` is
 * nobody's business but its writer's: `undefined`. `placeOf` finds its place. The directives:
 *
 * - `shardproof scale ROW 1/3`: the row (or the objective) is what is written, times 1/3;
 * - `shardproof bound upper COLUMN 1/3`: this bound is exactly 1/3; what is written is rounded outwards;
 * - `shardproof join ROW UPPER`: UPPER is the upper side of ROW, not a row of its own;
 * - `shardproof rename column x_1 "JSON STRING"`, or row: the name of what is written as x_1;
 * - `shardproof name "JSON STRING"`: the program's name;
 * - `shardproof doubles`: every number is the double nearest to what is written, not the decimal itself.
 *
 * Throws `InputError` for a malformed one: a directive that is silently skipped would change the program.
 */
export function parseDirective(comment: string, file: string, placeOf: () => Place): Directive | undefined {
  const trimmed = comment.trim();
  if (!/^shardproof(?!\S)/.test(trimmed)) return undefined;
  const text = trimmed.slice("shardproof".length).trim();
  const place = placeOf();
  const [kind, first, second, third, ...more] = text.split(/\s+/);
  if (kind === "scale" && first !== undefined && second !== undefined && third === undefined) {
    const factor = parseRational(second);
    if (factor && factor.sign() > 0) return { kind, row: first, factor, place };
  }
  if (kind === "bound" && (first === "lower" || first === "upper") && second !== undefined && more.length === 0) {
    const value = parseRational(third ?? "");
    if (value) return { kind, side: first, column: second, value, place };
  }
  if (kind === "join" && first !== undefined && second !== undefined && third === undefined) {
    return { kind, row: first, upperRow: second, place };
  }
  if (kind === "doubles" && first === undefined) return { kind, place };
  if (kind === "rename" && (first === "column" || first === "row") && second !== undefined) {
    const name = parseJsonString(text.replace(/^rename\s+\S+\s+\S+\s+/, ""));
    if (name !== undefined) return { kind, of: first, written: second, name, place };
  }
  if (kind === "name") {
    const name = parseJsonString(text.slice("name".length));
    if (name !== undefined) return { kind, name, place };
  }
  throw new InputError(
    `expected "shardproof scale ROW FACTOR", "shardproof bound lower|upper COLUMN VALUE", "shardproof join ROW UPPER", "shardproof doubles", "shardproof rename column|row NAME STRING" or "shardproof name STRING" in the comment, found "${shown(text)}"; correct it, or reword the comment so that it does not begin with "shardproof"`,
    file,
    place,
  );
}

function parseRational(text: string): Rational | undefined {
  try {
    return Rational.parse(text);
  } catch {
    return undefined;
  }
}

function parseJsonString(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
