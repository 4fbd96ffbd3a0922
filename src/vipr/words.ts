import { InputError, placeAt } from "../errors/input-error.js";
import { Rational } from "../exact/rational.js";

/** A word of a VIPR file and where it begins. */
export interface Word {
  readonly text: string;
  readonly offset: number;
}

/** Reads a VIPR file word by word; every complaint names the place. */
export class Words {
  readonly #text: string;
  readonly #file: string;
  readonly #pattern = /\S+/g;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  /** The next word. Throws `InputError` at the end of the text. */
  next(expected: string): Word {
    const match = this.#pattern.exec(this.#text);
    if (match === null) throw this.error(`expected ${expected}, found the end of the file`, this.#end());
    return { text: match[0], offset: match.index };
  }

  /** Steps over a word if it is the one given. */
  skip(text: string): Word | null {
    const { lastIndex } = this.#pattern;
    const match = this.#pattern.exec(this.#text);
    if (match?.[0] === text) return { text, offset: match.index };
    this.#pattern.lastIndex = lastIndex;
    return null;
  }

  /** Steps over one of the words given. */
  oneOf<T extends string>(...texts: readonly T[]): T {
    const expected = texts.map((text) => `"${text}"`).join(" or ");
    const word = this.next(expected);
    if (!texts.includes(word.text as T)) throw this.#unexpected(expected, word);
    return word.text as T;
  }

  /** Steps over comments: from a word that begins with `%` to the end of its line. */
  skipComments(): void {
    const comments = /(?:\s*%[^\n]*(?:\n|$))*/y;
    comments.lastIndex = this.#pattern.lastIndex;
    comments.exec(this.#text);
    this.#pattern.lastIndex = comments.lastIndex;
  }

  /** Requires the end of the text. */
  end(): void {
    const match = this.#pattern.exec(this.#text);
    if (match !== null) throw this.#unexpected("the end of the file", { text: match[0], offset: match.index });
  }

  /** An integer from 0 to below `limit`. */
  index(what: string, limit: number): number {
    const word = this.next(what);
    const value = /^\d+$/.test(word.text) ? Number(word.text) : Number.NaN;
    if (!Number.isSafeInteger(value)) throw this.#unexpected(what, word);
    if (value >= limit) throw this.error(`expected ${what} below ${limit}, found ${word.text}`, word);
    return value;
  }

  /** How many of something follow. */
  count(what: string): number {
    return this.index(`the number of ${what}`, Number.MAX_SAFE_INTEGER);
  }

  /** An integer, a finite decimal or a fraction. */
  rational(what: string): Rational {
    const word = this.next(what);
    return this.toRational(word, what);
  }

  toRational(word: Word, what: string): Rational {
    try {
      return Rational.parse(word.text);
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof RangeError) throw this.#unexpected(what, word);
      throw error;
    }
  }

  error(message: string, { offset }: Pick<Word, "offset">): InputError {
    return new InputError(message, this.#file, placeAt(this.#text, offset));
  }

  #unexpected(expected: string, word: Word): InputError {
    return this.error(`expected ${expected}, found "${word.text.slice(0, 40)}"`, word);
  }

  #end(): Pick<Word, "offset"> {
    return { offset: this.#text.trimEnd().length };
  }
}
