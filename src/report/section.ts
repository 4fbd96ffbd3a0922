import type { Fact } from "../problems/facts.js";
import type { PlanEnvelope } from "../problems/plan-file/envelope.js";
import { isNames, type Names, type PlanTable, tableOn } from "../problems/plan-table.js";
import { drawn, type Pen, plainText, quantity, type Said } from "../text/said.js";
import { askedGapText } from "../text/units.js";
import { type Html, html } from "./html.js";
import type { ReportOf } from "./input.js";
import { planNumber } from "./plan-number.js";

const PEN: Pen<Html> = {
  words: (text) => html`${text}`,
  number: ({ path, value, text }) => planNumber(path, value, text),
  marked: (as, text) => (as === "terminal" ? html`` : as === "warning" ? html`<strong>${text}</strong>` : text),
  joined: (texts) => html`${texts}`,
};

/** What is said, its numbers marked as the plan file's. */
export function sentence(said: Said): Html {
  return drawn(said, PEN);
}

/** Facts as a page lists them. */
export function drawnFacts(facts: readonly Fact[]): Html {
  const listed = facts.filter(({ on }) => on !== "terminal");
  return factList(listed.map(({ name, said }) => [name, sentence(said)]));
}

/** A list of names and texts. */
export function factList(facts: readonly (readonly [name: string, text: Html])[]): Html {
  return html`<dl>${facts.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>\n`)}</dl>`;
}

/** What an instance says of itself, and what was asked of the solver: alike for every problem. */
export function askedFacts({
  instance,
  plan: { request },
}: Pick<ReportOf<PlanEnvelope, unknown>, "instance" | "plan">): readonly Fact[] {
  const { gap, timeLimitSeconds, seed } = request;
  const at = (name: string, value: number, text = String(value)) => quantity(`request.${name}`, value, text);
  const asked: Said = [
    ["to a relative gap of ", at("gap", gap, askedGapText(gap))],
    [", within ", at("timeLimitSeconds", timeLimitSeconds), " s, seed ", at("seed", seed)],
  ];
  return [...(instance?.facts ?? []), { name: "to be proved", said: asked }];
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
const MAX_ROWS = 24;

/** A table of a plan, of which only the first rows are seen until the rest is opened. */
export function drawnTable(planTable: PlanTable): Html {
  const { columns, rows } = tableOn("page", planTable);
  const cells = rows.map((row) => row.cells.map((cell) => (isNames(cell) ? drawnNames(cell) : sentence(cell))));
  const heads = columns.map(({ head }) => plainText(head));
  const part = (some: typeof cells) =>
    pageTable(planTable.caption, heads, some, columns.map(({ align }) => align).join(""));
  if (rows.length <= MAX_ROWS) return part(cells);
  return html`${part(cells.slice(0, MAX_ROWS))}
<details><summary>${rows.length - MAX_ROWS} more rows</summary>${part(cells.slice(MAX_ROWS))}</details>`;
}

/** Few names as they are; of many the first, and the others to open. */
function drawnNames({ names, most: { entries }, none }: Names): Html {
  if (names.length === 0) return sentence(none);
  const first = names.slice(0, entries).join(", ");
  if (names.length <= entries) return html`${first}`;
  const rest = names.slice(entries);
  return html`<details><summary>${first}, … ${rest.length} more</summary>${rest.join(", ")}</details>`;
}
