import { UsageError } from "../src/errors/usage-error.js";

/** What follows a subject on the command line: words, and settings as NAME=VALUE. */
export class Arguments {
  readonly words: readonly string[];
  readonly #settings: ReadonlyMap<string, string>;

  /** Throws `UsageError` for a setting that is not one of `known`. */
  constructor(given: readonly string[], known: readonly string[]) {
    this.words = given.filter((word) => !word.includes("="));
    this.#settings = new Map(given.filter((word) => word.includes("=")).map(split));
    const other = [...this.#settings.keys()].find((name) => !known.includes(name));
    if (other !== undefined) throw new UsageError(`${other}=: unknown; known are ${known.join("=, ")}=`);
  }

  text(name: string): string | undefined {
    return this.#settings.get(name);
  }

  number(name: string, byDefault: number): number {
    const value = Number(this.#settings.get(name) ?? byDefault);
    if (!Number.isFinite(value)) throw new UsageError(`${name}=${this.#settings.get(name)}: expected a number`);
    return value;
  }
}

function split(word: string): [string, string] {
  const at = word.indexOf("=");
  return [word.slice(0, at), word.slice(at + 1)];
}
