import { showTable } from "../../problems/show/table.js";
import type { PaperShown } from "../../reproduce/papers/paper.js";
import type { PaperPart } from "../../reproduce/papers/section.js";
import { showMatrix } from "../../terminal/matrix.js";
import { paint } from "../../terminal/table.js";

/** Papers' tables beside ours, and what holds of all that they print. */
export function showPapers(papers: readonly PaperShown[]): string {
  return papers.map((paper) => showPaper(paper, papers.length > 1)).join("\n");
}

function showPaper({ name, note, sections }: PaperShown, isOneOfMany: boolean): string {
  const shown = sections
    .filter(({ on }) => on !== "page")
    .map(({ title, parts }) => `${paint.bold(title)}\n\n${parts?.map(showPart).join("\n\n") ?? `  ${NOT_REACHED}`}`);
  const above = [...(isOneOfMany ? [paint.bold(name)] : []), ...(note === null ? [] : [note])];
  return `${[...above, ...shown].join("\n\n")}\n`;
}

const NOT_REACHED = "not reached in the time limit";

function showPart(part: PaperPart): string {
  if ("lines" in part) return part.lines.map((line) => `  ${line}`).join("\n");
  return "matrix" in part ? showMatrix(part.matrix, part.order, part.boundaries) : showTable(part);
}
