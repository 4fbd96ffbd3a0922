import { Rational } from "../../exact/rational.js";
import type { LinearForm, Program } from "../../program/program.js";
import type { Group } from "./lattice.js";
import { type Box, fillGroup, localIndex, type View } from "./view.js";

/**
 * Which groups of a program may exchange units, and how.
 *
 * Take two neighbouring groups i < i' (in the order of their rows) and two positions e < l of their members. If moving a
 * unit of i from l to e and one of i' from e to l never costs anything, in the objective or in any row, then a solution
 * that uses l in i and e in i' can be exchanged into one at least as good. Each exchange raises Σ i·t·x (t the
 * position), which is bounded, so exchanging ends: if any solution is better than some value, one is that allows no more
 * exchanges. A search for better solutions may leave out all others. The condition compares differences that rise along a
 * chain of neighbours, so it holds between any two groups of a chain.
 *
 * Pairs of positions are bits `e · size + l`.
 */
export interface ExchangeOrder {
  /** Positions per group. */
  readonly size: number;
  /** Columns of the program. */
  readonly columns: number;
  /** The groups that take part: the program's column at each position, and the exchanges allowed with the next one. */
  readonly entries: readonly { readonly positions: readonly number[]; readonly link: number }[];
}

/**
 * Tightens a box to what holds of every solution that allows no more exchanges, until nothing changes. `settledAt` says what
 * the program's columns are that the view has substituted; `record` is told of every column before it changes. Returns
 * `false` when there is no such solution.
 */
export function excludeExchangeable(
  { size, columns, entries }: ExchangeOrder,
  view: View,
  box: Box,
  settledAt: (column: number) => Rational,
  record: (column: number) => void = () => {},
): boolean {
  const local = localIndex(view, columns);
  const places = entries.map(({ positions }) => positions.map((column) => local[column] as number));
  const isUsed = places.map((own, k) =>
    own.map((at, t) => at === -1 && settledAt(entries[k]?.positions[t] as number).sign() > 0),
  );
  const groups = places.flatMap((own) => {
    const open = own.find((at) => at !== -1);
    return open === undefined ? [] : [view.groups[view.groupOf[open] as number] as Group];
  });
  const uses = (k: number, t: number): boolean => {
    const at = places[k]?.[t] as number;
    return at === -1 ? (isUsed[k]?.[t] as boolean) : (box.lower[at] as Rational).sign() > 0;
  };
  let changed = true;
  /** Forbids a position; `false` when it is used. */
  const forbid = (k: number, t: number): boolean => {
    if (uses(k, t)) return false;
    const at = places[k]?.[t] as number;
    if (at === -1 || (box.upper[at] as Rational).sign() <= 0) return true;
    record(at);
    box.upper[at] = Rational.zero;
    changed = true;
    return true;
  };
  while (changed) {
    changed = false;
    // First, too: what is decided before this may have filled a group, and in a smaller box nothing else need move.
    if (!groups.every((group) => fillGroup(group, box, record))) return false;
    for (const [early, late, bit] of pairsOf(size)) {
      let active = false;
      for (let k = 0; k < entries.length; k++) {
        if (active && !forbid(k, early)) return false;
        active = ((entries[k]?.link as number) & bit) !== 0 && (active || uses(k, late));
      }
      active = false;
      for (let k = entries.length - 1; k >= 0; k--) {
        if (((entries[k]?.link as number) & bit) === 0) active = false;
        if (active && !forbid(k, late)) return false;
        if (uses(k, early)) active = true;
      }
    }
  }
  return true;
}

const MAX_MEMBERS = 5;

/** All pairs of positions e < l with their bits. */
function pairsOf(size: number): (readonly [early: number, late: number, bit: number])[] {
  const positions = Array.from({ length: size }, (_, t) => t);
  return positions.flatMap((early) =>
    positions.slice(early + 1).map((late) => [early, late, 1 << (early * size + late)] as const),
  );
}

/**
 * Finds which neighbouring groups of a program may exchange units, in one pass over its coefficients. `null` when no two
 * groups may.
 */
export function exchangeOrder(program: Program, groups: readonly Group[]): ExchangeOrder | null {
  const size = groups[0]?.members.length ?? 0;
  if (groups.length < 2 || size < 2 || size > MAX_MEMBERS) return null;
  // Any other group takes no part and breaks the chain: its members are columns like those in no group.
  const plain = groups.map((group) => group.members.length === size && hasPlainBounds(program, group));
  const place = new Int32Array(program.columns.length).fill(-1);
  groups.forEach(({ members }, i) => {
    if (plain[i] !== true) return;
    members.forEach((column, t) => {
      place[column] = i * size + t;
    });
  });
  const all = pairsOf(size).reduce((pairs, [, , bit]) => pairs | bit, 0);
  const allowed = Int32Array.from(plain, (isPlain, i) => (isPlain && plain[i + 1] === true ? all : 0));
  for (const { form, lower, upper } of program.rows) {
    if (lower !== null || upper !== null) narrow(allowed, place, size, form, upper !== null, lower !== null);
  }
  const maximise = program.objective.sense === "maximize";
  narrow(allowed, place, size, program.objective.form, !maximise, maximise);
  if (allowed.every((link) => link === 0)) return null;
  const entries = groups.flatMap(({ members }, i) =>
    plain[i] === true ? [{ positions: members, link: allowed[i] as number }] : [],
  );
  return { size, columns: program.columns.length, entries };
}

/** Members between 0 and at least the group's total: any unit can move anywhere. */
function hasPlainBounds(program: Program, { members, total }: Group): boolean {
  return members.every((j) => {
    const column = program.columns[j];
    const lower = column?.lower ?? null;
    const upper = column?.upper ?? null;
    return lower?.sign() === 0 && upper !== null && upper.numerator >= total * upper.denominator;
  });
}

/**
 * Takes away the exchanges that would raise a form that must not rise (`rises`), or lower one that must not fall. Exchanging
 * units of groups i and i + 1 between positions e < l changes it by (a[i,e] − a[i,l]) − (a[i+1,e] − a[i+1,l]).
 */
function narrow(
  allowed: Int32Array,
  place: Int32Array,
  size: number,
  { columns, coefficients }: LinearForm,
  rises: boolean,
  falls: boolean,
): void {
  const inRow = new Map<number, bigint[]>();
  columns.forEach((column, k) => {
    const at = place[column] as number;
    if (at === -1) return;
    const i = Math.floor(at / size);
    const own = inRow.get(i) ?? new Array<bigint>(size).fill(0n);
    own[at % size] = coefficients[k] as bigint;
    inRow.set(i, own);
  });
  const none = new Array<bigint>(size).fill(0n);
  const pairs = pairsOf(size);
  const compare = (i: number): void => {
    if (i < 0 || allowed[i] === 0) return;
    const first = inRow.get(i) ?? none;
    const second = inRow.get(i + 1) ?? none;
    for (const [early, late, bit] of pairs) {
      const change =
        (first[early] as bigint) - (first[late] as bigint) - (second[early] as bigint) + (second[late] as bigint);
      if ((rises && change > 0n) || (falls && change < 0n)) allowed[i] = (allowed[i] as number) & ~bit;
    }
  };
  for (const i of inRow.keys()) {
    if (!inRow.has(i - 1)) compare(i - 1);
    compare(i);
  }
}
