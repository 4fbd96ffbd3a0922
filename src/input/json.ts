import { InputError, type Place, placeAt } from "../errors/input-error.js";
import { MAX_NESTED } from "./limits.js";

/**
 * JSON as plain values. All JSON of users comes through here: what recurses into the values may do so, for they are
 * nested at most {@link MAX_NESTED} deep.
 *
 * Throws `InputError` for more, and `SyntaxError` where the text is no JSON.
 */
export function parseJson(text: string, file: string): unknown {
  const deep = tooDeepAt(text);
  if (deep !== null) throw nestedTooDeeply(file, placeAt(text, deep));
  return JSON.parse(text);
}

/** The same of a user's file; `what` is meant to be there. Throws `InputError`, with the place where the text is no JSON. */
export function readJson(text: string, file: string, what: string): unknown {
  try {
    return parseJson(text, file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`expected ${what} (JSON), received text that is not JSON`, file, syntaxPlace(text, error));
  }
}

/** Lists or maps that are nested more than {@link MAX_NESTED} deep. */
export function nestedTooDeeply(file: string, place?: Place): InputError {
  const expected = `expected lists and maps nested at most ${MAX_NESTED.toLocaleString("en")} deep`;
  return new InputError(`${expected}, received deeper ones; no file of this program has them`, file, place);
}

/** The place that the error of `JSON.parse` tells of; without one, the text's end. */
function syntaxPlace(text: string, error: unknown): Place {
  const offset = /position (\d+)/.exec((error as Error).message)?.[1];
  return placeAt(text, offset === undefined ? text.length : Number(offset));
}

/** Whether some object of a JSON text has a key twice: readers differ in which of the two they take. */
export function hasRepeatedKeys(text: string, value: unknown): boolean {
  let written = 0;
  for (let offset = text.indexOf('"'); offset !== -1; ) {
    const end = skipBlanks(text, stringEnd(text, offset));
    if (text.charCodeAt(end) === COLON) written++;
    offset = text.indexOf('"', end);
  }
  return written !== countKeys(value);
}

/**
 * The first number of a JSON text whose digits say something else than the double that it is read as, so that a change
 * of it would not be seen in the value.
 */
export function firstInexactNumber(text: string): string | null {
  for (let offset = 0; offset < text.length; ) {
    const code = text.charCodeAt(offset);
    if (code === QUOTE) offset = stringEnd(text, offset);
    else if (code === MINUS || isDigit(code)) {
      const end = numberEnd(text, offset);
      const literal = text.slice(offset, end);
      const double = Number(literal);
      const shortest = String(double);
      if (literal !== shortest && (!Number.isFinite(double) || decimalKey(literal) !== decimalKey(shortest))) {
        return literal;
      }
      offset = end;
    } else offset++;
  }
  return null;
}

/**
 * Where the value at a path of a JSON text begins (or, `atKey`, the key that ends the path); where there is none, the
 * innermost list or map around it. The text is known to be JSON.
 */
export function placeInJson(text: string, path: readonly (string | number)[], atKey = false): Place {
  let offset = skipBlanks(text, 0);
  for (const [depth, step] of path.entries()) {
    const found = childAt(text, offset, step);
    if (found === null) break;
    if (atKey && depth === path.length - 1) return placeAt(text, found.key);
    offset = found.value;
  }
  return placeAt(text, offset);
}

const [QUOTE, COMMA, COLON, MINUS, BACKSLASH] = [34, 44, 58, 45, 92];
/** No double has a power of ten of more digits; one with more is a key of its own. */
const MAX_POWER_DIGITS = 12;

const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);

/** The offset of the bracket that is nested too deeply. In a text that is no JSON, brackets in quotes may count. */
function tooDeepAt(text: string): number | null {
  let depth = 0;
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code === QUOTE) offset = stringEnd(text, offset) - 1;
    else if (code === 91 || code === 123) {
      if (++depth > MAX_NESTED) return offset;
    } else if (code === 93 || code === 125) depth--;
  }
  return null;
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) for (const entry of value) keys += countKeys(entry);
  else for (const field of Object.values(value)) keys += 1 + countKeys(field);
  return keys;
}

/** The step of a path from the list or map at an offset: where its value begins, and its key. */
function childAt(
  text: string,
  offset: number,
  step: string | number,
): { readonly key: number; readonly value: number } | null {
  const isMap = text[offset] === "{";
  if (!isMap && (text[offset] !== "[" || typeof step !== "number")) return null;
  let at = skipBlanks(text, offset + 1);
  for (let index = 0; !CLOSING.has(text.charCodeAt(at)) && at < text.length; index++) {
    const key = at;
    let isWanted = index === step;
    if (isMap) {
      const end = stringEnd(text, at);
      isWanted = JSON.parse(text.slice(at, end)) === String(step);
      at = skipBlanks(text, skipBlanks(text, end) + 1);
    }
    if (isWanted) return { key, value: at };
    at = skipBlanks(text, valueEnd(text, at));
    if (text.charCodeAt(at) === COMMA) at = skipBlanks(text, at + 1);
  }
  return null;
}

/** The offset behind the value that begins at an offset. */
function valueEnd(text: string, offset: number): number {
  let depth = 0;
  for (let at = offset; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (OPENING.has(code)) depth++;
    else if (CLOSING.has(code)) {
      if (depth <= 1) return depth === 0 ? at : at + 1;
      depth--;
    } else if (depth === 0 && code === COMMA) return at;
    at++;
  }
  return text.length;
}

/** The offset behind the closing quote of the string that begins at an offset. */
function stringEnd(text: string, offset: number): number {
  for (let quote = text.indexOf('"', offset + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function skipBlanks(text: string, offset: number): number {
  let at = offset;
  for (let code = text.charCodeAt(at); code === 32 || (code >= 9 && code <= 13); code = text.charCodeAt(at)) at++;
  return at;
}

function numberEnd(text: string, offset: number): number {
  let at = offset + 1;
  for (let code = text.charCodeAt(at); isDigit(code) || isInNumber(code); code = text.charCodeAt(at)) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** `.`, `e`, `E`, `+` or `-`. */
function isInNumber(code: number): boolean {
  return code === 46 || code === 101 || code === 69 || code === 43 || code === MINUS;
}

/** One text for each decimal number: its sign, its digits without zeros around them, its power of ten. No power is computed. */
function decimalKey(literal: string): string {
  const [mantissa = "", power = "0"] = literal.toLowerCase().replace(/^-/, "").split("e");
  const [whole = "", tenths = ""] = mantissa.split(".");
  const digits = whole + tenths;
  let first = 0;
  while (digits[first] === "0") first++;
  let last = digits.length;
  while (last > first && digits[last - 1] === "0") last--;
  if (first === last) return "0";
  if (power.length > MAX_POWER_DIGITS) return literal;
  const sign = literal.startsWith("-") ? "-" : "";
  return `${sign}${digits.slice(first, last)}e${BigInt(power) + BigInt(digits.length - last - tenths.length)}`;
}

/** Whether a value is a map of JSON. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
