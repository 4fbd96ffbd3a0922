import { byteUnit, type Chart, extremes, specHead } from "../../../report/chart.js";
import type { ChartSpec } from "../../../report/chart-spec.js";
import { colour } from "../../../report/palette.js";
import { byteText } from "../../../report/plan-number.js";
import { known } from "../../../text/known.js";
import { plainUnit } from "../../../text/value-unit.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";
import type { PlacedShard, PlacementCharts } from "./input.js";

/** Parts of bars on one picture: beyond them the smallest shards of a device are one part. */
const MAX_PARTS = 3000;

/** Shards that are less than this share of the longest bar have no part of their own: it would not be seen. */
const MIN_SHARE = 0.008;

/** The kind of a part that stands for many shards. */
const TOGETHER = "smaller ones together";

/** Sharding types with their colours, the same on every page. */
const KIND_COLOURS: Readonly<Record<string, string>> = {
  table_wise: colour.blue,
  row_wise: colour.orange,
  column_wise: colour.green,
  data_parallel: colour.vermilion,
  table_row_wise: colour.purple,
  table_column_wise: colour.sky,
  grid_shard: colour.yellow,
};

function kindColour(kind: string): string {
  return known(KIND_COLOURS, kind) ?? colour.grey;
}

/** Names in the text of a part that stands for many shards. */
const MAX_NAMES = 12;

/** Devices up to which each has its number below its bar. */
const MAX_NUMBERED = 40;

/** Bars of cost and of memory, one for each device, made of the shards that the device holds. */
export function deviceCharts(plan: TablePlacementPlan, charts: PlacementCharts | null, id: string): Chart[] {
  const { deviceCosts, deviceBytes, objective, memory } = plan;
  if (deviceCosts === null || deviceBytes === null) return [];
  const shards = charts?.shards ?? [];
  const isAdditive = shards.length > 0 && shards.every(({ cost }) => cost !== null);
  const largest = deviceCosts.reduce((most, cost) => Math.max(most, cost), 0);
  const slowest = deviceCosts.flatMap((cost, device) => (cost === largest ? [device] : []));
  const named =
    slowest.length > 6
      ? `on ${slowest.length} devices`
      : `on ${slowest.length === 1 ? "device" : "devices"} ${slowest.join(", ")}`;
  const hover = shards.length > 0 ? " Each part of a bar is a table, or a shard of one." : "";
  const { unit, size } = byteUnit(extremes([...deviceBytes, ...(memory.hbmBytesPerGpu ?? [])])[1]);
  const bound = objective.kind === "largest-device-cost" ? objective.bound : null;
  const limits = memory.hbmBytesPerGpu;
  return [
    deviceChart({
      id: `${id}-costs`,
      title: "Cost of each device",
      description:
        `What every device costs.${isAdditive ? hover : ""} The largest, ${plainUnit(objective.unit).text(largest)}, is marked, ${named}.` +
        (bound === null ? "" : " The dashed line is the proved bound."),
      axis: objective.unit === null ? "cost" : `cost, ${objective.unit}`,
      size: 1,
      unit: objective.unit ?? "",
      totals: deviceCosts,
      totalField: "cost",
      parts: isAdditive ? partsOf(shards, deviceCosts.length, ({ cost }) => cost ?? 0) : null,
      marked: slowest,
      lines: bound === null ? [] : [bound],
      limits: null,
    }),
    deviceChart({
      id: `${id}-memory`,
      title: "Memory of each device",
      description:
        `What every device holds in its own memory.${hover}` +
        (limits === null ? " Memory does not limit here." : ` The marks are what each may hold (${rangeOf(limits)}).`),
      axis: `memory, ${unit}`,
      size,
      unit,
      totals: deviceBytes,
      totalField: "bytes",
      parts: shards.length > 0 ? partsOf(shards, deviceBytes.length, ({ hbmBytes }) => hbmBytes) : null,
      marked: [],
      lines: [],
      limits,
    }),
  ];
}

function rangeOf(limits: readonly number[]): string {
  const [low, high] = extremes(limits);
  return low === high ? byteText(low) : `${byteText(low)} to ${byteText(high)}`;
}

/** A part of a bar. */
interface Part {
  readonly device: number;
  readonly name: string;
  readonly kind: string;
  readonly part: number;
  readonly order: number;
}

/** The shards of every device by falling size; those beyond the room for them are one part. */
function partsOf(shards: readonly PlacedShard[], devices: number, sizeOf: (shard: PlacedShard) => number): Part[] {
  const byDevice = Array.from({ length: devices }, (): PlacedShard[] => []);
  for (const shard of shards) byDevice[shard.device]?.push(shard);
  const room = Math.max(3, Math.floor(MAX_PARTS / Math.max(1, devices)));
  const longest = byDevice.reduce((most, own) => Math.max(most, sumOf(own, sizeOf)), 0);
  return byDevice.flatMap((own, device) => {
    const sorted = [...own].sort((a, b) => sizeOf(b) - sizeOf(a));
    const seen = sorted.filter((shard) => sizeOf(shard) >= longest * MIN_SHARE).length;
    const most = sorted.length <= room ? sorted.length : room - 1;
    const isWhole = Math.min(seen, most) >= sorted.length - 1 && sorted.length <= room;
    const shown = isWhole ? sorted : sorted.slice(0, Math.min(seen, most));
    const rest = sorted.slice(shown.length);
    const parts = shown.map(
      (shard, order): Part => ({ device, name: shard.name, kind: shard.shardingType, part: sizeOf(shard), order }),
    );
    if (rest.length === 0) return parts;
    const names = rest.slice(0, MAX_NAMES).map(({ name }) => name);
    const more = rest.length > names.length ? [`… ${rest.length - names.length} more`] : [];
    const part = sumOf(rest, sizeOf);
    const name = `${rest.length} smaller: ${[...names, ...more].join(", ")}`;
    return [...parts, { device, name, kind: TOGETHER, part, order: parts.length }];
  });
}

function sumOf(shards: readonly PlacedShard[], sizeOf: (shard: PlacedShard) => number): number {
  return shards.reduce((sum, shard) => sum + sizeOf(shard), 0);
}

interface DeviceChart {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly axis: string;
  readonly size: number;
  readonly unit: string;
  readonly totals: readonly number[];
  readonly totalField: "cost" | "bytes";
  readonly parts: readonly Part[] | null;
  readonly marked: readonly number[];
  readonly lines: readonly number[];
  readonly limits: readonly number[] | null;
}

function deviceChart(chart: DeviceChart): Chart {
  const { id, title, description, totals, totalField, parts, marked, lines, limits, axis } = chart;
  const devices = totals.length;
  const step = Math.ceil(devices / MAX_NUMBERED);
  const x = {
    field: "device",
    type: "ordinal",
    title: "device",
    scale: { paddingInner: devices > 100 ? 0.05 : 0.15 },
    axis: { labelAngle: 0, values: totals.flatMap((_, d) => (d % step === 0 ? [d] : [])), ticks: false },
  };
  const y = { field: "shown", type: "quantitative", title: axis, axis: { tickCount: 5 } };
  const whole = totals.map((total, device) => ({ device, [totalField]: total }));
  const present = new Set((parts ?? []).map(({ kind }) => kind));
  // What has no name of its own comes last.
  const kinds = [...present].sort((a, b) => Number(a === TOGETHER) - Number(b === TOGETHER) || (a < b ? -1 : 1));
  const layers: ChartSpec[] = [];
  if (parts === null) {
    layers.push({
      data: { values: whole },
      transform: shownAs(chart, `datum.${totalField}`, "'device ' + datum.device"),
      mark: { type: "bar", color: colour.blue },
      encoding: { x, y, description: { field: "text" } },
    });
  } else {
    layers.push({
      data: { values: parts },
      transform: shownAs(chart, "datum.part", "datum.name + ', device ' + datum.device"),
      mark: { type: "bar", stroke: colour.ground, strokeWidth: devices > 100 ? 0.4 : 1 },
      encoding: {
        x,
        y: { ...y, stack: "zero" },
        color: {
          field: "kind",
          type: "nominal",
          scale: { domain: kinds, range: kinds.map(kindColour) },
        },
        order: { field: "order" },
        description: { field: "text" },
      },
    });
    layers.push({
      data: { values: whole },
      transform: shownAs(chart, `datum.${totalField}`, "'device ' + datum.device"),
      mark: { type: "tick", color: colour.text, thickness: 1.5 },
      encoding: {
        x: { field: "device", type: "ordinal" },
        y: { field: "shown", type: "quantitative" },
        description: { field: "text" },
      },
    });
  }
  if (marked.length > 0) {
    layers.push({
      data: { values: marked.map((device) => ({ device, [totalField]: totals[device] })) },
      transform: shownAs(chart, `datum.${totalField}`, "'the largest: device ' + datum.device"),
      mark: {
        type: "point",
        shape: "triangle-down",
        filled: true,
        color: colour.vermilion,
        size: 70,
        yOffset: -9,
        opacity: 1,
      },
      encoding: {
        x: { field: "device", type: "ordinal" },
        y: { field: "shown", type: "quantitative" },
        description: { field: "text" },
      },
    });
  }
  if (lines.length > 0) {
    layers.push({
      data: { values: lines.map((bound) => ({ bound })) },
      transform: shownAs(chart, "datum.bound", "'bound'"),
      mark: { type: "rule", color: colour.vermilion, strokeWidth: 1.5, strokeDash: [6, 3] },
      encoding: { y: { field: "shown", type: "quantitative" }, description: { field: "text" } },
    });
  }
  if (limits !== null) {
    layers.push({
      data: { values: limits.map((limit, device) => ({ device, limit })) },
      transform: shownAs(chart, "datum.limit", "'limit of device ' + datum.device"),
      mark: { type: "tick", color: colour.vermilion, thickness: 2 },
      encoding: {
        x: { field: "device", type: "ordinal" },
        y: { field: "shown", type: "quantitative" },
        description: { field: "text" },
      },
    });
  }
  const isWide = devices > 12;
  const head = specHead(isWide ? 260 : 220, isWide);
  return {
    id,
    title,
    description,
    isWide,
    legend: kinds.length > 1 ? kinds.map((kind) => ({ name: kind, colour: kindColour(kind) })) : [],
    spec: { ...head, width: Math.max(head.width as number, devices * MIN_STEP), layer: layers },
    numbers: {
      head: ["device", totalField, ...(limits === null ? [] : ["limit, bytes"]), "holds"],
      rows: totals.map((total, device) => [
        device,
        total,
        ...(limits === null ? [] : [limits[device] ?? ""]),
        (parts ?? []).flatMap((part) => (part.device === device ? [part.name] : [])).join(", "),
      ]),
    },
  };
}

/** Pixels that a device has at least: a picture of hundreds of them is wider than the page, and moves in its frame. */
const MIN_STEP = 5;

function shownAs({ size, unit }: DeviceChart, value: string, name: string): readonly object[] {
  return [
    { calculate: size === 1 ? value : `${value} / ${size}`, as: "shown" },
    {
      calculate: `${name} + ': ' + format(datum.shown, '.6~g') + ${JSON.stringify(unit === "" ? "" : ` ${unit}`)}`,
      as: "text",
    },
  ];
}
