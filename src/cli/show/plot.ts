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
}

const WIDTH = 72;
const HEIGHT = 20;

/** Columns of a plot, and the place of each on the x axis: where a curve is to be sampled. */
export function plotColumns({ x: [low, high] }: Pick<PlotFrame, "x">): readonly number[] {
  return Array.from({ length: WIDTH }, (_, k) => low + ((high - low) * k) / (WIDTH - 1));
}

/** A plot in plain characters, with both axes; what lies outside of the frame is left out. */
export function plot(frame: PlotFrame, series: readonly PlotSeries[]): string {
  const cells = Array.from({ length: HEIGHT }, () => new Array<string>(WIDTH).fill(" "));
  for (const { mark, points, paint = (text: string) => text } of series) {
    for (const [x, y] of points) {
      const column = place(x, frame.x, WIDTH);
      const row = place(y, frame.y, HEIGHT);
      const line = row === null ? undefined : cells[HEIGHT - 1 - row];
      if (line !== undefined && column !== null) line[column] = paint(mark);
    }
  }
  const ticks = new Map([0, Math.floor((HEIGHT - 1) / 2), HEIGHT - 1].map((row) => [row, labelOf(row, frame)]));
  const width = Math.max(...[...ticks.values()].map((label) => label.length));
  const lines = cells.map((line, row) => {
    const tick = ticks.get(row);
    return `${(tick ?? "").padStart(width)} ${tick === undefined ? "│" : "┤"}${line.join("")}`.trimEnd();
  });
  const [left, middle, right] = [0, 0.5, 1].map((share) =>
    frame.xLabel(frame.x[0] + share * (frame.x[1] - frame.x[0])),
  );
  const rest = WIDTH - (left as string).length - (middle as string).length - (right as string).length;
  const gap = " ".repeat(Math.max(1, Math.floor(rest / 2)));
  const axis = `${" ".repeat(width + 1)}└${"─".repeat(WIDTH)}`;
  return [...lines, axis, `${" ".repeat(width + 2)}${left}${gap}${middle}${gap}${right}`]
    .map((line) => `  ${line}`)
    .join("\n");
}

function labelOf(row: number, { y: [low, high], yLabel }: PlotFrame): string {
  return yLabel(low + ((high - low) * (HEIGHT - 1 - row)) / (HEIGHT - 1));
}

/** The cell of a value on an axis; `null` outside of it. */
function place(value: number, [low, high]: readonly [number, number], size: number): number | null {
  if (!(value >= low && value <= high)) return null;
  return high === low ? 0 : Math.round(((value - low) / (high - low)) * (size - 1));
}
