import type { StudyFile } from "./job.js";
import { kindsOf } from "./kinds.js";
import { type Cells, METHODS_CAPTION, methodsTable } from "./methods-table.js";
import { PAIRS_CAPTION, pairsOf, pairsTable } from "./pairs.js";
import type { Row } from "./row.js";
import { standingOf } from "./standing.js";
import { byProblem, summaries } from "./summary.js";

/**
 * The tables of a study as GitHub's Markdown: a heading for each problem and for each kind of its instances. Nothing in it
 * depends on the clock, so that every run of a job has the same one.
 */
export function studyMarkdown(study: StudyFile, rows: readonly Row[]): string {
  const standing = standingOf(rows).map(({ name, text }) => `${name}: ${text}`);
  const problems = byProblem(rows).flatMap(({ problem, rows: ofProblem }) => [
    `## ${escaped(problem)}`,
    ...kindsOf(ofProblem).flatMap(({ title, rows: ofKind }) => [
      ...[`### ${escaped(title)}`, ...methodsOf(ofKind), ...besideOf(ofKind)],
    ]),
  ]);
  const source = study.source === undefined ? [] : [escaped(study.source)];
  const parts = [`# ${escaped(study.study)}`, ...source, `${standing.join("; ")}.`, `${METHODS_CAPTION}.`, ...problems];
  return `${parts.join("\n\n")}\n`;
}

function methodsOf(rows: readonly Row[]): readonly string[] {
  const table = methodsTable(summaries(rows), false);
  return table.never === null ? tableOf(table) : [...tableOf(table), `${escaped(table.never)}.`];
}

/** Two methods at a time. */
function besideOf(rows: readonly Row[]): readonly string[] {
  const table = tableOf(pairsTable(pairsOf(rows)));
  return table.length === 0 ? [] : [`${PAIRS_CAPTION}.`, ...table];
}

/** Without lines there is nothing to compare, and no table is made of a head alone. */
function tableOf({ head, lines, align }: Cells): readonly string[] {
  const rule = [...align].map((side) => (side === "r" ? "---:" : "---"));
  const all = [head, rule, ...lines.map((cells) => cells.map(escaped))];
  return lines.length === 0 ? [] : [all.map((cells) => `| ${cells.join(" | ")} |`).join("\n")];
}

/** Names are the user's own: what Markdown would read as more than letters is taken as letters. */
function escaped(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_<>&|[\]#~]/g, "\\$&");
}

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
  const [first, ...others] = [head, ...lines].map((cells) => `${cells.map(inLatex).join(" & ")} \\\\\n`);
  return `% ${title.replace(/\s+/g, " ")}
\\begin{tabular}{${align}}
\\hline
${first}\\hline
${others.join("")}\\hline
\\end{tabular}

`;
}

function inLatex(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[#$%&_{}\\~^·−×]/g, (one) => SPECIAL[one] ?? `\\${one}`);
}
