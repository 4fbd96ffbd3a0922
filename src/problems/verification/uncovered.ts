import type { Coverage, CoverageTable } from "../../plan-file/fields.js";

/** Of a field that no table knows. */
const UNKNOWN = { reason: "no check is known for it" };

/** A field, or part of one, that was not checked. */
export interface Uncovered {
  /** With `[]` for every index where all of them are meant. */
  readonly path: string;
  readonly reason: string;
}

/** What of a file its table covers by no check, as far as the file has it: each field once. */
export function uncoveredIn(file: unknown, table: CoverageTable): readonly Uncovered[] {
  const found = new Map<string, string>();
  forEachLeaf(file, table, (_, coverage, pattern) => {
    if (typeof coverage === "object") found.set(pattern, coverage.reason);
  });
  return [...found].map(([path, reason]) => ({ path, reason }));
}

/** How many numbers of a file were computed again: those that the table says, less those left out. */
export function computedNumbers(file: unknown, table: CoverageTable, leftOut: readonly Uncovered[]): number {
  let numbers = 0;
  forEachLeaf(file, table, (value, coverage, pattern, steps) => {
    if (typeof value !== "number" || typeof coverage === "object") return;
    // Most files have millions of numbers or nothing that is left out: places are written only where they are looked for.
    const exact = leftOut.length === 0 ? "" : placeOf(steps);
    if (!leftOut.some(({ path }) => isBelow(exact, path) || isBelow(pattern, path))) numbers++;
  });
  return numbers;
}

/** Whether a place is at a path or below it. */
export function isBelow(place: string, path: string): boolean {
  return place === path || (place.startsWith(path) && /^[.[]/.test(place.slice(path.length)));
}

/**
 * Gets every value of a file that is there and has none below it, with its coverage, its path with `[]` for every index, and the
 * steps to it, which change afterwards; what is chosen freely is left out.
 */
type VisitLeaf = (
  value: unknown,
  coverage: Exclude<Coverage, "chosen">,
  pattern: string,
  steps: readonly (string | number)[],
) => void;

function forEachLeaf(
  value: unknown,
  table: CoverageTable,
  visit: VisitLeaf,
  pattern = "",
  steps: (string | number)[] = [],
  above?: Coverage,
): void {
  if (value === null || value === undefined) return;
  const coverage = above ?? (Object.hasOwn(table, pattern) ? table[pattern] : undefined);
  if (coverage === "chosen") return;
  if (typeof value !== "object") {
    visit(value, coverage ?? UNKNOWN, pattern, steps);
    return;
  }
  if (Array.isArray(value)) {
    const below = `${pattern}[]`;
    for (const [k, entry] of value.entries()) {
      steps.push(k);
      forEachLeaf(entry, table, visit, below, steps, coverage);
      steps.pop();
    }
    return;
  }
  const dot = pattern === "" ? "" : ".";
  for (const [key, field] of Object.entries(value)) {
    steps.push(key);
    forEachLeaf(field, table, visit, `${pattern}${dot}${key}`, steps, coverage);
    steps.pop();
  }
}

/** `baseline[1].value`. */
function placeOf(steps: readonly (string | number)[]): string {
  return steps.map((step, k) => (typeof step === "number" ? `[${step}]` : k === 0 ? step : `.${step}`)).join("");
}
