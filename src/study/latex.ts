import { kindsOf } from "./kinds.js";
import { type Cells, methodsTable } from "./methods-table.js";
import { pairsOf, pairsTable } from "./pairs.js";
import type { Row } from "./row.js";
import { byProblem, summaries } from "./summary.js";

/** What LaTeX reads as more than a letter, and how it is written. */
const SPECIAL: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "·": "$\\cdot$",
  "−": "$-$",
  "×": "$\\times$",
};

/** The tables of a study's Markdown as LaTeX's `tabular`, to be read in by `\input`; it needs no package. */
export function studyLatex(rows: readonly Row[]): string {
  const tables = byProblem(rows).flatMap(({ problem, rows: ofProblem }) =>
    kindsOf(ofProblem).flatMap(({ title, rows: ofKind }) => [
      tabular(`${problem}, ${title}`, methodsTable(summaries(ofKind), false)),
      tabular(`${problem}, ${title}: pairs`, pairsTable(pairsOf(ofKind))),
    ]),
  );
  return tables.join("");
}

function tabular(title: string, { head, lines, align }: Cells): string {
  if (lines.length === 0) return "";
  const [first, ...others] = [head, ...lines].map((cells) => `${cells.map(escaped).join(" & ")} \\\\\n`);
  return `% ${title.replace(/\s+/g, " ")}
\\begin{tabular}{${align}}
\\hline
${first}\\hline
${others.join("")}\\hline
\\end{tabular}

`;
}

function escaped(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[#$%&_{}\\~^·−×]/g, (one) => SPECIAL[one] ?? `\\${one}`);
}
