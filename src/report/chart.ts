import { writePlan } from "../plan-file/write-plan.js";
import type { ChartSpec } from "./chart-spec.js";
import { type Html, html, plainContent } from "./html.js";
import { type LegendEntry, legendList } from "./legend.js";
import { renderSvg } from "./svg.js";

/** A chart as a page has it: drawn, described in words, in numbers, and as a specification to draw again. */
export interface Chart {
  /** Unlike those of all other charts of the page: letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  /** What is to be seen, in words that do without the picture. */
  readonly description: string;
  readonly spec: ChartSpec;
  readonly numbers: NumberTable;
  /** What its colours and shapes stand for, where there are several. */
  readonly legend?: readonly LegendEntry[];
  /** Over the whole width of a wide page; others stand side by side. */
  readonly isWide?: boolean;
  /** What a narrow screen has in place of a wide picture, where that is not the same one made narrow. */
  readonly narrow?: ChartSpec;
  /** Small multiples: neighbours of one group share its words and its legend. */
  readonly group?: ChartGroup;
}

/** What charts that are drawn alike have in common. */
export interface ChartGroup {
  readonly title: string;
  readonly description: string;
  readonly legend: readonly LegendEntry[];
}

/** The numbers of a chart, in full. */
export interface NumberTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Rows of numbers that a page lists; the specification has all. */
const MAX_ROWS = 300;

/** Charts in their frame: side by side or over the whole width, those of a group under its words. */
export async function chartFrame(charts: readonly Chart[]): Promise<Html | null> {
  if (charts.length === 0) return null;
  const figures: Html[] = [];
  for (let k = 0; k < charts.length; ) {
    const { group } = charts[k] as Chart;
    let end = k + 1;
    while (group !== undefined && charts[end]?.group === group) end++;
    const drawn: Html[] = [];
    for (const chart of charts.slice(k, end)) drawn.push(await chartFigure(chart));
    figures.push(group === undefined ? html`${drawn}` : groupFrame(group, drawn));
    k = end;
  }
  return html`<div class="charts">${figures}</div>`;
}

function groupFrame({ title, description, legend }: ChartGroup, figures: readonly Html[]): Html {
  return html`<div class="group"><h3>${title}</h3><p class="muted">${description}</p>${legendList(legend)}<div class="multiples">${figures}</div></div>`;
}

/** A chart with its words, numbers and specification. */
export async function chartFigure(chart: Chart): Promise<Html> {
  const { id, title, description, numbers, spec, legend = [], isWide = false, group } = chart;
  const drawn = await pictureOf(chart);
  const caption =
    group === undefined
      ? html`<figcaption><h3>${title}</h3><p>${description}</p></figcaption>\n${legendList(legend)}`
      : html`<figcaption><h4>${title}</h4></figcaption>`;
  return html`<figure class="${group !== undefined ? "chart small" : isWide ? "chart wide" : "chart"}" id="${id}">
${caption}<div class="drawing">${drawn}</div>
<details><summary>Numbers</summary>${numberTable(numbers)}</details>
<details><summary>Specification</summary><pre class="spec">${plainContent(specText(spec))}</pre></details>
</figure>
`;
}

/** Beyond so many characters a specification is on one line. */
const MAX_LAID_OUT = 50_000;

function specText(spec: ChartSpec): string {
  const text = JSON.stringify(spec);
  return text.length > MAX_LAID_OUT ? text : writePlan(spec).trimEnd();
}

async function pictureOf({ id, title, description, spec, narrow }: Chart): Promise<Html> {
  try {
    const svg = await renderSvg(spec, { id, title, description });
    if (spec.width !== WIDE && narrow === undefined) return svg;
    // What a narrow screen has in its place; a picture that is wider than the page is moved about there.
    const own = narrow ?? { ...spec, width: TELEPHONE };
    const small = await renderSvg(own, { id: `${id}-narrow`, title, description });
    return html`<div class="on-wide">${svg}</div><div class="on-narrow">${small}</div>`;
  } catch {
    // Vega stumbles over some values that no plan of this program has, such as a method with the name `toString`.
    return html`<p>No picture can be drawn of what the plan file says here.</p>`;
  }
}

function numberTable({ head, rows }: NumberTable): Html {
  const rest = rows.length - MAX_ROWS;
  const more = rest > 0 ? html`<p>${rest} more rows are in the specification.</p>` : null;
  const cell = (value: string | number) =>
    typeof value === "number" ? html`<td class="number">${value}</td>` : html`<td>${value}</td>`;
  return html`<div class="scroll"><table><thead><tr>${head.map((text) => html`<th>${text}</th>`)}</tr></thead>
<tbody>${rows.slice(0, MAX_ROWS).map((row) => html`<tr>${row.map(cell)}</tr>\n`)}</tbody></table></div>${more}`;
}

/** The head of a specification that is `height` pixels high and as wide as its figure. */
export function specHead(height: number, isWide = false): ChartSpec {
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width: isWide ? WIDE : NARROW,
    height,
    autosize: { type: "fit-x", contains: "padding" },
  };
}

/** The colours of a field's values, as a legend has them. */
export function colouredBy(field: string, legend: readonly Pick<LegendEntry, "name" | "colour">[]) {
  return encodedBy(
    field,
    legend,
    legend.map((each) => each.colour),
  );
}

/** Their marks. */
export function shapedBy(field: string, legend: readonly Pick<LegendEntry, "name" | "mark">[]) {
  return encodedBy(
    field,
    legend,
    legend.map(({ mark }) => mark),
  );
}

function encodedBy(field: string, legend: readonly { readonly name: string }[], range: readonly unknown[]) {
  return { field, type: "nominal", scale: { domain: legend.map(({ name }) => name), range } };
}

/** The height of a chart with so many bars, one below the other. */
export function barsHeight(bars: number): number {
  return bars * 26;
}

const NARROW = 460;
const WIDE = 1080;
const TELEPHONE = 380;

/** A text as a literal of Vega's expressions: data there, never code, whatever it holds. */
export function vegaLiteral(text: string): string {
  // Vega's parser ends a line at two characters that JSON leaves as they are.
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`);
}

/** The unit in which bytes up to `most` are plotted, and how many bytes it is. */
export function byteUnit(most: number): { readonly unit: string; readonly size: number } {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  const power = most >= 1024 ? Math.min(Math.floor(Math.log2(most) / 10), units.length - 1) : 0;
  return { unit: units[power] as string, size: 1024 ** power };
}

/** Every k-th of a list that is longer than `most`, its first and its last among them. */
export function thinned<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, k) => list[Math.round((k * (list.length - 1)) / (most - 1))] as T);
}

/** The least and the most of some numbers, of however many there are; 0 and 0 of none. */
export function extremes(numbers: readonly number[]): readonly [least: number, most: number] {
  const [first = 0] = numbers;
  return numbers.reduce<[number, number]>(
    ([low, high], each) => [Math.min(low, each), Math.max(high, each)],
    [first, first],
  );
}
