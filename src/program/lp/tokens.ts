import { InputError, placeAt } from "../../errors/input-error.js";
import { parseDirective } from "../directives.js";
import type { Directive } from "../draft.js";
import { NAME, WORD_END } from "./names.js";

/** The sections of an LP file, and its end; one that no linear mixed-integer program has must be empty. */
export type Section =
  | "minimize"
  | "maximize"
  | "constraints"
  | "bounds"
  | "generals"
  | "binaries"
  | "unsupported"
  | "end";

/** What a relation says, however it is written. */
export type Relation = "<" | ">" | "=";

/** The same, read from the other side. */
export const MIRRORED = { "<": ">", ">": "<", "=": "=" } as const;

/** The smallest parts of an LP file. */
export interface Token {
  readonly kind: "number" | "name" | "sign" | "relation" | "colon" | "section" | "end-of-text";
  readonly text: string;
  /** For a section header, the section; for a relation, its sense. */
  readonly meaning: Section | Relation | "";
  readonly offset: number;
  readonly line: number;
  /** Whether it is the first token on its line. */
  readonly first: boolean;
}

/** The tokens of an LP file and the directives of its comments. */
export interface Tokens {
  readonly text: string;
  readonly file: string;
  readonly list: readonly Token[];
  readonly directives: readonly Directive[];
}

/** A header is a word of its own and no label (`st: x >= 1`). */
const headerEnd = `${WORD_END}(?!\\s*:)`;
const header = (words: string) => new RegExp(`(?:${words})${headerEnd}`, "iy");

const HEADERS: readonly (readonly [Section, RegExp])[] = [
  ["minimize", header("minimi[sz]e|minimum|min")],
  ["maximize", header("maximi[sz]e|maximum|max")],
  ["constraints", header("subject\\s+to|such\\s+that|st\\.?|s\\.t\\.?")],
  ["bounds", header("bounds?")],
  ["generals", header("generals?|gen|integers?|int")],
  ["binaries", header("binar(?:y|ies)|bin")],
  ["end", header("end")],
  ["unsupported", header("semi-continuous|semis?|sos[12]?")],
];

/** Headers of two words come before those of one, which they begin with; these stand first on their lines alone. */
const FIRST_HEADERS: typeof HEADERS = [
  [
    "unsupported",
    header(
      "lazy\\s+constraints|user\\s+cuts|general\\s+constraints|gencons?|pwlobj|multi-objectives|scenario|indicators",
    ),
  ],
  ...HEADERS,
];

/** First letters of {@link HEADERS}, which most words do not have. */
const HEADER_INITIALS = new Set("mMsSbBgGiIeE");

/** A header that nobody takes for a variable: `subject to`, `s.t.`. */
const SURE_HEADER = /[\s.]/;

const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const RELATION = /<=|=<|>=|=>|[<>=]/y;
const IMPLIES = /<?->/y;
const BLANKS = /[^\S\n]+/y;

/**
 * Splits an LP file into tokens. Throws `InputError` at a quadratic term, an indicator, a word that may be a header or a
 * variable, and a character that belongs to nothing.
 */
export function tokenize(text: string, file: string): Tokens {
  const list: Token[] = [];
  const directives: Directive[] = [];
  const fail = (offset: number, message: string) => new InputError(message, file, placeAt(text, offset));
  let offset = text.startsWith("\uFEFF") ? 1 : 0;
  let first = true;
  let line = 1;

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    return pattern.exec(text)?.[0];
  };
  const push = (kind: Token["kind"], found: string, meaning: Token["meaning"] = "") => {
    list.push({ kind, text: found, meaning, offset, line, first });
    // A header of two words may stand on two lines.
    for (const character of found) if (character === "\n") line++;
    offset += found.length;
    first = false;
  };

  const names = new Set<string>();
  /**
   * The header here, if this is one: the first word of a line, or one behind a complete expression (`Minimize x subject
   * to x >= 1 end`), unless it may as well be a variable.
   */
  const headerHere = (): (typeof HEADERS)[number] | undefined => {
    if (first) return FIRST_HEADERS.find(([, pattern]) => match(pattern) !== undefined);
    if (!HEADER_INITIALS.has(text[offset] as string)) return undefined;
    const before = list.at(-1) as Token;
    if (!/\s/.test(text[offset - 1] as string) || !["name", "number", "section"].includes(before.kind))
      return undefined;
    const found = HEADERS.find(([, pattern]) => match(pattern) !== undefined);
    const word = found && (match(found[1]) as string);
    if (word === undefined || SURE_HEADER.test(word)) return found;
    if (!names.has(word) && (before.kind !== "number" || endsRightSide(list))) return found;
    const doubt = `found "${word}", which may be either here; begin a line with the header, or rename the variable`;
    throw fail(offset, `expected a section header on a line of its own, or a variable, ${doubt}`);
  };

  while (offset < text.length) {
    const character = text[offset] as string;
    if (character === "\n") {
      offset++;
      line++;
      first = true;
      continue;
    }
    const blanks = match(BLANKS);
    if (blanks !== undefined) {
      offset += blanks.length;
      continue;
    }
    if (character === "\\") {
      const found = text.indexOf("\n", offset);
      const end = found === -1 ? text.length : found;
      const start = offset;
      // The line is known here: counted again for each comment, it would take the square of their number.
      const place = { line, column: start - text.lastIndexOf("\n", start) };
      const directive = parseDirective(text.slice(start + 1, end), file, () => place);
      if (directive) directives.push(directive);
      offset = end;
      continue;
    }
    const section = headerHere();
    if (section) {
      push("section", match(section[1]) as string, section[0]);
      continue;
    }
    const number = match(NUMBER);
    if (number !== undefined) {
      push("number", number);
      continue;
    }
    const name = match(NAME);
    if (name !== undefined) {
      names.add(name);
      push("name", name);
      continue;
    }
    if (match(IMPLIES) !== undefined) {
      const advice = "write the constraint with a coefficient that switches it off";
      throw fail(
        offset,
        `expected a linear constraint, found "->": indicator constraints are not supported; ${advice}`,
      );
    }
    const relation = match(RELATION);
    if (relation !== undefined) {
      push("relation", relation, relation.includes("<") ? "<" : relation.includes(">") ? ">" : "=");
      continue;
    }
    if (character === "+" || character === "-") push("sign", character);
    else if (character === ":") push("colon", character);
    else throw fail(offset, strangeCharacter(character));
  }
  first = true;
  push("end-of-text", "");
  return { text, file, list, directives };
}

/** Whether the number that comes last is all of a right side, or of a bound. */
function endsRightSide(list: readonly Token[]): boolean {
  const before = list.findLast(({ kind }, index) => index < list.length - 1 && kind !== "sign");
  return before?.kind === "relation";
}

function strangeCharacter(character: string): string {
  if ("[]^*".includes(character)) {
    return `expected a linear term, found "${character}": quadratic terms and multiplication signs are not supported; write 2 x for 2 * x`;
  }
  return `expected a number, a name, a sign or a relation, found "${character}"; fractions, parentheses around terms and names that begin with this character are not part of the format`;
}
