import type { Chart } from "./chart.js";
import { type Html, html } from "./html.js";
import { gapText, planNumber } from "./numbers.js";

/** A fact: a name, and what is said of it. */
export type Fact = readonly [name: string, text: Html];

/** What a page says of one plan. */
export interface Section {
  /** The answer in one sentence. */
  readonly answer: Html;
  /** What was asked. */
  readonly asked: readonly Fact[];
  /** What is known. */
  readonly facts: readonly Fact[];
  /** The decision in full, after the charts. */
  readonly tables: readonly Html[];
  readonly charts: readonly Chart[];
}

/** Facts as a list of names and texts. */
export function factList(facts: readonly Fact[]): Html {
  return html`<dl>${facts.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>\n`)}</dl>`;
}

/** What was asked of the solver, alike for every problem. */
export function requestFacts(request: {
  readonly gap: number;
  readonly timeLimitSeconds: number;
  readonly seed: number;
}): Fact[] {
  const { gap, timeLimitSeconds, seed } = request;
  return [
    [
      "to be proved",
      html`to a relative gap of ${planNumber("request.gap", gap, gap === 0 ? "0" : gap.toExponential())}, within
${planNumber("request.timeLimitSeconds", timeLimitSeconds, String(timeLimitSeconds))} s, seed
${planNumber("request.seed", seed, String(seed))}`,
    ],
  ];
}

/** A proved bound with its gap. */
export function boundFact(bound: number, gap: number | null, text: string): Fact {
  const beside = gap === null ? null : html`, gap ${planNumber("objective.gap", gap, gapText(gap))}`;
  return ["proved bound", html`${planNumber("objective.bound", bound, text)}${beside}`];
}

/** What a general solver said, where one was asked. */
export function claimFacts(
  claim: { readonly solver: string; readonly agrees: boolean; readonly remark: string } | null,
): Fact[] {
  if (claim === null) return [];
  const mark = claim.agrees ? null : html`<strong>contradicts the proof:</strong> `;
  return [[`solver ${claim.solver}`, html`${mark}${claim.remark}`]];
}

/** A table of a page: heads, cells, and which columns are numbers (`r`) or words (`l`). */
export function pageTable(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
  aligns: string,
): Html {
  const side = (k: number) => (aligns[k] === "r" ? "number" : "");
  return html`<div class="scroll"><table><caption>${caption}</caption>
<thead><tr>${head.map((text, k) => html`<th class="${side(k)}">${text}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell, k) => html`<td class="${side(k)}">${cell}</td>`)}</tr>\n`)}</tbody></table></div>`;
}

/** Rows of a table that are seen at once; the others open. */
const MOST_ROWS = 24;

/** A table of which only the first rows are seen until the rest is opened. */
export function longTable(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
  aligns: string,
): Html {
  if (rows.length <= MOST_ROWS) return pageTable(caption, head, rows, aligns);
  const rest = pageTable(caption, head, rows.slice(MOST_ROWS), aligns);
  return html`${pageTable(caption, head, rows.slice(0, MOST_ROWS), aligns)}
<details><summary>${rows.length - MOST_ROWS} more rows</summary>${rest}</details>`;
}
