import { Rational } from "../exact/rational.js";
import type { Program } from "../program/program.js";
import type { Group } from "./lattice.js";

/**
 * Which groups of a program may exchange units, and how.
 *
 * Take two neighbouring groups i < i' (in the order of their rows) and two positions t' < t of their members. If moving a
 * unit of i from t to t' and one of i' from t' to t never costs anything, in the objective or in any row, then a solution
 * that uses t in i and t' in i' can be exchanged into one at least as good. Each exchange raises Σ i·t·x, which is
 * bounded, so that exchanging ends: if any solution is better than some value, one is that allows no more exchanges. A
 * search for better solutions may therefore leave out all others. The condition carries over along a chain of
 * neighbours, because it compares differences that rise along it.
 */
export interface ExchangeOrder {
  readonly groups: readonly Group[];
  /** Members per group; only groups of this size with plain bounds take part. */
  readonly size: number;
  /**
   * `allowed[i]`, bit `t' · size + t`: groups i and i + 1 may exchange so. Missing bits break the chain.
   */
  readonly allowed: Int32Array;
}

const MOST_MEMBERS = 5;

/**
 * Finds the exchanges of a program between neighbouring groups (as `viewOf` finds the groups); `null` when there are
 * none. Costs one pass over the program.
 */
export function exchangeOrder(program: Program, groups: readonly Group[]): ExchangeOrder | null {
  const size = groups[0]?.members.length ?? 0;
  if (groups.length < 2 || size < 2 || size > MOST_MEMBERS) return null;
  const place = new Int32Array(program.columns.length).fill(-1);
  const plain = groups.map((group) => group.members.length === size && hasPlainBounds(program, group));
  groups.forEach(({ members }, i) => {
    members.forEach((column, t) => {
      place[column] = i * size + t;
    });
  });
  const every = (1 << (size * size)) - 1;
  const allowed = new Int32Array(groups.length - 1).fill(every);
  const maximise = program.objective.sense === "maximize";
  narrow(allowed, place, size, program.objective.form, maximise ? -1 : 1, false);
  for (const row of program.rows) {
    const { columns } = row.form;
    const first = place[columns[0] ?? -1] ?? -1;
    // A group's own row does not change when its units move.
    if (columns.length === size && first !== -1 && columns.every((j) => sameGroup(place[j] as number, first, size))) {
      if (row.form.coefficients.every((coefficient) => coefficient === row.form.coefficients[0])) continue;
    }
    if (row.lower === null && row.upper === null) continue;
    if (row.lower !== null && row.upper !== null) narrow(allowed, place, size, row.form, 1, true);
    else narrow(allowed, place, size, row.form, row.upper !== null ? 1 : -1, false);
  }
  for (let i = 0; i < allowed.length; i++) if (!plain[i] || !plain[i + 1]) allowed[i] = 0;
  return allowed.some((bits) => bits !== 0) ? { groups, size, allowed } : null;
}

/** Tells of a column of the program: its bounds where the search stands. */
export interface CurrentBounds {
  lower(column: number): Rational;
  upper(column: number): Rational;
}

/**
 * Bounds that hold of every solution that allows no more exchanges, given those that hold already; repeated until
 * nothing changes. `tighten` is told of every column with its new bounds and must make {@link CurrentBounds} show them.
 * Returns `false` when there is no such solution: one column must be used and must not be.
 */
export function excludeExchangeable(
  order: ExchangeOrder,
  bounds: CurrentBounds,
  tighten: (column: number, lower: Rational, upper: Rational) => void,
): boolean {
  const { groups, size, allowed } = order;
  const member = (i: number, t: number) => (groups[i] as Group).members[t] as number;
  let changed = true;
  let contradiction = false;
  const empty = (column: number) => {
    if (bounds.upper(column).sign() <= 0) return;
    if (bounds.lower(column).sign() > 0) contradiction = true;
    else tighten(column, bounds.lower(column), Rational.zero);
    changed = true;
  };
  while (changed && !contradiction) {
    changed = false;
    for (let early = 0; early < size; early++) {
      for (let late = early + 1; late < size; late++) {
        const bit = 1 << (early * size + late);
        // A group that surely uses the late position forbids the early one to all later groups of its chain…
        let active = false;
        for (let i = 0; i < groups.length; i++) {
          if (i > 0 && ((allowed[i - 1] as number) & bit) === 0) active = false;
          if (active) empty(member(i, early));
          if ((groups[i] as Group).members.length === size && bounds.lower(member(i, late)).sign() > 0) active = true;
        }
        // …and one that surely uses the early position forbids the late one to all earlier groups.
        active = false;
        for (let i = groups.length - 1; i >= 0; i--) {
          if (i < groups.length - 1 && ((allowed[i] as number) & bit) === 0) active = false;
          if (active) empty(member(i, late));
          if ((groups[i] as Group).members.length === size && bounds.lower(member(i, early)).sign() > 0) active = true;
        }
      }
    }
    if (!changed || contradiction) break;
    for (const { members, total } of groups) {
      let uppers = 0n;
      for (const column of members) uppers += bounds.upper(column).numerator;
      for (const column of members) {
        const upper = bounds.upper(column);
        const needed = total - (uppers - upper.numerator);
        if (needed > bounds.lower(column).numerator) tighten(column, Rational.of(needed), upper);
      }
    }
  }
  return !contradiction;
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

function sameGroup(place: number, other: number, size: number): boolean {
  return place !== -1 && Math.floor(place / size) === Math.floor(other / size);
}

/**
 * Takes away the exchanges that would raise `sign` times a form (`exact`: that would change it). Exchanging units of
 * groups i and i + 1 between positions e < l changes it by (a[i,e] − a[i,l]) − (a[i+1,e] − a[i+1,l]).
 */
function narrow(
  allowed: Int32Array,
  place: Int32Array,
  size: number,
  form: { readonly columns: readonly number[]; readonly coefficients: readonly bigint[] },
  sign: 1 | -1,
  exact: boolean,
): void {
  const inRow = new Map<number, bigint[]>();
  form.columns.forEach((column, k) => {
    const at = place[column] as number;
    if (at === -1) return;
    const i = Math.floor(at / size);
    let coefficients = inRow.get(i);
    if (coefficients === undefined) {
      coefficients = new Array<bigint>(size).fill(0n);
      inRow.set(i, coefficients);
    }
    coefficients[at % size] = form.coefficients[k] as bigint;
  });
  const none = new Array<bigint>(size).fill(0n);
  const checked = new Set<number>();
  for (const i of inRow.keys()) {
    for (const pair of [i - 1, i]) {
      if (pair < 0 || pair >= allowed.length || checked.has(pair)) continue;
      checked.add(pair);
      if (allowed[pair] === 0) continue;
      const first = inRow.get(pair) ?? none;
      const second = inRow.get(pair + 1) ?? none;
      for (let early = 0; early < size; early++) {
        for (let late = early + 1; late < size; late++) {
          const change =
            (first[early] as bigint) - (first[late] as bigint) - (second[early] as bigint) + (second[late] as bigint);
          const harmful = exact ? change !== 0n : sign === 1 ? change > 0n : change < 0n;
          if (harmful) allowed[pair] = (allowed[pair] as number) & ~(1 << (early * size + late));
        }
      }
    }
  }
}
