import { InputError } from "../../src/errors/input-error.js";
import { leastCommonMultiple, Rational } from "../../src/exact/rational.js";
import type { Conflict } from "../../src/program/grouping/conflict.js";
import { type ClusterLoad, type Grouping, pairIndex } from "../../src/program/grouping/grouping.js";
import { linearForm, makeProgram, type Program } from "../../src/program/program.js";
import { ProgramDraft } from "../table-placement/program-draft.js";
import type { TowerLabels } from "./problem.js";

/** A partition into towers as an explicit program, with the ways there and back. */
export interface TowerProgram {
  readonly program: Program;
  /** The partition of a feasible point, towers numbered in the order of their first features. */
  recover(point: readonly Rational[]): TowerLabels;
  /** The point of a partition. Throws `RangeError` where a tower's size is not one that the program knows. */
  pointOf(labels: TowerLabels): readonly Rational[];
}

/** Columns of the compact program; indices are the program's. */
interface CliqueColumns {
  /** 1 for the window that all sizes lie in. */
  readonly windows: readonly number[];
  /** By size, for sizes that a window has. */
  readonly bySize: ReadonlyMap<number, SizeColumns>;
  /** For conflicts of several parts. */
  readonly avoiding: readonly Avoiding[];
}

/** Of which part of a conflict the tower of a feature has too few: 1 for one of them at least. */
interface Avoiding {
  readonly conflict: Conflict;
  readonly element: number;
  /** By part. */
  readonly parts: readonly number[];
}

interface SizeColumns {
  /** How many towers have this size. */
  readonly count: number;
  /** 1 for each feature in a tower of this size. */
  readonly members: readonly number[];
  /** 1 for each two features in one tower of this size, by `pairIndex`; empty for towers of one feature. */
  readonly pairs: readonly number[];
}

/**
 * More rows than other solvers make anything of: for each size 26 features have 7,800, 60 have 102,660, 100 have
 * 485,100.
 */
const MAX_ROWS = 120_000;

/**
 * The compact program, where it is not too large to be written. Throws `InputError`, naming the instance's file, where
 * it is.
 */
export function boundedCliqueProgram(grouping: Grouping, file: string): TowerProgram {
  const features = grouping.elements.length;
  const { size: sizes } = sizesIn(grouping.windows);
  const rows = (sizes * features * (features - 1) * (features - 2)) / 2;
  if (rows > MAX_ROWS) {
    const message = `expected a compact program of at most ${MAX_ROWS} rows, received one of ${rows} (${features} features in towers of ${sizes} ${sizes === 1 ? "size" : "sizes"}); other solvers are of no use here`;
    throw new InputError(message, file);
  }
  return cliqueProgram(grouping);
}

/**
 * The compact program: for each size the towers of that size as cliques, no tower with a number of its own, so that
 * towers that change their names are no second solution. README.md beside this file has the mathematics. F³/2 rows for
 * each size: for small cases, and to be read by other solvers.
 */
export function cliqueProgram(grouping: Grouping): TowerProgram {
  const { elements, clusters, name } = grouping;
  const draft = new ProgramDraft();
  const columns = addColumns(draft, grouping);
  const { windows, bySize } = columns;
  draft.addEquation(
    "window",
    windows.map((column) => [column, 1n] as const),
    1n,
  );
  draft.addEquation(
    "towers",
    [...bySize.values()].map(({ count }) => [count, 1n] as const),
    BigInt(clusters),
  );
  elements.forEach((_, i) => {
    const terms = [...bySize.values()].map(({ members }) => [members[i] as number, 1n] as const);
    draft.addEquation(`item_${i}`, terms, 1n);
  });
  for (const [size, { count, members, pairs }] of bySize) {
    const inWindows = windows.filter((_, w) => isWithin(size, grouping.windows[w]));
    const chosen = inWindows.map((column) => [column, -BigInt(clusters)] as const);
    draft.addRow(`allowed_${size}`, [[count, 1n], ...chosen], null, 0n);
    const all = members.map((column) => [column, 1n] as const);
    draft.addEquation(`size_${size}`, [...all, [count, -BigInt(size)]], 0n);
    if (pairs.length > 0) addCliques(draft, size, members, pairs);
  }
  addLoads(draft, grouping, columns);
  addConflicts(draft, grouping, columns);
  const cost = [...bySize].flatMap(([size, { pairs }]) => {
    const share = grouping.share === "bySize" ? Rational.of(1n, BigInt(size)) : Rational.one;
    return pairs.map((column, p) => [column, share.multiply(grouping.pairs[p] as Rational)] as const);
  });
  const program = makeProgram({
    name,
    columns: draft.columns,
    rows: draft.rows,
    objective: { name: "cost", form: linearForm(cost) },
  });
  return {
    program,
    recover: (point) => recover(grouping, columns, point),
    pointOf: (labels) => pointOf(grouping, columns, program, labels),
  };
}

/** All sizes that clusters may have. */
function sizesIn(windows: Grouping["windows"]): ReadonlySet<number> {
  const sizes = new Set<number>();
  for (const { least, most } of windows) for (let size = least; size <= most; size++) sizes.add(size);
  return sizes;
}

function addColumns(draft: ProgramDraft, { elements, clusters, windows, conflicts = [] }: Grouping): CliqueColumns {
  return {
    windows: windows.map(({ least, most }) => draft.addCount(`window_${least}_${most}`)),
    bySize: new Map(
      [...sizesIn(windows)]
        .sort((a, b) => a - b)
        .map((size): [number, SizeColumns] => {
          const count = draft.addCount(`towers_${size}`, BigInt(clusters));
          const members = elements.map((_, i) => draft.addCount(`in_${size}_${i}`));
          const pairs: number[] = [];
          for (let j = 1; size > 1 && j < elements.length; j++) {
            for (let i = 0; i < j; i++) pairs.push(draft.addCount(`pair_${size}_${i}_${j}`));
          }
          return [size, { count, members, pairs }];
        }),
    ),
    avoiding: conflicts.flatMap((conflict, c) =>
      conflict.length === 1
        ? []
        : (conflict[0]?.elements ?? []).map((element): Avoiding => {
            return { conflict, element, parts: conflict.map((_, p) => draft.addCount(`few_${c}_${element}_${p}`)) };
          }),
    ),
  };
}

/**
 * Features in towers of a size have size − 1 others beside them, and those beside the same one are beside one another.
 */
function addCliques(draft: ProgramDraft, size: number, members: readonly number[], pairs: readonly number[]): void {
  const pair = (i: number, j: number) => pairs[i < j ? pairIndex(i, j) : pairIndex(j, i)] as number;
  members.forEach((member, i) => {
    const beside = members.flatMap((_, j) => (i === j ? [] : [[pair(i, j), 1n] as const]));
    draft.addEquation(`beside_${size}_${i}`, [...beside, [member, BigInt(1 - size)]], 0n);
  });
  for (let middle = 0; middle < members.length; middle++) {
    for (let j = 0; j < members.length; j++) {
      for (let i = 0; i < j; i++) {
        if (i === middle || j === middle) continue;
        const terms = [
          [pair(i, middle), 1n],
          [pair(middle, j), 1n],
          [pair(i, j), -1n],
          [members[middle] as number, -1n],
        ] as const;
        draft.addRow(`through_${size}_${i}_${middle}_${j}`, terms, null, 0n);
      }
    }
  }
}

/** The rows of a load tell weights in whole multiples of one part in so many. */
export function loadUnit({ most, weights }: ClusterLoad): bigint {
  return [most, ...weights].reduce((common, value) => leastCommonMultiple(common, value.denominator), 1n);
}

/** What a feature and those beside it weigh, in a unit of which all weights are multiples. */
function addLoads(draft: ProgramDraft, { elements, load, furtherLoads = [] }: Grouping, columns: CliqueColumns): void {
  const add = (name: string, limit: ClusterLoad) => {
    const { most, weights } = limit;
    const unit = loadUnit(limit);
    const units = (value: Rational) => value.numerator * (unit / value.denominator);
    const weight = (element: number) => units(weights[element] as Rational);
    elements.forEach((_, i) => {
      const beside = besideIn(columns, i, [...elements.keys()]);
      const terms = beside.map(([column, j]) => [column, weight(j)] as const);
      draft.addRow(`${name}_${i}`, terms, null, units(most) - weight(i));
    });
  };
  if (load !== null) add("load", load);
  furtherLoads.forEach((further, k) => {
    add(`load_${k}`, further);
  });
}

/**
 * No tower has a conflict: with every feature of its first part, so many features of some part are not in one tower.
 * Where there are several parts, a binary for each says of which that is.
 */
function addConflicts(draft: ProgramDraft, { conflicts = [] }: Grouping, columns: CliqueColumns): void {
  conflicts.forEach((conflict, c) => {
    for (const element of conflict[0]?.elements ?? []) {
      const avoiding = columns.avoiding.find((one) => one.conflict === conflict && one.element === element);
      conflict.forEach(({ elements, count }, p) => {
        const own = elements.includes(element) ? 1n : 0n;
        const terms = besideIn(columns, element, elements).map(([column]) => [column, 1n] as const);
        const few = avoiding?.parts[p];
        if (few === undefined) draft.addRow(`conflict_${c}_${element}`, terms, null, BigInt(count - 1) - own);
        else {
          const rest = BigInt(elements.length - count + 1);
          draft.addRow(`conflict_${c}_${element}_${p}`, [...terms, [few, rest]], null, BigInt(elements.length) - own);
        }
      });
      if (avoiding === undefined) continue;
      const some = avoiding.parts.map((column) => [column, 1n] as const);
      draft.addRow(`few_${c}_${element}`, some, 1n, null);
    }
  });
}

/** The columns that are 1 where one of the elements is beside an element, with that element. */
function besideIn(
  { bySize }: CliqueColumns,
  element: number,
  elements: readonly number[],
): readonly (readonly [column: number, other: number])[] {
  return [...bySize.values()].flatMap(({ pairs }) =>
    elements.flatMap((other) => {
      const column =
        element === other ? undefined : pairs[pairIndex(Math.min(element, other), Math.max(element, other))];
      return column === undefined ? [] : [[column, other] as const];
    }),
  );
}

function recover({ elements }: Grouping, { bySize }: CliqueColumns, point: readonly Rational[]): TowerLabels {
  const isOne = (column: number | undefined) => column !== undefined && point[column]?.sign() !== 0;
  const labels: number[] = [];
  let towers = 0;
  for (let j = 0; j < elements.length; j++) {
    const beside = labels.findIndex((_, i) => [...bySize.values()].some(({ pairs }) => isOne(pairs[pairIndex(i, j)])));
    labels.push(beside === -1 ? towers++ : (labels[beside] as number));
  }
  return labels;
}

function pointOf(
  grouping: Grouping,
  { windows, bySize, avoiding }: CliqueColumns,
  program: Program,
  labels: TowerLabels,
): readonly Rational[] {
  const counts = new Array<number>(program.columns.length).fill(0);
  const sizes = new Map<number, number>();
  for (const tower of labels) sizes.set(tower, (sizes.get(tower) ?? 0) + 1);
  const columnsOf = (tower: number): SizeColumns => {
    const columns = bySize.get(sizes.get(tower) as number);
    if (columns === undefined) throw new RangeError(`no window has towers of ${sizes.get(tower)} features`);
    return columns;
  };
  for (const tower of sizes.keys()) {
    const { count } = columnsOf(tower);
    counts[count] = (counts[count] as number) + 1;
  }
  const fitting = grouping.windows.findIndex((window) => [...sizes.values()].every((size) => isWithin(size, window)));
  if (fitting !== -1) counts[windows[fitting] as number] = 1;
  labels.forEach((tower, j) => {
    const { members, pairs } = columnsOf(tower);
    counts[members[j] as number] = 1;
    for (let i = 0; i < j; i++) if (labels[i] === tower) counts[pairs[pairIndex(i, j)] as number] = 1;
  });
  for (const { conflict, element, parts } of avoiding) {
    const beside = (other: number) => labels[other] === labels[element];
    const few = conflict.findIndex(({ elements, count }) => elements.filter(beside).length < count);
    if (few !== -1) counts[parts[few] as number] = 1;
  }
  return counts.map((count) => Rational.of(BigInt(count)));
}

function isWithin(size: number, window: Grouping["windows"][number] | undefined): boolean {
  return window !== undefined && window.least <= size && size <= window.most;
}
