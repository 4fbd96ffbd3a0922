import type { SemidefiniteCut, SemidefiniteStep } from "../../kernel/grouping/semidefinite.js";

/** More bits than doubles have would say nothing. */
const MOST_BITS = 1000;

/**
 * What stands under "semidefinite" in a step of a certificate. Whether the numbers are for as many items as the grouping
 * has is seen where it is checked. Calls `fail`, which throws, with what was expected where the grammar does not allow it.
 */
export function readSemidefinite(json: unknown, fail: (message: string) => never): SemidefiniteStep["semidefinite"] {
  const record = (value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> => {
    const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isRecord || Object.keys(value).length !== names.length || !names.every((name) => name in value)) {
      return fail(`an object with ${names.join(", ")} was expected`);
    }
    return value as Readonly<Record<string, unknown>>;
  };
  const list = (value: unknown, what: string): readonly unknown[] =>
    Array.isArray(value) ? value : fail(`a list of ${what} was expected`);
  const integer = (value: unknown, least: number): number =>
    Number.isSafeInteger(value) && (value as number) >= least
      ? (value as number)
      : fail(`an integer of at least ${least} was expected, ${JSON.stringify(value)} is there`);
  const integers = (value: unknown, what: string, least = Number.MIN_SAFE_INTEGER): readonly number[] =>
    list(value, what).map((entry) => integer(entry, least));
  const cut = (value: unknown): SemidefiniteCut => {
    const { price, floor, plus, minus } = record(value, ["price", "floor", "plus", "minus"]);
    const read = {
      price: integer(price, 0),
      floor: integer(floor, Number.MIN_SAFE_INTEGER),
      plus: integers(plus, "items", 0),
      minus: integers(minus, "items", 0),
    };
    const items = [...read.plus, ...read.minus];
    return new Set(items).size === items.length ? read : fail("the items of a cut must be different");
  };
  const { bits, rows, cuts, factor } = record(json, ["bits", "rows", "cuts", "factor"]);
  const read = {
    bits: integer(bits, 1),
    rows: integers(rows, "integers"),
    cuts: list(cuts, "cuts").map(cut),
    factor: list(factor, "rows").map((row) => integers(row, "integers")),
  };
  return read.bits <= MOST_BITS ? read : fail(`at most ${MOST_BITS} bits were expected, ${read.bits} are there`);
}
