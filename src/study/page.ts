import type { Tile } from "../facts/tiles.js";
import { EXACT_METHOD } from "../plan-file/method-names.js";
import { chartFigure } from "../report/chart.js";
import { type Html, html } from "../report/html.js";
import { factList, pageTable, tileRow } from "../report/section.js";
import { pageShell } from "../report/shell.js";
import { pictureSvg } from "../report/svg.js";
import { methodName } from "../text/optimality.js";
import { aboveText, count, percent, significant } from "../text/units.js";
import { studyCharts } from "./charts.js";
import type { StudyFile } from "./job.js";
import { type KindOfRows, kindsOf } from "./kinds.js";
import { type Cells, METHODS_CAPTION, methodsTable } from "./methods-table.js";
import { leadOf, type MethodPair, PAIRS_CAPTION, pairsOf, pairsTable } from "./pairs.js";
import type { Row } from "./row.js";
import { type StandingFact, standingOf } from "./standing.js";
import { byProblem, groupedBy, isShown, type MethodSummary, summaries, worstRows } from "./summary.js";
import { variedText } from "./table.js";

/** Instances that are listed of each method that is far from the bound. */
const WORST = 3;

/** The charts of the page, each to be a file of its own, by name. */
export async function studyPictures(rows: readonly Row[]): Promise<readonly (readonly [name: string, svg: string])[]> {
  const pictures: (readonly [string, string])[] = [];
  for (const { problem, rows: ofProblem } of byProblem(rows)) {
    for (const { id, spec } of studyCharts(ofProblem, summaries(ofProblem).filter(isShown), problem)) {
      pictures.push([`${id}.svg`, await pictureSvg(spec)]);
    }
  }
  return pictures;
}

/** The page of a study: per problem the methods in numbers, charts, and where each is worst. */
export async function studyPage(study: StudyFile, rows: readonly Row[]): Promise<string> {
  const sections: Html[] = [];
  for (const [k, one] of byProblem(rows).entries()) sections.push(await problemSection(one, `problem-${k}`));
  const source = study.source === undefined ? null : html`<p>${study.source}</p>`;
  const body = html`<div class="overview"><h1>${study.study}</h1>${source}
${standing(rows)}</div>
${sections}`;
  const footer = html`Made by shardproof study collect. Every bound here was derived in exact arithmetic, and every result checked again as
this page was made. Seconds are of the machines that made the plans; nothing else here depends on a clock, but for plans that a time limit
ended. The charts' specifications are Vega-Lite.`;
  return pageShell({ title: study.study, generator: "shardproof study", body, footer });
}

function standing(rows: readonly Row[]): Html {
  const marked = ({ text, isBad }: StandingFact) => (isBad ? html`<span class="bad">${text}</span>` : html`${text}`);
  return html`<div class="box">${factList(standingOf(rows).map((fact) => [fact.name, marked(fact)]))}</div>`;
}

async function problemSection({ problem, rows }: ReturnType<typeof byProblem>[number], id: string): Promise<Html> {
  const methods = summaries(rows);
  const figures: Html[] = [];
  for (const chart of studyCharts(rows, methods.filter(isShown), id)) figures.push(await chartFigure(chart));
  return html`<section class="plan" id="${id}"><h2>${problem}</h2>
${tileRow(studyTiles(methods, pairsOf(rows)), null)}
<p class="muted">${METHODS_CAPTION}.</p>
${kindsOf(rows).map(kindTable)}
<div class="charts">${figures}</div>
${worstTable(rows)}
</section>
`;
}

function kindTable({ title, rows }: KindOfRows): Html {
  const tableOf = (caption: string, { head, lines, align }: Cells) => pageTable(caption, head, lines, align);
  const methods = methodsTable(summaries(rows), true);
  const below = methods.never === null ? null : html`<p class="muted">${methods.never}.</p>`;
  const pairs = pairsTable(pairsOf(rows));
  const beside =
    pairs.lines.length === 0 ? null : html`<p class="muted">${PAIRS_CAPTION}.</p>${tableOf(`${title}: pairs`, pairs)}`;
  return html`${tableOf(title, methods)}${below}${beside}
`;
}

function worstTable(rows: readonly Row[]): Html | null {
  const worst = groupedBy(rows, ({ line }) => line.method).flatMap((group) => worstRows(group, WORST));
  if (worst.length === 0) return null;
  const varied = [...new Set(rows.flatMap(({ line }) => Object.keys(line.vary)))];
  const lines = worst.map(({ line, above, value, provedBound, number }) => [
    methodName(line.method),
    line.instance.name,
    ...varied.map((key) => variedText(line.vary[key]) ?? ""),
    aboveText(above ?? 0),
    significant(value ?? 0, 6),
    significant(provedBound ?? 0, 6),
    String(number),
  ]);
  const head = ["method", "instance", ...varied, "above", "value", "proved bound", "line"];
  return pageTable("Where each method is worst", head, lines, `ll${"l".repeat(varied.length)}rrrr`);
}

/** What a study comes to for one problem, in large type: how much is proved, and which other method is nearest to it. */
export function studyTiles(methods: readonly MethodSummary[], pairs: readonly MethodPair[] = []): readonly Tile[] {
  const exact = methods.find(({ method }) => method === EXACT_METHOD);
  const others = methods.filter((one) => one.method !== EXACT_METHOD && isShown(one) && one.applicable > 0);
  return [...(exact === undefined ? [] : [provedTile(exact)]), ...oftenTile(others), ...nearestTiles(others, pairs)];
}

function provedTile({ optimal, applicable }: MethodSummary): Tile {
  const isAll = optimal === applicable && applicable > 0;
  return {
    name: "proved optima",
    value: `${count(optimal)} of ${count(applicable)}`,
    beside: isAll ? "each proof checked again" : "of the others, plans and bounds",
    ...(isAll ? { mark: "good" as const } : {}),
  };
}

/** The method that is most often at the proved bound. */
function oftenTile(methods: readonly MethodSummary[]): readonly Tile[] {
  const most = best(methods, (one) => [-one.optimal]);
  if (most === null || most.optimal === 0) return [];
  const beside = `of ${methodName(most.method)}'s instances: no other is optimal as often`;
  return [{ name: "a heuristic is optimal on", value: percent(most.optimal / most.applicable), beside }];
}

/**
 * The method that finds plans for most instances; of those that find as many the one that is nearer to the bound than most others,
 * two at a time, and then the nearest in the mean.
 */
function nearestTiles(methods: readonly MethodSummary[], pairs: readonly MethodPair[]): readonly Tile[] {
  const bounded = methods.filter(({ gaps }) => gaps !== null);
  const nearest = best(bounded, ({ method, plans, gaps }) => [-plans, -leadOf(method, pairs), gaps?.mean ?? 0]);
  if (nearest === null || nearest.gaps === null) return [];
  const { mean, worst } = nearest.gaps;
  const found = `plans for ${count(nearest.plans)} of ${count(nearest.applicable)}`;
  return [
    {
      name: "the heuristic with most plans, mean",
      value: mean > 9 ? aboveText(mean) : `+${percent(mean)}`,
      beside: `${methodName(nearest.method)}, ${found}`,
    },
    {
      name: "at worst",
      value: worst > 9 ? aboveText(worst) : `+${percent(worst)}`,
      beside: "of the same, above the proved bound",
    },
  ];
}

/** The first by its keys, least first. */
function best(
  methods: readonly MethodSummary[],
  keysOf: (one: MethodSummary) => readonly number[],
): MethodSummary | null {
  const [first = null] = [...methods].sort((a, b) => {
    const other = keysOf(b);
    return keysOf(a).reduce((order, key, k) => order || key - (other[k] as number), 0);
  });
  return first;
}
