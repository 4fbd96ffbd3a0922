import { InputError, placeAt } from "../../errors/input-error.js";
import { parseDirective } from "../directives.js";
import type { Directive } from "../draft.js";
import { NAME, WORD_END } from "./names.js";

/** The sections of an LP file, and its end. */
export type Section = "minimize" | "maximize" | "constraints" | "bounds" | "generals" | "binaries" | "end";

/** The smallest parts of an LP file. */
export interface Token {
  readonly kind: "number" | "name" | "sign" | "relation" | "colon" | "section" | "end-of-text";
  readonly text: string;
  /** For a section header, the section; for a relation, its sense. */
  readonly meaning: Section | "<" | ">" | "=" | "";
  readonly offset: number;
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

/** A header stands first on its line and is no label (`st: x >= 1`). */
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
];

const UNSUPPORTED_HEADER = header(
  "semi-continuous|semis?|sos[12]?|lazy\\s+constraints|user\\s+cuts|general\\s+constraints|gencons?|pwlobj|multi-objectives|scenario|indicators",
);

const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const RELATION = /<=|=<|>=|=>|[<>=]/y;
const BLANKS = /[^\S\n]+/y;

/**
 * Splits an LP file into tokens. Throws `InputError` at a section that is not supported, a quadratic term and a
 * character that belongs to nothing.
 */
export function tokenize(text: string, file: string): Tokens {
  const list: Token[] = [];
  const directives: Directive[] = [];
  const fail = (offset: number, message: string) => new InputError(message, file, placeAt(text, offset));
  let offset = text.startsWith("\uFEFF") ? 1 : 0;
  let first = true;

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    return pattern.exec(text)?.[0];
  };
  const push = (kind: Token["kind"], found: string, meaning: Token["meaning"] = "") => {
    list.push({ kind, text: found, meaning, offset, first });
    offset += found.length;
    first = false;
  };

  while (offset < text.length) {
    const character = text[offset] as string;
    if (character === "\n") {
      offset++;
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
      const directive = parseDirective(text.slice(offset + 1, end), file, placeAt(text, offset));
      if (directive) directives.push(directive);
      offset = end;
      continue;
    }
    if (first) {
      const unsupported = match(UNSUPPORTED_HEADER);
      if (unsupported !== undefined) {
        throw fail(
          offset,
          `expected a section of a linear mixed-integer program, found "${unsupported}", which is not supported; remove or reformulate it`,
        );
      }
      const section = HEADERS.find(([, pattern]) => match(pattern) !== undefined);
      if (section) {
        push("section", match(section[1]) as string, section[0]);
        continue;
      }
    }
    const number = match(NUMBER);
    if (number !== undefined) {
      push("number", number);
      continue;
    }
    const name = match(NAME);
    if (name !== undefined) {
      push("name", name);
      continue;
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

function strangeCharacter(character: string): string {
  if ("[]^*".includes(character)) {
    return `expected a linear term, found "${character}": quadratic terms and multiplication signs are not supported; write 2 x for 2 * x`;
  }
  return `expected a number, a name, a sign or a relation, found "${character}"; fractions, parentheses around terms and names that begin with this character are not part of the format`;
}
