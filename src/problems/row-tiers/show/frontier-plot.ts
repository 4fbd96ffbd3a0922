import { firstFrom } from "../../../exact/first-from.js";
import { type PlotSeries, plot, plotColumns } from "../../../terminal/plot.js";
import { list, paint, terminalColumns } from "../../../terminal/table.js";
import type { ByteScale } from "../../../text/byte-scale.js";
import { pointsName } from "../../../text/optimality.js";
import { plotTop } from "../../../text/plot-range.js";
import { significant } from "../../../text/units.js";
import type { FrontierReport } from "../frontier/report.js";

const MARKS: Readonly<Record<string, readonly [mark: string, text: string]>> = {
  "flexshard-2tier": ["2", "2-tier"],
  "flexshard-3tier": ["3", "3-tier"],
  "recshard-like": ["r", "RecShard-like"],
};

/** Memory on x, milliseconds on y: the relaxation's curve, the optima, the greedy frontiers, A to D. */
export function frontierPlot(report: FrontierReport, { unit, text }: ByteScale): string {
  const { optimal, greedyByMethod, points } = report;
  const x = memoryRange(report);
  const at = ({ bytesPerGpu, value }: { bytesPerGpu: number; value: number }) => [bytesPerGpu, value * 1000] as const;
  const curveAt = (column: number) => [column, heightAt(report, column) * 1000] as const;
  // A curve that falls is highest and lowest at its ends.
  const ends = [...x.map(curveAt), ...report.breakPoints.filter(isIn(x)).map(at)];
  const greedy = Object.entries(greedyByMethod).flatMap(([method, { points: own }]): PlotSeries[] => {
    const drawn = own.flatMap(({ bytesPerGpu, value }) => (value === null ? [] : [at({ bytesPerGpu, value })]));
    const [mark] = MARKS[method] ?? ["g", method];
    return drawn.length === 0 ? [] : [{ mark, points: drawn, paint: paint.yellow }];
  });
  const marks = Object.entries(points ?? {}).map(
    ([name, point]): PlotSeries => ({ mark: name.toUpperCase(), points: [at(point)], paint: paint.cyan }),
  );
  const optima: PlotSeries = { mark: "o", points: optimal.map(at), paint: paint.green };
  const values = [...ends, ...optima.points, ...greedy.flatMap((series) => series.points)].map(([, value]) => value);
  const inside = marks.flatMap((series) => series.points).filter(([bytes_]) => bytes_ >= x[0] && bytes_ <= x[1]);
  const y = [least(values), plotTop([...values, ...inside.map(([, value]) => value)])] as const;
  const frame = {
    x,
    y,
    xLabel: (value: number) => `${text(value)} ${unit}`,
    yLabel: (value: number) => `${significant(value, 4)} ms`,
    room: terminalColumns(),
  };
  const curve = plotColumns(frame).map(curveAt);
  // The optima and A to D last, so that nothing covers them.
  const drawn = plot(frame, [{ mark: "·", points: curve, paint: paint.dim }, ...greedy, optima, ...marks]);
  return `${drawn}\n\n${list(legend(report, x, y), "   ")}`;
}

/** From the least memory to the last point that is not far beyond where the curve is level: one's own budget may be. */
function memoryRange({ breakPoints, optimal }: FrontierReport): readonly [number, number] {
  const curve = breakPoints.map(({ bytesPerGpu }) => bytesPerGpu);
  const [low, high] = [least(curve), most(curve)];
  const limit = high + (high - low) * MAX_BEYOND;
  return [low, most([high, ...optimal.map(({ bytesPerGpu }) => bytesPerGpu).filter((bytes) => bytes <= limit)])];
}

const MAX_BEYOND = 0.5;

type Range = readonly [number, number];

function isWithin([low, high]: Range, value: number): boolean {
  return value >= low && value <= high;
}

function legend({ optimal, greedyByMethod, points }: FrontierReport, x: Range, y: Range): readonly string[] {
  const parts = ["· relaxation", ...(optimal.length === 0 ? [] : [`o ${pointsName(optimal)}`])];
  for (const [method, { points: own }] of Object.entries(greedyByMethod)) {
    const [mark, text] = MARKS[method] ?? ["g", method];
    if (own.some(({ value }) => value !== null)) parts.push(`${mark} ${text}`);
  }
  const outside = Object.entries(points ?? {})
    .filter(([, { bytesPerGpu, value }]) => !isWithin(x, bytesPerGpu) || !isWithin(y, value * 1000))
    .map(([name]) => name.toUpperCase());
  if (points !== null) parts.push(`A–D points${outside.length === 0 ? "" : ` (${outside.join(", ")} outside)`}`);
  return parts.map((part) => paint.dim(part));
}

/** The relaxation's curve at a memory, in doubles. */
function heightAt({ breakPoints }: FrontierReport, bytes: number): number {
  const low = Math.max(0, firstFrom(breakPoints.length, (k) => (breakPoints[k]?.bytesPerGpu ?? 0) > bytes) - 1);
  const [from, to] = [breakPoints[low], breakPoints[low + 1]];
  if (from === undefined) return Number.NaN;
  if (to === undefined || to.bytesPerGpu === from.bytesPerGpu) return from.value;
  const share = Math.max(0, (bytes - from.bytesPerGpu) / (to.bytesPerGpu - from.bytesPerGpu));
  return from.value + share * (to.value - from.value);
}

function isIn([low, high]: readonly [number, number]): (point: { readonly bytesPerGpu: number }) => boolean {
  return ({ bytesPerGpu }) => bytesPerGpu >= low && bytesPerGpu <= high;
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b));
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b));
}
