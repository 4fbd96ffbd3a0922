import type { Named } from "./names.js";
import type { Rounding } from "./rounding.js";
import type { Units } from "./units.js";
import type { Pattern, Words } from "./words.js";

/** Longer lines are broken; some readers take no more than 255 or 560 characters, comments included. */
const LINE_LENGTH = 120;

/** What a file says of itself: its units, what rounding cost, what its names stand for. */
export function commentOf(words: Words, units: Units, rounding: Rounding, names: readonly Named[]): readonly string[] {
  const used = new Set(names.flatMap(({ pattern }) => (pattern === null ? [] : [pattern])));
  const listed = (title: string, patterns: readonly Pattern[]) => {
    const own = patterns.filter((pattern) => used.has(pattern));
    return own.length === 0 ? [] : [`${title}:`, ...own.map(({ name, says }) => `  ${name}  ${says}`)];
  };
  const texts = [...words.columns, ...words.rows].filter((pattern) => used.has(pattern)).map(({ name }) => name);
  const letters = Object.entries(words.letters).filter(([letter]) =>
    texts.some((name) => name.split(".").includes(letter)),
  );
  const lines = [
    words.title,
    `units: ${[...units.chosen].map(([{ name }, unit]) => `${name} in ${unit.name}`).join(", ") || "none"}`,
    roundingText(rounding),
    "export --exact writes the program that is proved, every digit of it",
    ...listed("columns", words.columns),
    ...listed("rows", words.rows),
    ...(letters.length === 0 ? [] : ["where", ...letters.map(([letter, { says }]) => `  ${letter}  ${says}`)]),
    ...words.legend,
  ];
  return lines.flatMap(broken);
}

function roundingText({ numbers, rounded, roundedBounds, most }: Rounding): string {
  const exact = "numbers: doubles, exactly those of the program that is proved, in these units";
  if (rounded === 0) return exact;
  const by = `by at most ${most.toPrecision(2)} of itself`;
  if (rounded === roundedBounds) {
    const bounds = rounded === 1 ? "the bound of one column" : `${rounded} bounds of columns`;
    return `${exact}, but for ${bounds}, moved outwards ${by}`;
  }
  return `numbers: doubles; ${rounded} of ${numbers} are rounded, each ${by}, those of limits so that no plan is lost`;
}

function broken(line: string): readonly string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > LINE_LENGTH) {
    const blank = rest.lastIndexOf(" ", LINE_LENGTH);
    const at = blank > 40 ? blank : LINE_LENGTH;
    lines.push(rest.slice(0, at));
    rest = `    ${rest.slice(at).trimStart()}`;
  }
  return [...lines, rest];
}
