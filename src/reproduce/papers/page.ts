import type { Tile } from "../../facts/tiles.js";
import { barsHeight, type Chart, chartFrame, specHead } from "../../report/chart.js";
import { type Html, html } from "../../report/html.js";
import { colour } from "../../report/palette.js";
import { drawnTable, tileRow } from "../../report/section.js";
import { pageShell } from "../../report/shell.js";
import { count, some } from "../../text/units.js";
import { VERDICTS, type Verdict } from "../published-number.js";
import { parted, type Tally, tallyOf, tallyText } from "./numbers.js";
import type { Reproduced } from "./paper.js";
import { figuresOf, type PaperShown, shownPaper } from "./paper.js";
import type { PaperSection } from "./section.js";

/**
 * One self-contained page of papers' figures and numbers beside ours: what holds, what does not, and what cannot be checked. The
 * words and numbers are the terminal's. The same reproductions give the same bytes.
 */
export async function papersPage(reproductions: readonly Reproduced[]): Promise<string> {
  const papers = reproductions.map(shownPaper);
  const only = papers.length === 1 ? papers[0] : undefined;
  const names = papers.map(({ name }) => name).join(", ");
  const sections: Html[] = [];
  for (const [k, reproduced] of reproductions.entries()) {
    const shown = papers[k] as PaperShown;
    const figures = await figuresOf(reproduced);
    sections.push(await paperSection(shown, only === undefined ? [placesChart(shown), ...figures] : figures));
  }
  const body = html`<div class="overview"><h1>${names}: published and here</h1>
<p class="answer">${answerOf(papers)}</p>
${tileRow(tilesOf(papers), PASSED)}
${contents(papers)}${await chartFrame(only === undefined ? [papersChart(papers)] : [placesChart(only)])}</div>
${sections}`;
  const footer = html`Made by shardproof reproduce, whose terminal says the same. Point at a mark of a chart for its number. What is proved was
checked in exact arithmetic in the run that made this page; everything else is computed, and said to be. The charts' specifications are
Vega-Lite.`;
  return pageShell({ title: `${names}: published and here`, generator: "shardproof reproduce", body, footer });
}

const PASSED = { kind: "passed", checks: [], notChecked: [] } as const;

/** The one sentence at the top. */
function answerOf(papers: readonly PaperShown[]): string {
  const { numbers, statements } = parted(papers.flatMap((paper) => paper.numbers));
  const { all, holds, ...others } = tallyOf(numbers);
  if (all === 0) return `${tallyText(tallyOf(statements), "statement")}.`.replace(/^./, (first) => first.toUpperCase());
  const checked = holds + others["does not hold"];
  const rest = `${count(others["cannot be checked"])} of ${count(all)} cannot be checked here`;
  if (checked === 0) return `None of the ${some(all, "published number")} can be set beside ours: their order can.`;
  return `${count(holds)} of the ${some(checked, "published number")} that can be set beside ours repeat, and ${count(others["does not hold"])} do not; ${rest}.`;
}

function tilesOf(papers: readonly PaperShown[]): readonly Tile[] {
  const all = papers.flatMap(({ numbers }) => numbers);
  const { numbers, statements } = parted(all);
  const [ofNumbers, ofStatements] = [tallyOf(numbers), tallyOf(statements)];
  const proved = statements.filter((each) => each.proved).length;
  const [open, unreached] = [ofNumbers["cannot be checked"], ofStatements["cannot be checked"]];
  return [
    {
      name: "published numbers that repeat",
      value: count(ofNumbers.holds),
      beside: `of ${count(ofNumbers.all - open)} that can be checked here`,
      ...(ofNumbers.holds > 0 ? { mark: "good" as const } : {}),
    },
    {
      name: "that do not",
      value: count(ofNumbers["does not hold"]),
      beside: ofNumbers["does not hold"] === 0 ? "none" : "each listed with how far it is off",
      ...(ofNumbers["does not hold"] > 0 ? { mark: "bad" as const } : {}),
    },
    {
      name: "statements of the text",
      value: `${count(ofStatements.holds)} of ${count(ofStatements.all)}`,
      beside: unreached === 0 ? "hold" : `hold; ${count(unreached)} were not reached`,
    },
    {
      name: "held against a proved optimum",
      value: proved === 0 ? "None" : `${count(proved)} of ${count(all.length)}`,
      beside:
        proved === 0 ? "all of it is computed" : "numbers and statements; the others, against what is computed here",
    },
  ];
}

/** Links to the papers, where there are several. */
function contents(papers: readonly PaperShown[]): Html | null {
  if (papers.length === 1) return null;
  const links = papers.map(({ paper, name, numbers }) => {
    const of = parted(numbers);
    const isPaper = of.numbers.length > 0;
    const tally = tallyText(tallyOf(isPaper ? of.numbers : of.statements), isPaper ? "number" : "statement");
    return html`<li><a href="#${paper}">${name}</a> <span class="muted">${tally}</span></li>\n`;
  });
  return html`<ul class="legend">${links}</ul>`;
}

async function paperSection(
  { paper, name, source, note, sections }: PaperShown,
  figures: readonly Chart[],
): Promise<Html> {
  const [open, folded] = [sections.filter(isOpen), sections.filter((section) => !isOpen(section))];
  const missing = sections.filter(({ parts }) => parts === null).map(({ title }) => title);
  const left =
    missing.length === 0
      ? null
      : html`<p><strong class="bad">Not reached in the time limit:</strong> ${missing.join("; ")}.</p>`;
  return html`<section class="plan" id="${paper}"><h2>${name}</h2>
<p class="muted">${source}</p>
${note === null ? null : html`<p>${note}</p>`}${left}
${open.map((section) => html`<div id="${paper}-${section.id}"><h3>${section.title}</h3>${partsOf(section)}</div>`)}
${await chartFrame(figures)}
${folded.map(
  (section) =>
    html`<details class="box" id="${paper}-${section.id}"><summary><h3>${section.title}</h3></summary>${partsOf(section)}</details>\n`,
)}
</section>
`;
}

/** What does not hold is read first; tables are behind the figures. */
function isOpen({ id }: PaperSection): boolean {
  return id === "failing";
}

function partsOf({ parts }: PaperSection): readonly Html[] {
  return (parts ?? []).flatMap((part) => {
    if ("matrix" in part) return [];
    return "lines" in part ? part.lines.map((line) => html`<p>${line}</p>\n`) : [drawnTable(part)];
  });
}

const COLOURS: Readonly<Record<Verdict, string>> = {
  holds: colour.green,
  "does not hold": colour.vermilion,
  "cannot be checked": colour.grey,
};

/** What the numbers and statements of each paper come to. */
function papersChart(papers: readonly PaperShown[]): Chart {
  const rows = papers.map(({ name, numbers }) => ({ row: name, tally: tallyOf(numbers) }));
  return tallyChart({ id: "verdicts", title: "What holds, by paper" }, rows);
}

/** What those of one paper come to, by table, figure and section. */
function placesChart({ paper, numbers }: PaperShown): Chart {
  const rows = [...new Set(numbers.map(({ where }) => where))].map((where) => ({
    row: where,
    tally: tallyOf(numbers.filter((each) => each.where === where)),
  }));
  return tallyChart({ id: `${paper}-verdicts`, title: "What holds, by table and figure" }, rows);
}

function tallyChart(
  { id, title }: Pick<Chart, "id" | "title">,
  rows: readonly { readonly row: string; readonly tally: Tally }[],
): Chart {
  const values = rows.flatMap(({ row, tally }) =>
    VERDICTS.flatMap((verdict, order) => {
      const number = tally[verdict];
      return number === 0 ? [] : [{ row, verdict, number, order, text: `${row}: ${number} ${WORDS[verdict]}` }];
    }),
  );
  return {
    id,
    title,
    description: "Numbers and statements that hold here, that do not, and that cannot be checked.",
    isWide: true,
    legend: VERDICTS.map((verdict) => ({ name: verdict, colour: COLOURS[verdict] })),
    spec: {
      ...specHead(Math.round(barsHeight(rows.length) * 0.85) + 20, true),
      data: { values },
      mark: { type: "bar", height: 14 },
      encoding: {
        y: { field: "row", type: "nominal", sort: rows.map(({ row }) => row), title: null, axis: { labelLimit: 300 } },
        x: { field: "number", type: "quantitative", title: "numbers and statements", axis: { tickCount: 8 } },
        color: {
          field: "verdict",
          type: "nominal",
          scale: { domain: VERDICTS, range: VERDICTS.map((verdict) => COLOURS[verdict]) },
        },
        order: { field: "order" },
        description: { field: "text" },
      },
    },
    numbers: {
      head: ["", ...VERDICTS],
      rows: rows.map(({ row, tally }) => [row, ...VERDICTS.map((verdict) => tally[verdict])]),
    },
  };
}

const WORDS: Readonly<Record<Verdict, string>> = {
  holds: "hold",
  "does not hold": "do not hold",
  "cannot be checked": "cannot be checked",
};
