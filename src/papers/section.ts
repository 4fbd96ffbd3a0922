import type { PlanTable } from "../problems/plan-table.js";
import type { Medium, Said } from "../text/said.js";

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

/** A table of a paper: `aligns` has one letter per column, `l` or `r`. */
export function paperTable(
  caption: string,
  head: readonly Said[],
  rows: readonly (readonly Said[])[],
  aligns: string,
): PlanTable {
  return {
    caption,
    columns: head.map((text, k) => ({ head: text, align: aligns[k] === "r" ? "r" : "l" })),
    rows: rows.map((cells) => ({ cells })),
  };
}
