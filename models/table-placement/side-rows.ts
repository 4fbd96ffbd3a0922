import { grouped } from "./grouped.js";
import type { ShardColumn } from "./option-site.js";
import type { PlacementProblem } from "./problem.js";
import { type ProgramDraft, sumOf } from "./program-draft.js";

/** What a point needs beside the counts of shards: columns that follow from them. */
export interface SideColumn {
  readonly column: number;
  /** It is 1 where one of these counts is not zero. */
  readonly follows: readonly number[];
}

/** A row that speaks of one device alone. */
export interface DeviceRow {
  readonly row: number;
  readonly device: number;
}

/**
 * How a device says that it has any shard of an option that can have several there: its column, and the row of that.
 */
export interface UsesColumn {
  readonly column: number;
  readonly row: number;
}

export interface SideRows {
  readonly columns: readonly SideColumn[];
  readonly deviceRows: readonly DeviceRow[];
  /** By "table option device". */
  readonly uses: ReadonlyMap<string, UsesColumn>;
}

/** The rows of `together` and `apart`, and those that let a device have shards of one option of a table only. */
export function addSideRows(draft: ProgramDraft, problem: PlacementProblem, shards: readonly ShardColumn[]): SideRows {
  const byPlace = grouped(shards, ({ table, device }) => `${table} ${device}`);
  const at = (table: number, device: number) => byPlace.get(`${table} ${device}`) ?? [];
  const columns: SideColumn[] = [];
  const deviceRows: DeviceRow[] = [];
  const uses = new Map<string, UsesColumn>();
  const devices = Array.from({ length: problem.nodes * problem.gpusPerNode }, (_, d) => d);

  problem.together.forEach((group, g) => {
    // A device where some table of the group may not be cannot be theirs.
    const homes = devices.filter((device) => group.every((table) => at(table, device).length > 0));
    const choices = homes.map((device) => draft.addCount(`g_${g}_${device}`));
    draft.addEquation(`together_${g}`, sumOf(choices), 1n);
    for (const device of devices) {
      const choice = choices[homes.indexOf(device)];
      const follows: number[] = [];
      for (const { column, most } of group.flatMap((table) => at(table, device))) {
        follows.push(column);
        const home = choice === undefined ? [] : [[choice, -BigInt(most)] as const];
        draft.addLimit(`together_${g}_${column}`, [[column, 1n], ...home]);
      }
      if (choice !== undefined) columns.push({ column: choice, follows });
    }
  });

  const presence = new Map<string, number>();
  /** Columns whose sum is 1 where the table has a shard on the device, 0 otherwise. */
  const presenceOn = (table: number, device: number): readonly number[] => {
    const here = at(table, device);
    if (areExclusive(here)) return here.map(({ column }) => column);
    const key = `${table} ${device}`;
    let column = presence.get(key);
    if (column === undefined) {
      column = draft.addCount(`p_${table}_${device}`);
      presence.set(key, column);
      for (const shard of here) {
        const terms = [[shard.column, 1n] as const, [column, -BigInt(shard.most)] as const];
        deviceRows.push({ row: draft.addLimit(`present_${shard.column}`, terms), device });
      }
      columns.push({ column, follows: here.map((shard) => shard.column) });
    }
    return [column];
  };
  problem.apart.forEach((group, a) => {
    for (const device of devices) {
      const terms = [...new Set(group)].flatMap((table) => presenceOn(table, device));
      if (terms.length < 2) continue;
      deviceRows.push({ row: draft.addLimit(`apart_${a}_${device}`, sumOf(terms), 1n), device });
    }
  });

  for (const here of byPlace.values()) {
    deviceRows.push(...addDistinctRows(draft, here));
    if (new Set(here.map(({ option }) => option)).size < 2) continue;
    const side = addOneOption(draft, here, uses);
    columns.push(...side.columns);
    deviceRows.push(...side.deviceRows);
  }
  return { columns, deviceRows, uses };
}

/** Of an option whose shards have a device each, and are of several kinds: at most one of all kinds is on the device. */
function addDistinctRows(draft: ProgramDraft, here: readonly ShardColumn[]): DeviceRow[] {
  const distinct = here.filter(({ isDistinct }) => isDistinct);
  return [...new Set(distinct.map(({ option }) => option))].flatMap((option) => {
    const own = distinct.filter((shard) => shard.option === option);
    if (own.length < 2) return [];
    const { table, device } = own[0] as ShardColumn;
    const terms = own.map(({ column }) => [column, 1n] as const);
    return [{ row: draft.addLimit(`distinct_${table}_${option}_${device}`, terms, 1n), device }];
  });
}

/** Whether at most one of a table's columns on a device can be 1, and none can be more, because they are of different options. */
function areExclusive(here: readonly ShardColumn[]): boolean {
  return here.every(({ most }) => most === 1) && new Set(here.map(({ option }) => option)).size === here.length;
}

/**
 * At most one option of a table has shards on a device: follows from the choice of one option, and keeps a device, looked
 * at alone, from taking shards of several. An option that can have several shards there is spoken of by a column
 * w[t, o, d] that is 1 where it has any.
 */
function addOneOption(
  draft: ProgramDraft,
  here: readonly ShardColumn[],
  known: Map<string, UsesColumn>,
): { columns: readonly SideColumn[]; deviceRows: readonly DeviceRow[] } {
  const { table, device } = here[0] as ShardColumn;
  const columns: SideColumn[] = [];
  const deviceRows: DeviceRow[] = [];
  const terms = [...new Set(here.map(({ option }) => option))].map((option) => {
    const own = here.filter((shard) => shard.option === option);
    const most = own.reduce((sum, shard) => sum + shard.most, 0);
    if (most === 1) return [(own[0] as ShardColumn).column, 1n] as const;
    const uses = draft.addCount(`w_${table}_${option}_${device}`);
    const follows = own.map(({ column }) => column);
    columns.push({ column: uses, follows });
    const row = draft.addLimit(`uses_${table}_${option}_${device}`, [...sumOf(follows), [uses, -BigInt(most)]]);
    deviceRows.push({ row, device });
    known.set(`${table} ${option} ${device}`, { column: uses, row });
    return [uses, 1n] as const;
  });
  deviceRows.push({ row: draft.addLimit(`one_${table}_${device}`, terms, 1n), device });
  return { columns, deviceRows };
}
