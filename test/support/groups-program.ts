import { Rational } from "../../src/exact/rational.js";
import { isAllowed } from "../../src/program/grouping/evaluate.js";
import type { Grouping } from "../../src/program/grouping/grouping.js";
import { integerForm, makeProgram, type Program, type Row } from "../../src/program/program.js";
import { coverProgram } from "./cover-program.js";

/** Above this many groups the program is not written out. */
const MAX_GROUPS = 200_000;

/**
 * Set partitioning with a column for every group that a tower may be: all sizes of all windows, within the limits. With
 * several windows a binary for each says which one holds; models/tower-partition/README.md has the mathematics. Throws
 * `RangeError` where there are more than 200,000 groups.
 */
export function groupsProgram(grouping: Grouping): Program {
  const { elements: items, windows } = grouping;
  const sizes = [...items.keys()]
    .map((index) => index + 1)
    .filter((size) => windows.some(({ least, most }) => least <= size && size <= most));
  const count = sizes.reduce((sum, size) => sum + choices(items.length, size), 0);
  if (count > MAX_GROUPS) throw new RangeError(`${count} groups are too many to write out`);
  const groups = sizes.flatMap((size) => subsets(items.length, size)).filter((group) => isAllowed(grouping, group));
  const cover = coverProgram(grouping, groups);
  return windows.length === 1 ? cover : withWindows(cover, grouping, groups, sizes);
}

/** Adds the choice of a window: a feature is in a tower of a size only where the window has that size. */
function withWindows(
  { name, columns, rows, objective }: Program,
  { elements: items, windows }: Grouping,
  groups: readonly (readonly number[])[],
  sizes: readonly number[],
): Program {
  const first = columns.length;
  const isChosen = windows.map(({ least, most }) => ({
    name: `window_${least}_${most}`,
    lower: Rational.zero,
    upper: Rational.one,
    integer: true,
  }));
  const row = (name: string, terms: readonly (readonly [number, bigint])[], lower: Rational | null): Row => ({
    name,
    form: integerForm(
      terms.map(([column]) => column),
      terms.map(([, coefficient]) => coefficient),
      1n,
    ),
    lower,
    upper: lower ?? Rational.zero,
  });
  const allowed = sizes.flatMap((size) =>
    items.map((_, item) => {
      const taking = [...groups.keys()].filter((g) => groups[g]?.length === size && groups[g]?.includes(item));
      const having = [...windows.keys()].filter((w) => {
        const { least, most } = windows[w] as Grouping["windows"][number];
        return least <= size && size <= most;
      });
      const terms = [...taking.map((g) => [g, 1n] as const), ...having.map((w) => [first + w, -1n] as const)];
      return row(`allowed_${size}_${item}`, terms, null);
    }),
  );
  const one = row(
    "window",
    isChosen.map((_, w) => [first + w, 1n] as const),
    Rational.one,
  );
  return makeProgram({ name, columns: [...columns, ...isChosen], rows: [...rows, one, ...allowed], objective });
}

/** F choose s, in doubles. */
function choices(count: number, size: number): number {
  let ways = 1;
  for (let k = 1; k <= size; k++) ways = (ways * (count - size + k)) / k;
  return ways;
}

/** All sets of `size` of the first `count` numbers, rising. */
function subsets(count: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]];
  const sets: number[][] = [];
  for (let first = from; first + size <= count; first++) {
    for (const rest of subsets(count, size - 1, first + 1)) sets.push([first, ...rest]);
  }
  return sets;
}
