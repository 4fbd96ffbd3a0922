import { Rational } from "../../exact/rational.js";
import type { Group } from "./lattice.js";

/**
 * Which groups may exchange units, and how.
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
  readonly entries: readonly ExchangeEntry[];
  /** Columns that are substituted already contradict each other: no solution without exchanges is left. */
  readonly contradiction: boolean;
}

/** A group that still has open columns. */
export interface ExchangeEntry {
  /** The column at each position, −1 where it is substituted. */
  readonly positions: readonly number[];
  /** Bit t: position t is substituted at a positive value. */
  readonly used: number;
  /** The exchanges allowed with the next entry, through all groups between them that are substituted. */
  readonly link: number;
  /** Exchanges whose late position a substituted group before this one uses: the early one is forbidden from here on. */
  readonly forward: number;
  /** Exchanges whose early position a substituted group behind this one uses: the late one is forbidden up to here. */
  readonly backward: number;
}

/** The order once some columns are substituted: `local` maps columns to new ones (−1), `isUsed` tells positive values. */
export function reduceOrder(
  order: ExchangeOrder,
  local: Int32Array,
  isUsed: (column: number) => boolean,
): ExchangeOrder {
  const { size } = order;
  const entries: ExchangeEntry[] = [];
  let { contradiction } = order;
  // What the groups that vanish pass on to the next one that stays.
  let passed = 0;
  for (const entry of order.entries) {
    let { used } = entry;
    const positions = entry.positions.map((column, t) => {
      if (column === -1) return -1;
      const mapped = local[column] as number;
      if (mapped === -1 && isUsed(column)) used |= 1 << t;
      return mapped;
    });
    const forward = entry.forward | passed;
    if (positions.some((column) => column !== -1)) {
      entries.push({ positions, used, link: entry.link, forward, backward: entry.backward });
      passed = 0;
      continue;
    }
    const lates = pairsWith(size, (_, late) => (used & (1 << late)) !== 0);
    const earlies = pairsWith(size, (early) => (used & (1 << early)) !== 0);
    if ((forward & earlies) !== 0 || (entry.backward & lates) !== 0) contradiction = true;
    passed = (forward | lates) & entry.link;
    const last = entries.at(-1);
    if (last !== undefined) {
      entries[entries.length - 1] = {
        ...last,
        link: last.link & entry.link,
        backward: last.backward | ((entry.backward | earlies) & last.link),
      };
    }
  }
  return { size, entries, contradiction };
}

/** Bounds of columns, by the index that the order's positions use; changed in place. */
interface Bounds {
  readonly lower: (Rational | null)[];
  readonly upper: (Rational | null)[];
}

/**
 * Tightens bounds to what holds of every solution that allows no more exchanges, until nothing changes. `record` is told
 * of the old bounds before every change. Returns `false` when there is no such solution.
 */
export function excludeExchangeable(
  order: ExchangeOrder,
  groups: readonly Group[],
  groupOf: Int32Array,
  box: Bounds,
  record: (column: number, lower: Rational | null, upper: Rational | null) => void,
): boolean {
  if (order.contradiction) return false;
  const { size, entries } = order;
  const uses = ({ positions, used }: ExchangeEntry, t: number): boolean => {
    const column = positions[t] as number;
    return column === -1 ? (used & (1 << t)) !== 0 : (box.lower[column] as Rational).sign() > 0;
  };
  let changed = true;
  /** Forbids a position; `false` when it is used. */
  const forbid = (entry: ExchangeEntry, t: number): boolean => {
    if (uses(entry, t)) return false;
    const column = entry.positions[t] as number;
    if (column === -1 || (box.upper[column] as Rational).sign() <= 0) return true;
    record(column, box.lower[column] as Rational, box.upper[column] as Rational);
    box.upper[column] = Rational.zero;
    changed = true;
    return true;
  };
  while (changed) {
    changed = false;
    // First, too: what is decided before this may have filled a group, and in a smaller box nothing else need move.
    if (!fillGroups(entries, groups, groupOf, box, record)) return false;
    for (let early = 0; early < size; early++) {
      for (let late = early + 1; late < size; late++) {
        const bit = 1 << (early * size + late);
        let active = false;
        for (let k = 0; k < entries.length; k++) {
          const entry = entries[k] as ExchangeEntry;
          if (k > 0 && ((entries[k - 1] as ExchangeEntry).link & bit) === 0) active = false;
          if ((entry.forward & bit) !== 0) active = true;
          if (active && !forbid(entry, early)) return false;
          if (uses(entry, late)) active = true;
        }
        active = false;
        for (let k = entries.length - 1; k >= 0; k--) {
          const entry = entries[k] as ExchangeEntry;
          if ((entry.link & bit) === 0) active = false;
          if ((entry.backward & bit) !== 0) active = true;
          if (active && !forbid(entry, late)) return false;
          if (uses(entry, early)) active = true;
        }
      }
    }
  }
  return true;
}

/** What the other members of a group cannot take, a member must. */
function fillGroups(
  entries: readonly ExchangeEntry[],
  groups: readonly Group[],
  groupOf: Int32Array,
  box: Bounds,
  record: (column: number, lower: Rational | null, upper: Rational | null) => void,
): boolean {
  for (const { positions } of entries) {
    const open = positions.find((column) => column !== -1) as number;
    const { members, total } = groups[groupOf[open] as number] as Group;
    let uppers = 0n;
    for (const column of members) uppers += (box.upper[column] as Rational).numerator;
    for (const column of members) {
      const lower = box.lower[column] as Rational;
      const upper = box.upper[column] as Rational;
      const needed = total - (uppers - upper.numerator);
      if (needed > upper.numerator) return false;
      if (needed <= lower.numerator) continue;
      record(column, lower, upper);
      box.lower[column] = Rational.of(needed);
    }
  }
  return true;
}

function pairsWith(size: number, wanted: (early: number, late: number) => boolean): number {
  let pairs = 0;
  for (let early = 0; early < size; early++) {
    for (let late = early + 1; late < size; late++) if (wanted(early, late)) pairs |= 1 << (early * size + late);
  }
  return pairs;
}
