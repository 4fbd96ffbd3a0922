import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// What is exact stays exact. A number that goes through a double on its way into a program may come out on the wrong side of what it
// bounds, and nothing behind a program would notice. Each place that makes a double says why it may, in a line above it that reads
// "In doubles, REASON: …", so that whoever writes another has to think of one.
const REASONS = {
  exact: "an integer below 2^53, or one that does not count from there on",
  down: "rounded to the side on which a bound stays one",
  defined: "the instance means this double",
  searched: "searches go by it; what is claimed is computed anew, and checked",
  shown: "people read it",
  read: "made of a text, or of a yes or no",
} as const;
const MARK = new RegExp(`^\\s*// In doubles, (${Object.keys(REASONS).join("|")}): \\S.*\\.$`);

/** Of an integer of any length, of a rational, or of what only types could tell from them. */
const MAKES_DOUBLE = /(?<![.\w])Number\(|\(Number\)|\.toNumber(Down|Up)?\(|\b(doubleBelow|nearestDouble)\(/;

/** A reason is at most so many lines above what it is of. */
const NEAR = 3;

const STEPS = "bound|infeasible|enumerate|fix|branch|round|cut|decompose|narrow|pack|partition|groups|semidefinite";
const MAKES_STEPS = new RegExp(`[{(] ?(${STEPS}): `);
const KNOWS_STEPS =
  /import type \{[^}]*\b(Step|DecomposeStep|NamedMultipliers)\b[^}]*\} from "[^"]*proof\/certificate\.js"/;

/** Programs are made in models; certificates by files of a search that make their steps. */
function writersOfProofs(): Map<string, string> {
  const files = ["models", "src/problems", "src/search"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  const texts = files.filter((file) => file.endsWith(".ts")).map((file) => [file, readFileSync(file, "utf8")] as const);
  const isWriter = (file: string, text: string) =>
    file.startsWith("models/") ||
    (/\/solve\/|^src\/search/.test(file) && KNOWS_STEPS.test(text) && MAKES_STEPS.test(text));
  return new Map(texts.filter(([file, text]) => isWriter(file, text)).sort());
}

/** Lines, from 1, that make a double and give no reason, or give a reason and make none. */
function unexplainedIn(text: string): {
  readonly bare: number[];
  readonly stale: number[];
  readonly explained: number;
} {
  const lines = text.split("\n");
  const marks = lines.flatMap((line, k) => (MARK.test(line) ? [k] : []));
  const places = lines.flatMap((line, k) => (MAKES_DOUBLE.test(line.replace(/^\s*(\/\/|\*|\/\*).*/, "")) ? [k] : []));
  const markOf = (place: number) => marks.findLast((mark) => mark < place && place - mark <= NEAR);
  const used = new Set(places.map(markOf));
  const bare = places.filter((place) => markOf(place) === undefined);
  const stale = marks.filter((mark) => !used.has(mark));
  const count = (list: readonly number[]) => list.map((k) => k + 1);
  return { bare: count(bare), stale: count(stale), explained: places.length - bare.length };
}

test("an exact number becomes a double where it is said why it may", () => {
  const writers = writersOfProofs();
  const found = [...writers].map(([file, text]) => ({ file, ...unexplainedIn(text) }));
  const places = (of: "bare" | "stale") => found.flatMap((one) => one[of].map((line) => `${one.file}:${line}`));
  expect(
    places("bare"),
    `what becomes a double says why: "// In doubles, ${Object.keys(REASONS).join("|")}: …"`,
  ).toEqual([]);
  expect(places("stale"), "a reason is above a place that makes a double").toEqual([]);
  const explained = (of: RegExp) =>
    found.filter(({ file }) => of.test(file)).reduce((sum, one) => sum + one.explained, 0);
  expect(explained(/^models/)).toBeGreaterThan(20);
  expect(explained(/^src/)).toBeGreaterThan(5);
});

test("a double is seen whatever it is made of, and what is no reason is not taken for one", () => {
  const text = [
    "const a = Number(x);",
    "// In doubles, exact: a number of devices.",
    "const b = Number(x);",
    "const c = x.toNumberDown();",
    "",
    "",
    "// In doubles, because: of that.",
    "const d = xs.map(Number);",
    "// toNumber() is spoken of here.",
    "const e = Number.MAX_VALUE + aNumber(x);",
    "// In doubles, shown: nothing.",
  ];
  expect(unexplainedIn(text.join("\n"))).toEqual({ bare: [1, 8], stale: [11], explained: 2 });
});
