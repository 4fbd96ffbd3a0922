import { type Coverage, type CoverageTable, UNKNOWN } from "./coverage.js";

/** A field, or part of one, that was not checked. */
export interface Uncovered {
  /** With `[]` for every index where all of them are meant. */
  readonly path: string;
  readonly reason: string;
}

/** What of a file its table covers by no check, as far as the file has it: each field once. */
export function uncoveredIn(file: unknown, table: CoverageTable): readonly Uncovered[] {
  const found = new Map<string, string>();
  for (const { pattern, coverage } of leavesOf(file, table)) {
    if (typeof coverage === "object") found.set(pattern, coverage.reason);
  }
  return [...found].map(([path, reason]) => ({ path, reason }));
}

/** How many numbers of a file were computed again: those that the table says, less those left out. */
export function computedNumbers(file: unknown, table: CoverageTable, leftOut: readonly Uncovered[]): number {
  let numbers = 0;
  for (const { exact, pattern, value, coverage } of leavesOf(file, table)) {
    if (typeof value !== "number" || typeof coverage === "object") continue;
    if (!leftOut.some(({ path }) => isBelow(exact, path) || isBelow(pattern, path))) numbers++;
  }
  return numbers;
}

/** Whether a place is at a path or below it. */
export function isBelow(place: string, path: string): boolean {
  return place === path || (place.startsWith(path) && /^[.[]/.test(place.slice(path.length)));
}

interface Leaf {
  /** With its indices: `baseline[1].value`. */
  readonly exact: string;
  /** With `[]` for them. */
  readonly pattern: string;
  readonly value: unknown;
  readonly coverage: Exclude<Coverage, "chosen">;
}

/** Every value of a file that is there and has none below it; what is chosen freely is left out. */
function* leavesOf(
  value: unknown,
  table: CoverageTable,
  exact = "",
  pattern = "",
  above?: Coverage,
): Generator<Leaf, void, void> {
  if (value === null || value === undefined) return;
  const coverage = above ?? (Object.hasOwn(table, pattern) ? table[pattern] : undefined);
  if (coverage === "chosen") return;
  if (typeof value !== "object") {
    yield { exact, pattern, value, coverage: coverage ?? UNKNOWN };
    return;
  }
  if (Array.isArray(value)) {
    for (const [k, entry] of value.entries()) yield* leavesOf(entry, table, `${exact}[${k}]`, `${pattern}[]`, coverage);
    return;
  }
  const dot = exact === "" ? "" : ".";
  for (const [key, field] of Object.entries(value)) {
    yield* leavesOf(field, table, `${exact}${dot}${key}`, `${pattern}${dot}${key}`, coverage);
  }
}
