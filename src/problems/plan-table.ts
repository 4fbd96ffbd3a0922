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

export interface PlanRow {
  readonly cells: readonly (Said | Names | Share)[];
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

export function isShare(cell: Said | Names | Share): cell is Share {
  return typeof cell === "object" && cell !== null && "share" in cell;
}

/** What stands in a cell that has no value. */
export const NOTHING: Said = faint("·");

export function isNames(cell: Said | Names | Share): cell is Names {
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
