import { NOTHING, type PlanColumn, type PlanTable } from "../../facts/plan-table.js";
import type { Medium, Said } from "../../text/said.js";

/** A part of what is said of a paper, as terminal and page both draw it. */
export interface PaperSection {
  /** Names the section and begins the names of its figures on a page. */
  readonly id: string;
  readonly title: string;
  /** `null` where the time limit was over before it. */
  readonly parts: readonly PaperPart[] | null;
  /** Where one medium alone has it. */
  readonly on?: Medium;
}

export type PaperPart = PlanTable | PaperLines | PaperMatrix;

/** Sentences, a line each. */
export interface PaperLines {
  readonly lines: readonly string[];
}

/** A matrix as the terminal draws it; a page has a figure of it. */
export interface PaperMatrix {
  readonly matrix: readonly number[];
  readonly order: readonly number[];
  readonly boundaries: readonly number[];
}

/**
 * A column of a paper's table: its head, how it is aligned, and the cell that it has in a row; `once` leaves that empty where it and
 * those before it are as in the row above.
 */
export type PaperColumn<Row> = readonly [
  head: Said,
  align: PlanColumn["align"],
  cell: (row: Row) => Said,
  repeats?: "once",
];

/** A table of a paper. */
export function paperTable<Row>(
  caption: string,
  rows: readonly Row[],
  columns: readonly PaperColumn<Row>[],
): PlanTable {
  const cells = rows.map((row) => columns.map(([, , cell]) => cell(row)));
  const isAsAbove = (row: number, column: number) =>
    cells[row]?.slice(0, column + 1).every((cell, k) => cell === cells[row - 1]?.[k]);
  return {
    caption,
    columns: columns.map(([head, align]) => ({ head, align })),
    rows: cells.map((row, r) => ({
      cells: row.map((cell, c) => (columns[c]?.[3] === "once" && isAsAbove(r, c) ? "" : cell)),
    })),
  };
}

/** The text of a number, and what stands for none. */
export function orNothing(number: number | null, text: (number: number) => string): Said {
  return number === null ? NOTHING : text(number);
}

/** A share with its sign, in percent. */
export function signedPercent(share: number, decimals: number): string {
  return `${share < 0 ? "−" : "+"}${(Math.abs(share) * 100).toFixed(decimals)} %`;
}
