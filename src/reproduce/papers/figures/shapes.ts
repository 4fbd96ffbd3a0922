import { barsHeight, type Chart, colouredBy, shapedBy, specHead } from "../../../report/chart.js";
import type { LegendMark } from "../../../report/legend.js";
import { colour } from "../../../report/palette.js";
import type { ChartText } from "../../../report/svg.js";

/** A series of a figure, as it is drawn and in the legend. */
export interface Series {
  readonly name: string;
  readonly colour: string;
  readonly mark: LegendMark;
}

/** Ours and the paper's, alike in all figures. */
export const OURS: Series = { name: "ours", colour: colour.blue, mark: "circle" };
export const PAPER: Series = { name: "the paper", colour: colour.vermilion, mark: "diamond" };

/** An axis of numbers. */
export interface Axis {
  readonly title: string;
  readonly scale?: object;
  readonly axis?: object;
}

export interface Point {
  readonly series: string;
  readonly x: number;
  readonly y: number;
  /** Shown where one points. */
  readonly text: string;
}

/** A level that the paper gives, drawn across. */
export interface Level {
  readonly y: number;
  readonly text: string;
}

/** Lines with their points, and levels across. */
export function lineFigure(
  words: ChartText,
  series: readonly Series[],
  points: readonly Point[],
  { x, y }: { readonly x: Axis; readonly y: Axis },
  { levels = [], hasPoints = true, height = 230 }: LineOptions = {},
): Chart {
  const used = series.filter(({ name }) => points.some((point) => point.series === name));
  const encoding = {
    x: { field: "x", type: "quantitative", ...axisOf(x) },
    y: { field: "y", type: "quantitative", ...axisOf(y) },
    color: colouredBy("series", series),
  };
  return {
    ...words,
    legend: [
      ...(used.length > 1 || levels.length > 0 ? used : []).map(({ mark, ...rest }) => ({
        ...rest,
        mark: hasPoints ? mark : ("line" as const),
      })),
      ...onlyIf(levels.length > 0, { name: "the paper's text", colour: PAPER.colour, mark: "dashes" as const }),
    ],
    spec: {
      ...specHead(height),
      layer: [
        {
          data: { values: points },
          encoding,
          layer: [
            { mark: { type: "line", strokeWidth: 2 }, encoding: { order: { field: "x" } } },
            ...onlyIf(hasPoints, {
              mark: { type: "point", filled: true, size: 55, opacity: 1 },
              encoding: { shape: shapedBy("series", series), description: { field: "text" } },
            }),
          ],
        },
        ...onlyIf(levels.length > 0, {
          data: { values: levels.map(({ y: level, text }) => ({ level, text })) },
          mark: { type: "rule", color: PAPER.colour, strokeWidth: 2, strokeDash: [6, 3] },
          encoding: { y: { field: "level", type: "quantitative" }, description: { field: "text" } },
        }),
      ],
    },
    numbers: {
      head: ["", x.title, y.title],
      rows: [
        ...points.map((point): [string, number, number] => [point.series, point.x, point.y]),
        ...levels.map((level): [string, string, number] => [level.text, "", level.y]),
      ],
    },
  };
}

interface LineOptions {
  readonly levels?: readonly Level[];
  readonly hasPoints?: boolean;
  readonly height?: number;
}

function onlyIf<T>(isThere: boolean, one: T): readonly T[] {
  return isThere ? [one] : [];
}

export interface Dot {
  readonly row: string;
  readonly series: string;
  readonly value: number;
  readonly text: string;
}

/** The mark of a series in a row; none where it has no value. */
export function dotsOf(
  { name }: Series,
  row: string,
  value: number | null | undefined,
  text: (value: number) => string,
): readonly Dot[] {
  return value == null ? [] : [{ row, series: name, value, text: text(value) }];
}

/** A line for each name, with a mark for each series; `isBar` where the first series is drawn as bars from 0. */
export function dotFigure(
  words: ChartText,
  series: readonly Series[],
  dots: readonly Dot[],
  axis: Axis,
  { isBar = false, spreads = [] }: DotOptions = {},
): Chart {
  const rows = [...new Set(dots.map(({ row }) => row))];
  const [first, ...others] = series as readonly [Series, ...Series[]];
  const marked = isBar ? others : series;
  const y = { field: "row", type: "nominal", sort: rows, title: null, axis: { labelLimit: 300 } };
  const x = { field: "value", type: "quantitative", ...axisOf(axis) };
  const of = (wanted: readonly Series[]) => dots.filter((dot) => wanted.some(({ name }) => name === dot.series));
  return {
    ...words,
    legend: series.map(({ mark, ...rest }, k) => ({ ...rest, mark: isBar && k === 0 ? "square" : mark })),
    spec: {
      ...specHead(Math.max(110, barsHeight(rows.length))),
      layer: [
        ...onlyIf(isBar, {
          data: { values: of([first]) },
          mark: { type: "bar", color: first.colour, height: 15 },
          encoding: { y, x, description: { field: "text" } },
        }),
        ...onlyIf(spreads.length > 0, {
          data: { values: spreads },
          mark: { type: "rule", color: colour.text, strokeWidth: 1.5 },
          encoding: { y, x: { field: "from", type: "quantitative" }, x2: { field: "to" } },
        }),
        {
          data: { values: of(marked) },
          mark: { type: "point", filled: true, size: 85, opacity: 1 },
          encoding: {
            ...{ y, x, description: { field: "text" } },
            color: colouredBy("series", marked),
            shape: shapedBy("series", marked),
          },
        },
      ],
    },
    numbers: {
      head: ["", ...series.map(({ name }) => name)],
      rows: rows.map((row) => [
        row,
        ...series.map(({ name }) => dots.find((dot) => dot.row === row && dot.series === name)?.value ?? ""),
      ]),
    },
  };
}

interface DotOptions {
  readonly isBar?: boolean;
  /** From one deviation below the mean to one above. */
  readonly spreads?: readonly { readonly row: string; readonly from: number; readonly to: number }[];
}

function axisOf({ title, scale, axis }: Axis): object {
  return { title, ...(scale === undefined ? {} : { scale }), axis: { tickCount: 5, ...axis } };
}

/** What the paper has as a picture alone. */
export const OURS_ALONE = "The paper's figure has no numbers: drawn from ours alone.";
