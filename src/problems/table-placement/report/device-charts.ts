import { byteUnit, type Chart, extremes, specHead, vegaLiteral } from "../../../report/chart.js";
import type { ChartSpec } from "../../../report/chart-spec.js";
import { colour } from "../../../report/palette.js";
import { byteText } from "../../../report/plan-number.js";
import { known } from "../../../text/known.js";
import { plainUnit } from "../../../text/value-unit.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";
import { type Parts, partsOf, TOGETHER } from "./device-parts.js";
import type { PlacementCharts } from "./input.js";

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

/** Pixels of a letter of a part's name, and of a line. */
const LETTER = 6.4;
const LINE = 14;

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
  const cost = isAdditive ? partsOf(shards, deviceCosts.length, (shard) => shard.cost ?? 0) : null;
  const bytesHeld = shards.length > 0 ? partsOf(shards, deviceBytes.length, ({ hbmBytes }) => hbmBytes) : null;
  const perHost = charts?.gpusPerNode ?? deviceCosts.length;
  const { unit, size } = byteUnit(extremes([...deviceBytes, ...(memory.hbmBytesPerGpu ?? [])])[1]);
  const bound = objective.kind === "largest-device-cost" ? objective.bound : null;
  const limits = memory.hbmBytesPerGpu;
  return [
    deviceChart({
      id: `${id}-costs`,
      title: "Cost of each device",
      description:
        `What every device costs.${cost === null ? "" : partsText(cost)} The largest, ${plainUnit(objective.unit).text(largest)}, is marked, ${named}.` +
        (bound === null ? "" : " The dashed line is the proved bound."),
      axis: objective.unit === null ? "cost" : `cost, ${objective.unit}`,
      size: 1,
      unit: objective.unit ?? "",
      totals: deviceCosts,
      totalField: "cost",
      parts: cost,
      perHost,
      marked: slowest,
      lines: bound === null ? [] : [bound],
    }),
    deviceChart({
      id: `${id}-memory`,
      title: "Memory of each device",
      description:
        `What every device holds in its own memory.${bytesHeld === null ? "" : partsText(bytesHeld)}` +
        (limits === null ? " Memory does not limit here." : ` The marks are what each may hold (${rangeOf(limits)}).`),
      axis: `memory, ${unit}`,
      size,
      unit,
      totals: deviceBytes,
      totalField: "bytes",
      parts: bytesHeld,
      perHost,
      limits,
    }),
  ];
}

function partsText({ bands }: Parts): string {
  const once = bands.length === 0 ? "" : "; what is on every device alike is drawn once, below all";
  return ` Each part of a bar is a table, or a shard of one${once}.`;
}

function rangeOf(limits: readonly number[]): string {
  const [low, high] = extremes(limits);
  return low === high ? byteText(low) : `${byteText(low)} to ${byteText(high)}`;
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
  readonly parts: Parts | null;
  readonly perHost: number;
  readonly marked?: readonly number[];
  readonly lines?: readonly number[];
  readonly limits?: readonly number[] | null;
}

const HEIGHT = 300;

/** Pixels of a page's picture and a telephone's that are not bars: the axis and its title. */
const BESIDE = 60;

function deviceChart(chart: DeviceChart): Chart {
  const { id, title, description, totals, totalField, parts, limits = null } = chart;
  const devices = totals.length;
  const kinds = kindsOf(chart);
  const head = specHead(HEIGHT, true);
  const width = Math.max(head.width as number, devices * MIN_STEP);
  const telephone = Math.max(TELEPHONE, devices * MIN_STEP);
  const holds = totals.map(() => (parts?.bands ?? []).map(({ name }) => name));
  for (const { device, name } of parts?.parts ?? []) holds[device]?.push(name);
  return {
    id,
    title,
    description,
    isWide: true,
    legend: kinds.length > 1 ? kinds.map((kind) => ({ name: kind, colour: kindColour(kind) })) : [],
    spec: { ...head, width, layer: layersOf(chart, kinds, width) },
    ...(telephone < width && {
      narrow: { ...head, width: telephone, height: 220, layer: layersOf(chart, kinds, telephone) },
    }),
    numbers: {
      head: ["device", totalField, ...(limits === null ? [] : ["limit, bytes"]), "holds"],
      rows: totals.map((total, device) => [
        device,
        total,
        ...(limits === null ? [] : [limits[device] ?? ""]),
        (holds[device] ?? []).join(", "),
      ]),
    },
  };
}

const TELEPHONE = 380;

/** Pixels that a device has at least: a picture of hundreds of them is wider than the page, and moves in its frame. */
const MIN_STEP = 5;

/** The kinds of parts; what has no name of its own comes last. */
function kindsOf({ parts }: DeviceChart): readonly string[] {
  const present = new Set([...(parts?.bands ?? []), ...(parts?.parts ?? [])].map(({ kind }) => kind));
  return [...present].sort((a, b) => Number(a === TOGETHER) - Number(b === TOGETHER) || (a < b ? -1 : 1));
}

function layersOf(chart: DeviceChart, kinds: readonly string[], width: number): readonly ChartSpec[] {
  const { totals, totalField, parts, marked = [], lines = [], limits = null, perHost } = chart;
  const devices = totals.length;
  const hosts = Math.ceil(devices / perHost);
  const isParted = hosts > 1 && perHost > 1;
  const places = devices + (isParted ? hosts - 1 : 0);
  const step = (width - BESIDE) / places;
  const every = Math.ceil(22 / step);
  const x = {
    field: "device",
    type: "ordinal",
    title: "device",
    scale: {
      domain: isParted ? partedByHost(devices, perHost) : [...totals.keys()],
      paddingInner: devices > 100 ? 0.05 : 0.15,
    },
    axis: { labelAngle: 0, values: [...totals.keys()].filter((d) => (d % perHost) % every === 0), ticks: false },
  };
  const y = { field: "shown", type: "quantitative", title: chart.axis, axis: { tickCount: 5 } };
  const described = { field: "text" };
  const colours = { field: "kind", type: "nominal", scale: { domain: kinds, range: kinds.map(kindColour) } };
  const whole = totals.map((total, device) => ({ device, [totalField]: total }));
  const wholes = (mark: ChartSpec, name: string, values: readonly object[] = whole): ChartSpec => ({
    data: { values },
    transform: shownAs(chart, `datum.${totalField}`, name),
    mark,
    encoding: { x, y, description: described },
  });
  const layers: ChartSpec[] = [];
  if (parts === null) layers.push(wholes({ type: "bar", color: colour.blue }, "'device ' + datum.device"));
  else {
    const edges = { y: { ...y, field: "bottom" }, y2: { field: "top" }, color: colours, description: described };
    const mark = { type: "rect", stroke: colour.ground, strokeWidth: devices > 100 ? 0.4 : 1 };
    if (parts.bands.length > 0) {
      const bandName = "datum.name + (length(datum.everywhere) < 2 ? '' : ': ' + join(datum.everywhere, ', '))";
      layers.push({
        data: { values: parts.bands },
        transform: [...edgesOf(chart), ...shownAs(chart, "datum.part", bandName)],
        mark,
        encoding: edges,
      });
    }
    layers.push(
      {
        data: { values: parts.parts },
        transform: [...edgesOf(chart), ...shownAs(chart, "datum.part", "datum.name + ', device ' + datum.device")],
        mark,
        encoding: { x, ...edges },
      },
      ...namesIn(chart, parts, step, width < 2 * TELEPHONE ? 220 : HEIGHT, x),
      wholes({ type: "tick", color: colour.text, thickness: 1.5 }, "'device ' + datum.device"),
    );
  }
  if (marked.length > 0) {
    const shape = { type: "point", shape: "triangle-down", filled: true, color: colour.vermilion, size: 70 };
    const values = marked.map((device) => ({ device, [totalField]: totals[device] }));
    layers.push(wholes({ ...shape, yOffset: -9, opacity: 1 }, "'the largest: device ' + datum.device", values));
  }
  if (lines.length > 0) {
    layers.push({
      data: { values: lines.map((bound) => ({ bound })) },
      transform: shownAs(chart, "datum.bound", "'bound'"),
      mark: { type: "rule", color: colour.vermilion, strokeWidth: 1.5, strokeDash: [6, 3] },
      encoding: { y, description: described },
    });
  }
  if (limits !== null) {
    layers.push({
      data: { values: limits.map((limit, device) => ({ device, limit })) },
      transform: shownAs(chart, "datum.limit", "'limit of device ' + datum.device"),
      mark: { type: "tick", color: colour.vermilion, thickness: 2 },
      encoding: { x, y, description: described },
    });
  }
  return isParted ? [...layers, hostNames(hosts, perHost, devices, step * perHost, x)] : layers;
}

/** The devices of each host, and an empty place before those of the next. */
function partedByHost(devices: number, perHost: number): readonly (number | string)[] {
  return Array.from({ length: devices }, (_, d) => d).flatMap((d) =>
    d > 0 && d % perHost === 0 ? [`before ${d}`, d] : [d],
  );
}

function hostNames(hosts: number, perHost: number, devices: number, room: number, x: ChartSpec): ChartSpec {
  const values = Array.from({ length: hosts }, (_, host) => ({
    device: Math.min(devices - 1, host * perHost + Math.floor((perHost - 1) / 2)),
    host: room > 50 ? `host ${host}` : `${host}`,
  }));
  return {
    data: { values },
    mark: { type: "text", color: colour.muted, fontSize: 11 },
    encoding: { x, y: { value: -20 }, text: { field: "host" } },
  };
}

/** Names in the parts that have room for them: across, or along their bar. */
function namesIn(
  chart: DeviceChart,
  { bands, parts }: Parts,
  step: number,
  height: number,
  x: ChartSpec,
): readonly ChartSpec[] {
  const { totals, limits, size } = chart;
  // Vega rounds the end of the axis up: of what is left, less is room.
  const most = 1.15 * extremes([...totals, ...(limits ?? [])])[1];
  const pixels = (amount: number) => (most === 0 ? 0 : (amount / most) * height);
  const bar = step * 0.85 - 4;
  const placed = parts.flatMap(({ device, name, kind, part, from }) => {
    if (kind === TOGETHER) return [];
    const [room, length] = [pixels(part), name.length * LETTER];
    const isAcross = length <= bar && room >= LINE;
    const isAlong = !isAcross && length <= room - 4 && bar >= LINE - 3;
    if (!isAcross && !isAlong) return [];
    return [{ device, label: name, angle: isAcross ? 0 : 270, middle: (from + part / 2) / size, isDark: isDark(kind) }];
  });
  const across = bands.flatMap(({ name, kind, part, from }) =>
    pixels(part) < LINE ? [] : [{ label: name, middle: (from + part / 2) / size, isDark: isDark(kind) }],
  );
  const layer = (
    values: readonly object[],
    angle: number,
    isOnDark: boolean,
    place: ChartSpec,
  ): readonly ChartSpec[] =>
    values.length === 0
      ? []
      : [
          {
            data: { values },
            mark: { type: "text", angle, fontSize: 11, color: isOnDark ? colour.ground : INK, aria: false },
            encoding: { ...place, y: { field: "middle", type: "quantitative" }, text: { field: "label" } },
          },
        ];
  return [true, false].flatMap((isOnDark) => [
    ...layer(
      across.filter((each) => each.isDark === isOnDark),
      0,
      isOnDark,
      {},
    ),
    ...[0, 270].flatMap((angle) =>
      layer(
        placed.filter((each) => each.angle === angle && each.isDark === isOnDark),
        angle,
        isOnDark,
        { x },
      ),
    ),
  ]);
}

/** On a light page white stands out from it, on a dark page, where it is a lighter blue, the ground does. */
function isDark(kind: string): boolean {
  return kindColour(kind) === colour.blue;
}

/** What stands out from all the other colours of parts, on a light page and on a dark one. */
const INK = "#101010";

function edgesOf({ size }: DeviceChart): readonly object[] {
  return [
    { calculate: `datum.from / ${size}`, as: "bottom" },
    { calculate: `(datum.from + datum.part) / ${size}`, as: "top" },
  ];
}

function shownAs({ size, unit }: DeviceChart, value: string, name: string): readonly object[] {
  return [
    { calculate: size === 1 ? value : `${value} / ${size}`, as: "shown" },
    {
      calculate: `${name} + ': ' + format(datum.shown, '.6~g') + ${vegaLiteral(unit === "" ? "" : ` ${unit}`)}`,
      as: "text",
    },
  ];
}
