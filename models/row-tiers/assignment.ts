import { type Assignment, AssignmentError, type Run } from "../../src/instance/types/assignment.js";
import { type RowTiersInstance, TIERS, type Tier } from "../../src/instance/types/row-tiers.js";
import type { TierSet } from "./tier-set.js";
import { classCount, listedMembers, membersInOrder, type UnitChain, type UnitClasses } from "./unit-classes.js";

export type { Assignment, Run };

/** Units of each class in each tier of a {@link TierSet}: `counts[class * tiers.length + tier]`. */
export type UnitCounts = Float64Array;

/** Rows of one table in one tier. */
interface Piece {
  readonly firstRow: number;
  rows: number;
  readonly tier: Tier;
}

function rankOf(tier: Tier | undefined): number {
  return TIERS.indexOf(tier as Tier);
}

/**
 * Runs from unit counts. Units of a class are interchangeable, so each class fills its members in order with the tiers
 * in the order of `TIERS`.
 */
export function assignmentOf(
  instance: RowTiersInstance,
  { chains }: UnitClasses,
  { tiers, positions }: TierSet,
  counts: UnitCounts,
): Assignment {
  const pieces: Piece[][] = instance.tables.map(() => []);
  /** The piece of each table that further rows may join. */
  const open: (Piece | undefined)[] = instance.tables.map(() => undefined);
  const put = (table: number, firstRow: number, rows: number, tier: Tier) => {
    const last = open[table];
    if (last !== undefined && last.tier === tier && last.firstRow + last.rows === firstRow) {
      last.rows += rows;
      return;
    }
    const piece = { firstRow, rows, tier };
    open[table] = piece;
    (pieces[table] as Piece[]).push(piece);
  };
  const order = tiers.map((_, index) => index).sort((a, b) => rankOf(tiers[a]) - rankOf(tiers[b]));
  const left = new Float64Array(order.length);
  let at = 0;
  for (const { units, rowsPerUnit, members, membersFrom, before } of chains) {
    // Of tiers that cost the same, rows stay in the one that they were in.
    const was = before.length === 1 ? before[0]?.tier : undefined;
    const nameOf = (position: number) =>
      was !== undefined && positions.get(was) === position ? was : (tiers[position] as Tier);
    for (let k = 0; k < units.length; k++, at += tiers.length) {
      for (let place = 0; place < left.length; place++) left[place] = counts[at + (order[place] as number)] as number;
      let current = 0;
      for (let m = membersFrom[k] as number; m < (membersFrom[k + 1] as number); m++) {
        let firstRow = members.firstRow[m] as number;
        let missing = members.units[m] as number;
        while (missing > 0) {
          while (left[current] === 0) current++;
          const taken = Math.min(missing, left[current] as number);
          const rows = taken * rowsPerUnit;
          put(members.table[m] as number, firstRow, rows, nameOf(order[current] as number));
          firstRow += rows;
          missing -= taken;
          left[current] = (left[current] as number) - taken;
        }
      }
    }
  }
  return pieces.map((list) => {
    list.sort((a, b) => a.firstRow - b.firstRow);
    const runs: Run[] = [];
    for (const { rows, tier } of list) {
      const last = runs.at(-1);
      if (last?.tier === tier) runs[runs.length - 1] = { rows: last.rows + rows, tier };
      else runs.push({ rows, tier });
    }
    return runs;
  });
}

/**
 * Unit counts from runs: the inverse of {@link assignmentOf} up to the exchange of equal units. Throws
 * {@link AssignmentError} when a table's runs do not add up to its rows, use a tier that is not allowed, or cut a unit.
 */
export function countsOf(
  instance: RowTiersInstance,
  classes: UnitClasses,
  { tiers, positions }: TierSet,
  assignment: Assignment,
): UnitCounts {
  if (assignment.length !== instance.tables.length) {
    throw new AssignmentError(
      `runs for ${instance.tables.length} tables were expected, ${assignment.length} are there`,
    );
  }
  const counts = new Float64Array(classCount(classes) * tiers.length);
  const cursors = instance.tables.map(
    ({ name, rows }, t) => new RunCursor(name, rows, assignment[t] as readonly Run[]),
  );
  const all = listedMembers(classes);
  const firstRow = Float64Array.from(all.chain, (r, k) => {
    return (classes.chains[r] as UnitChain).members.firstRow[all.member[k] as number] as number;
  });
  // Those of each table in the order of its rows.
  const rises = firstRow.every((row, k) => k === 0 || row >= (firstRow[k - 1] as number));
  const byRow = (a: number, b: number) => (firstRow[a] as number) - (firstRow[b] as number);
  const { chain, unitClass, member } = rises ? all : membersInOrder(all, byRow);
  let before = 0;
  const number = classes.chains.map(({ units }) => {
    before += units.length;
    return before - units.length;
  });
  for (let k = 0; k < chain.length; k++) {
    const { rowsPerUnit, members } = classes.chains[chain[k] as number] as UnitChain;
    const m = member[k] as number;
    const cursor = cursors[members.table[m] as number] as RunCursor;
    for (let missing = members.units[m] as number; missing > 0; ) {
      const { tier, units } = cursor.take(missing, rowsPerUnit);
      const position = positions.get(tier);
      if (position === undefined) {
        throw new AssignmentError(`table "${cursor.table}": the tier ${tier} is not allowed by the instance`);
      }
      const at = ((number[chain[k] as number] as number) + (unitClass[k] as number)) * tiers.length + position;
      counts[at] = (counts[at] as number) + units;
      missing -= units;
    }
  }
  for (const cursor of cursors) cursor.end();
  return counts;
}

/** A place in a table's runs. */
class RunCursor {
  readonly table: string;
  readonly #rows: number;
  readonly #runs: readonly Run[];
  #run = 0;
  #left: number;

  constructor(table: string, rows: number, runs: readonly Run[]) {
    this.table = table;
    this.#rows = rows;
    this.#runs = runs;
    this.#left = runs[0]?.rows ?? 0;
  }

  /** Takes up to `units` units from the run at hand. */
  take(units: number, rowsPerUnit: number): { tier: Tier; units: number } {
    while (this.#left === 0 && this.#run < this.#runs.length) {
      this.#run++;
      this.#left = this.#runs[this.#run]?.rows ?? 0;
    }
    const { tier } = this.#runs[this.#run] ?? {};
    if (tier === undefined) {
      throw new AssignmentError(`table "${this.table}": the runs hold fewer than its ${this.#rows} rows`);
    }
    const taken = Math.min(units, Math.floor(this.#left / rowsPerUnit));
    if (taken === 0) {
      throw new AssignmentError(`table "${this.table}": a run ends inside a block of ${rowsPerUnit} rows`);
    }
    this.#left -= taken * rowsPerUnit;
    return { tier, units: taken };
  }

  end(): void {
    if (this.#left > 0 || this.#run < this.#runs.length - 1) {
      throw new AssignmentError(`table "${this.table}": the runs hold more than its ${this.#rows} rows`);
    }
  }
}
