import { freeName } from "../program.js";
import type { Pattern, Words } from "./words.js";

/** A name as it is written, with the pattern that it is of. */
export interface Named {
  readonly name: string;
  /** `null` where no pattern fits: the name is the program's own. */
  readonly pattern: Pattern | null;
}

/** The names of some columns or rows by their patterns, none twice and none that is `reserved`. */
export function namesBy(
  own: readonly string[],
  patterns: readonly Pattern[],
  letters: Words["letters"],
  reserved: readonly string[] = [],
): readonly Named[] {
  const readers = patterns.map((pattern) => ({ pattern, ...readerOf(pattern) }));
  const taken = new Set(reserved);
  return own.map((text) => {
    const { name, pattern } = readName(text, readers, letters);
    const free = freeName(name, taken);
    taken.add(free);
    return { name: free, pattern };
  });
}

interface Reader {
  readonly pattern: Pattern;
  readonly expression: RegExp;
  readonly order: readonly string[];
}

function readerOf({ own }: Pattern): Pick<Reader, "expression" | "order"> {
  const parts = own.split("_");
  const texts = parts.map((part) => (part === "W" ? "(.+)" : isLetter(part) ? "(\\d+)" : part));
  return { expression: new RegExp(`^${texts.join("_")}$`), order: parts.filter(isLetter) };
}

function isLetter(part: string): boolean {
  return /^[A-Z]$/.test(part);
}

function readName(text: string, readers: readonly Reader[], letters: Words["letters"]): Named {
  for (const { pattern, expression, order } of readers) {
    const found = expression.exec(text);
    if (found === null) continue;
    const before: Record<string, string> = {};
    const labels: Record<string, string> = {};
    order.forEach((letter, k) => {
      const index = found[k + 1] as string;
      labels[letter] = letters[letter]?.label(index, before) ?? index;
      before[letter] = index;
    });
    const name = pattern.name
      .split(".")
      .map((part) => labels[part] ?? part)
      .join(".");
    return { name, pattern };
  }
  return { name: text, pattern: null };
}
