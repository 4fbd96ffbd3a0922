import { faint, type Medium, type Said } from "../text/said.js";

/** A table of a plan, as terminal and page both draw it. */
export interface PlanTable {
  /** What a page calls it. */
  readonly caption: string;
  readonly columns: readonly PlanColumn[];
  readonly rows: readonly PlanRow[];
  /** A page has it next to its first screen, to be sorted and filtered. */
  readonly leads?: true;
}

export interface PlanColumn {
  readonly head: Said;
  /** Numbers, or words. */
  readonly align: "r" | "l";
  /** Where one medium alone has it. */
  readonly on?: Medium;
}

/** What a cell says. */
export type Cell = Said | Names | Share;

/** A column, and what it says of the entries of a list. */
export interface ColumnOf<Entry> extends PlanColumn {
  cell(entry: Entry, k: number): Cell;
}

/** Of numbers. */
export function right<Entry>(head: Said, cell: ColumnOf<Entry>["cell"], on?: Medium): ColumnOf<Entry> {
  return { head, align: "r", cell, ...(on && { on }) };
}

/** Of words. */
export function left<Entry>(head: Said, cell: ColumnOf<Entry>["cell"], on?: Medium): ColumnOf<Entry> {
  return { head, align: "l", cell, ...(on && { on }) };
}

/**
 * A table with a row for every entry of a list; columns that are `null` are left out. Cells are written where they are drawn: of many
 * rows most are for one medium alone.
 */
export function tableOf<Entry>(
  caption: string,
  entries: readonly Entry[],
  columns: readonly (ColumnOf<Entry> | null)[],
  more: (entry: Entry, k: number) => Omit<PlanRow, "cells"> = () => ({}),
): PlanTable & { readonly rows: PlanRow[] } {
  const shown = columns.filter((column) => column !== null);
  const rows = entries.map((entry, k) => ({
    ...more(entry, k),
    get cells() {
      return shown.map(({ cell }) => cell(entry, k));
    },
  }));
  return { caption, columns: shown, rows };
}

export interface PlanRow {
  readonly cells: readonly Cell[];
  readonly isStrong?: boolean;
  readonly on?: Medium;
  /** The table of the instance that it is about: pointing at the row marks its shards in the charts. */
  readonly about?: string;
}

/** A cell of names, of which only the first are seen where there are many. */
export interface Names {
  readonly names: readonly string[];
  /** As many characters as the terminal has room for; entries of a page, which folds the others away. */
  readonly most: { readonly characters: number; readonly entries: number };
  /** What stands for none. */
  readonly none: Said;
}

/** A cell of a share, from 0 to 1: the terminal draws a bar beside it. */
export interface Share {
  readonly share: number;
}

export function isShare(cell: Cell): cell is Share {
  return typeof cell === "object" && cell !== null && "share" in cell;
}

/** What stands in a cell that has no value. */
export const NOTHING: Said = faint("·");

export function isNames(cell: Cell): cell is Names {
  return typeof cell === "object" && cell !== null && "names" in cell;
}

/** The columns and the rows that one medium has. */
export function tableOn(medium: Medium, { columns, rows }: PlanTable): Pick<PlanTable, "columns" | "rows"> {
  const isHere = ({ on = medium }: { readonly on?: Medium }) => on === medium;
  return {
    columns: columns.filter(isHere),
    rows: rows.filter(isHere).map((row) => ({
      ...row,
      cells: row.cells.filter((_, k) => isHere(columns[k] as PlanColumn)),
    })),
  };
}
