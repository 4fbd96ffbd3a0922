import { barsHeight, type Chart, specHead } from "../../report/chart.js";
import { colour } from "../../report/palette.js";
import { VERDICTS, type Verdict } from "../published-number.js";
import { type Tally, tallyOf } from "./numbers.js";
import type { PaperShown } from "./paper.js";

const COLOURS: Readonly<Record<Verdict, string>> = {
  holds: colour.green,
  "does not hold": colour.vermilion,
  "cannot be checked": colour.grey,
};

/** What the numbers and statements of each paper come to. */
export function papersChart(papers: readonly PaperShown[]): Chart {
  const rows = papers.map(({ name, numbers }) => ({ row: name, tally: tallyOf(numbers) }));
  return tallyChart({ id: "verdicts", title: "What holds, by paper" }, rows);
}

/** What those of one paper come to, by table, figure and section. */
export function placesChart({ paper, numbers }: PaperShown): Chart {
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
