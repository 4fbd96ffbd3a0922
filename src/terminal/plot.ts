/** Points that are drawn with one character. Of marks in one place, the last series' is seen. */
export interface PlotSeries {
  readonly mark: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** How the mark is painted; by default as it is. */
  readonly paint?: (mark: string) => string;
}

export interface PlotFrame {
  readonly x: readonly [low: number, high: number];
  readonly y: readonly [low: number, high: number];
  readonly xLabel: (value: number) => string;
  readonly yLabel: (value: number) => string;
  /** Columns of the lines that the plot may have, axes and labels included; default as many as it takes. */
  readonly room?: number;
}

const MAX_COLUMNS = 72;
const MIN_COLUMNS = 24;
const HEIGHT = 20;
const INDENT = 2;

/** Columns of a plot, and the place of each on the x axis: where a curve is to be sampled. */
export function plotColumns(frame: Omit<PlotFrame, "xLabel">): readonly number[] {
  const [low, high] = frame.x;
  const width = widthOf(frame);
  return Array.from({ length: width }, (_, k) => low + ((high - low) * k) / (width - 1));
}

/** As many as there is room for beside the labels and the axis. */
function widthOf({ room = Number.POSITIVE_INFINITY, ...frame }: Omit<PlotFrame, "x" | "xLabel">): number {
  return Math.max(MIN_COLUMNS, Math.min(MAX_COLUMNS, room - INDENT - labelWidth(frame) - 2));
}

function labelWidth(frame: Pick<PlotFrame, "y" | "yLabel">): number {
  return Math.max(...TICKS.map((row) => labelOf(row, frame).length));
}

/** Rows with a label, from the top. */
const TICKS = [0, Math.floor((HEIGHT - 1) / 2), HEIGHT - 1];

/** A plot in plain characters, with both axes; what lies outside of the frame is left out. */
export function plot(frame: PlotFrame, series: readonly PlotSeries[]): string {
  const columns = widthOf(frame);
  const cells = Array.from({ length: HEIGHT }, () => new Array<string>(columns).fill(" "));
  for (const { mark, points, paint = (text: string) => text } of series) {
    for (const [x, y] of points) {
      const column = place(x, frame.x, columns);
      const row = place(y, frame.y, HEIGHT);
      const line = row === null ? undefined : cells[HEIGHT - 1 - row];
      if (line !== undefined && column !== null) line[column] = paint(mark);
    }
  }
  const ticks = new Map(TICKS.map((row) => [row, labelOf(row, frame)]));
  const width = labelWidth(frame);
  const lines = cells.map((line, row) => {
    const tick = ticks.get(row);
    return `${(tick ?? "").padStart(width)} ${tick === undefined ? "│" : "┤"}${line.join("")}`.trimEnd();
  });
  const [left, middle, right] = [0, 0.5, 1].map((share) =>
    frame.xLabel(frame.x[0] + share * (frame.x[1] - frame.x[0])),
  );
  const rest = columns - (left as string).length - (middle as string).length - (right as string).length;
  const gap = " ".repeat(Math.max(1, Math.floor(rest / 2)));
  const axis = `${" ".repeat(width + 1)}└${"─".repeat(columns)}`;
  return [...lines, axis, `${" ".repeat(width + 2)}${left}${gap}${middle}${gap}${right}`]
    .map((line) => `${" ".repeat(INDENT)}${line}`)
    .join("\n");
}

function labelOf(row: number, { y: [low, high], yLabel }: Pick<PlotFrame, "y" | "yLabel">): string {
  return yLabel(low + ((high - low) * (HEIGHT - 1 - row)) / (HEIGHT - 1));
}

/** The cell of a value on an axis; `null` outside of it. */
function place(value: number, [low, high]: readonly [number, number], size: number): number | null {
  if (!(value >= low && value <= high)) return null;
  return high === low ? 0 : Math.round(((value - low) / (high - low)) * (size - 1));
}
