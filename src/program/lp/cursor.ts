import { InputError, placeAt } from "../../errors/input-error.js";
import { shown } from "../../errors/shown.js";
import { Rational } from "../../exact/rational.js";
import { type Dialect, type ReadingRules, RULES } from "../reading/dialect.js";
import { type NoteCode, Notes, noteTiny } from "../reading/notes.js";
import type { Section, Token, Tokens } from "./tokens.js";

/** Walks over the tokens of a file. */
export class Cursor {
  readonly file: string;
  readonly dialect: Dialect;
  readonly rules: ReadingRules;
  readonly notes = new Notes();
  private readonly tokens: Tokens;
  private index = 0;

  constructor(tokens: Tokens, dialect: Dialect) {
    this.dialect = dialect;
    this.rules = RULES[dialect];
    this.tokens = tokens;
    this.file = tokens.file;
  }

  /** The current token, or one of those after it; the last token is the end of the text. */
  peek(ahead = 0): Token {
    const { list } = this.tokens;
    return list[Math.min(this.index + ahead, list.length - 1)] as Token;
  }

  /** Whether the current token touches the one before it: nothing stands between them. */
  touches(): boolean {
    const before = this.tokens.list[this.index - 1];
    return before !== undefined && before.offset + before.text.length === this.peek().offset;
  }

  /** The current token, stepping over it. */
  next(): Token {
    const token = this.peek();
    this.index++;
    return token;
  }

  /** Whether a section header or the end of the text comes next. */
  atSectionEnd(): boolean {
    const { kind } = this.peek();
    return kind === "section" || kind === "end-of-text";
  }

  /** Steps over a section header and gives its section. */
  section(): Section | undefined {
    if (this.peek().kind !== "section") return undefined;
    return this.next().meaning as Section;
  }

  /** Steps over `name :` and gives the name's token. */
  label(): Token | undefined {
    if (!this.atLabel()) return undefined;
    const name = this.next();
    this.next();
    return name;
  }

  atLabel(): boolean {
    return this.peek().kind === "name" && this.peek(1).kind === "colon";
  }

  /** The exact value of a number token. Throws `InputError` for an absurd exponent. */
  numberValue(token: Token): Rational {
    try {
      const value = Rational.parse(token.text);
      noteTiny(this.notes, value, token);
      if (token.text.startsWith(".")) {
        const text = `${shown(token.text)} is a number; CBC takes one that begins with its point for a variable`;
        this.note("number-form", token, text);
      }
      return value;
    } catch (error) {
      throw this.error(`expected a number of sensible size: ${(error as Error).message}`, token);
    }
  }

  /** A note about a token. */
  note(code: NoteCode, token: Token, text: string): void {
    this.notes.add(code, token.line, text);
  }

  /** An error at a token (the current one unless given) that also says what stands there. */
  expected(what: string, advice: string, token = this.peek()): InputError {
    const found =
      token.kind === "end-of-text"
        ? "the end of the file"
        : token.kind === "section"
          ? `the section header "${token.text}"`
          : `"${shown(token.text)}"`;
    return this.error(`expected ${what}, found ${found}; ${advice}`, token);
  }

  error(message: string, token: Token): InputError {
    return new InputError(message, this.file, placeAt(this.tokens.text, token.offset));
  }
}
