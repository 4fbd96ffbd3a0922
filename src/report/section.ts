import type { Fact } from "../facts/facts.js";
import { isNames, isShare, type Names, type PlanRow, type PlanTable, tableOn } from "../facts/plan-table.js";
import type { Tile } from "../facts/tiles.js";
import type { PlanEnvelope } from "../plan-file/envelope.js";
import { drawn, type Pen, plainText, quantity, type Said } from "../text/said.js";
import { askedGapText, percent } from "../text/units.js";
import { type Html, html } from "./html.js";
import type { ReportCheck, ReportOf } from "./input.js";
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
  const { gap, timeLimitSeconds, workLimitSeconds, seed, without = [] } = request;
  const at = (name: string, value: number, text = String(value)) => quantity(`request.${name}`, value, text);
  const asked: Said = [
    ["to a relative gap of ", at("gap", gap, askedGapText(gap))],
    [", within ", at("timeLimitSeconds", timeLimitSeconds), " s"],
    workLimitSeconds === undefined ? [] : [" and ", at("workLimitSeconds", workLimitSeconds), " s of work"],
    [", seed ", at("seed", seed)],
    without.length === 0 ? [] : [`, without ${without.join(" and ")}`],
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
  const body = rows.map((row) => html`<tr>${row.map((cell, k) => bodyCell(cell, aligns[k]))}</tr>\n`);
  return framed(caption, head, aligns, body);
}

function bodyCell(cell: Html | string, align = "l"): Html {
  return align === "r" ? html`<td class="number">${cell}</td>` : html`<td>${cell}</td>`;
}

/** A table that is wider than the page moves in its frame, which the keyboard reaches. */
function framed(
  caption: string,
  head: readonly string[],
  aligns: string,
  body: Html | readonly Html[],
  kind = "",
): Html {
  const heads = head.map((text, k) =>
    aligns[k] === "r" ? html`<th class="number" scope="col">${text}</th>` : html`<th scope="col">${text}</th>`,
  );
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${caption}"><table class="${kind}"><caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>${body}</tbody></table></div>`;
}

/** Rows of a table that are seen at once; the others open. */
const MAX_ROWS = 24;

/** A table of a plan, of which only the first rows are seen until the rest is opened. */
export function drawnTable(planTable: PlanTable): Html {
  const { columns, rows } = tableOn("page", planTable);
  const heads = columns.map(({ head }) => plainText(head));
  const aligns = columns.map(({ align }) => align).join("");
  const { caption, leads = false } = planTable;
  const earlier = new Map<string, string>();
  const drawn = rows.map(({ cells, about }) => {
    const row = cells.map((cell, k) => bodyCell(asBefore(cells, k, columns, earlier) ?? drawnCell(cell), aligns[k]));
    return about === undefined ? html`<tr>${row}</tr>\n` : html`<tr data-about="${about}">${row}</tr>\n`;
  });
  // The page's script lets a leading table be sorted and filtered, and shows its first rows until all are asked for.
  if (leads) return framed(caption, heads, aligns, drawn, "leads");
  if (rows.length <= MAX_ROWS) return framed(caption, heads, aligns, drawn);
  return html`${framed(caption, heads, aligns, drawn.slice(0, MAX_ROWS))}
<details><summary>${rows.length - MAX_ROWS} more rows</summary>${framed(caption, heads, aligns, drawn.slice(MAX_ROWS))}</details>`;
}

/** Many names that an earlier row has in the same column are not listed again: `as device 3`. */
function asBefore(
  cells: PlanRow["cells"],
  k: number,
  columns: PlanTable["columns"],
  earlier: Map<string, string>,
): Html | null {
  const cell = cells[k] as PlanRow["cells"][number];
  const [first] = cells;
  if (!isNames(cell) || cell.names.length <= cell.most.entries || first === undefined) return null;
  if (isNames(first) || isShare(first)) return null;
  const key = JSON.stringify([k, cell.names]);
  const before = earlier.get(key);
  if (before !== undefined) return html`${before}`;
  earlier.set(key, `as ${plainText(columns[0]?.head ?? null)} ${plainText(first)}`);
  return null;
}

function drawnCell(cell: PlanRow["cells"][number]): Html {
  if (isNames(cell)) return drawnNames(cell);
  return isShare(cell) ? html`${percent(cell.share)}` : sentence(cell);
}

/** Few names as they are; of many the first, and the others to open, as many as a page has room for. */
function drawnNames({ names, most: { entries }, none }: Names): Html {
  if (names.length === 0) return sentence(none);
  const first = names.slice(0, entries).join(", ");
  if (names.length <= entries) return html`${first}`;
  const rest = names.slice(entries, MAX_NAMES);
  const left = names.length - entries - rest.length;
  const more = left === 0 ? "" : `, and ${left} more`;
  return html`<details><summary>${first}, … ${names.length - entries} more</summary>${rest.join(", ")}${more}</details>`;
}

/** Names of one cell; of more, a reader looks for one in the table that has a row for each. */
const MAX_NAMES = 120;

/** What a page says in large type. A plan that failed its check claims nothing there; `null`: of no plan alone. */
export function tileRow(tiles: readonly Tile[], check: ReportCheck | null): Html | null {
  if (tiles.length === 0) return null;
  return html`<div class="tiles">${tiles.map((tile) => drawnTile(tile, check))}</div>`;
}

function drawnTile(tile: Tile, check: ReportCheck | null): Html {
  const { name, value, beside, mark } = tile.name === "proof" && check !== null ? checkedTile(tile, check) : tile;
  return html`<div class="tile"><span class="name">${name}</span><span class="large ${mark ?? ""}">${sentence(value)}</span><span class="beside">${sentence(beside)}</span></div>\n`;
}

function checkedTile(tile: Tile, check: ReportCheck): Tile {
  if (check.kind === "failed") {
    return { name: tile.name, value: "Failed", beside: "the check: do not rely on this plan", mark: "bad" };
  }
  return check.kind === "unchecked" ? { ...tile, beside: [tile.beside, "; not checked again"] } : tile;
}
