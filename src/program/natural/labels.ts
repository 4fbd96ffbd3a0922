import { freeName } from "../program.js";

/** Names stay readable, and with others before and behind them below the 255 characters of all readers. */
const MOST_CHARACTERS = 48;

/**
 * For each name one that all readers of MPS and LP files take inside a longer name: letters, digits and underscores alone,
 * not too long, no two alike (without regard to case: some readers have none).
 */
export function plainLabels(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = name.replace(/[^A-Za-z0-9_]+/g, "_").slice(0, MOST_CHARACTERS);
    const free = freeName(plain === "" ? "_" : plain, { has: (text) => taken.has(text.toLowerCase()) });
    taken.add(free.toLowerCase());
    return free;
  });
}

/** Lines of a legend for the labels that are not the names themselves. */
export function changedLabels(what: string, names: readonly string[], labels: readonly string[]): readonly string[] {
  return names.flatMap((name, k) =>
    labels[k] === name ? [] : [`${labels[k]} is ${what} ${k} of the instance, ${asciiJson(shortened(name))}`],
  );
}

function shortened(name: string): string {
  return name.length > 120 ? `${name.slice(0, 120)}…` : name;
}

/** JSON in ASCII. */
export function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
