import {
  barsHeight,
  byteUnit,
  type Chart,
  colouredBy,
  extremes,
  specHead,
  vegaLiteral,
} from "../../../report/chart.js";
import type { ChartSpec } from "../../../report/chart-spec.js";
import { CATEGORIES, colour } from "../../../report/palette.js";
import { bytes, some } from "../../../text/units.js";
import type { JointPlan } from "../plan-file/plan-file.js";

/** The exchange by number of towers beside the flat one, and the bytes of each step of the chosen one. */
export function jointCharts(joint: JointPlan, id: string): Chart[] {
  const bars = [
    { name: "flat", ...joint.flat.seconds },
    ...joint.rows.map(({ towers, hostsPerTower, seconds }) => ({
      name: `${towers} ${towers === 1 ? "tower" : "towers"} of ${hostsPerTower} ${hostsPerTower === 1 ? "host" : "hosts"}`,
      ...seconds,
    })),
  ].map(({ name, value, bound }) => ({ name, value, bound }));
  const order = bars.map(({ name }) => name);
  const y = {
    field: "name",
    type: "nominal",
    sort: order,
    scale: { domain: order },
    title: null,
    axis: { labelLimit: 260 },
  };
  const x = { type: "quantitative", title: "ms per iteration", axis: { tickCount: 5 } };
  const known = bars.filter(({ value }) => value !== null);
  const exchange: Chart = {
    id: `${id}-exchange`,
    title: "Exchange, flat and by towers",
    description:
      "What every iteration waits for the embedding exchange, by the number of towers; the marks are the proved bounds." +
      (known.length === bars.length ? "" : ` ${bars.length - known.length} of ${bars.length} have no plan here.`),
    spec: {
      ...specHead(barsHeight(bars.length)),
      layer: [
        {
          data: { values: known },
          transform: [
            { calculate: "datum.value * 1000", as: "shown" },
            { calculate: "datum.name + ': ' + format(datum.shown, '.6~g') + ' ms'", as: "text" },
          ],
          mark: { type: "bar", color: colour.blue, height: 17 },
          encoding: { y, x: { ...x, field: "shown" }, description: { field: "text" } },
        },
        {
          data: { values: bars.filter(({ bound }) => bound !== null) },
          transform: [{ calculate: "datum.bound * 1000", as: "shown" }],
          mark: { type: "tick", color: colour.vermilion, thickness: 3, size: 22 },
          encoding: { y, x: { ...x, field: "shown" } },
        },
      ],
    },
    numbers: {
      head: ["exchange", "seconds", "proved bound, seconds"],
      rows: bars.map(({ name, value, bound }) => [name, value ?? "", bound ?? ""]),
    },
  };
  return [...placesChart(joint, id), exchange, ...stepChart(joint, id)];
}

/** Bytes of each collective over each kind of link, of the flat exchange beside the chosen one; none where nothing moves. */
function stepChart({ flat, steps }: JointPlan, id: string): Chart[] {
  const collectives = [
    ...(flat.steps ?? []).map((step) => ({ exchange: "flat", ...step })),
    ...(steps ?? []).map((step) => ({ exchange: "towers", ...step })),
  ]
    .filter(({ world }) => world > 1)
    .map((step) => ({ name: `${step.exchange}, ${step.pass} ${step.step}`, ...step }));
  // The ids are fetched ahead, are as many in both, and would make all else small.
  const drawn = collectives.filter(({ step }) => step !== IDS);
  if (drawn.length === 0) return [];
  const values = drawn.flatMap(({ name, insideHostBytes, acrossHostsBytes }) => [
    { collective: name, link: INSIDE, bytes: insideHostBytes },
    { collective: name, link: ACROSS, bytes: acrossHostsBytes },
  ]);
  const { unit, size } = byteUnit(extremes(values.map(({ bytes }) => bytes))[1]);
  const links = [
    { name: INSIDE, colour: colour.sky },
    { name: ACROSS, colour: colour.vermilion },
  ];
  const names = links.map(({ name }) => name);
  const order = drawn.map(({ name }) => name);
  const chart: Chart = {
    id: `${id}-steps`,
    title: "Bytes of each collective, flat and by towers",
    description:
      "What the busiest GPU sends or receives in each collective of one iteration, by the paper's letters, inside its host and " +
      "across hosts: of the flat exchange, and of the chosen one by towers. Vectors and their gradients go by c where the " +
      "exchange is flat, by d inside towers and by f between them. The ids, step a, are fetched ahead; the numbers have them.",
    legend: links,
    spec: {
      ...specHead(barsHeight(1.5 * order.length)),
      data: { values },
      transform: [
        { calculate: `datum.bytes / ${size}`, as: "shown" },
        {
          calculate: `datum.collective + ', ' + datum.link + ': ' + format(datum.shown, '.5~g') + ${vegaLiteral(` ${unit}`)}`,
          as: "text",
        },
      ],
      mark: { type: "bar" },
      encoding: {
        y: {
          field: "collective",
          type: "nominal",
          sort: order,
          scale: { domain: order, paddingInner: 0.25 },
          title: null,
          axis: { labelLimit: 260, ticks: false },
        },
        yOffset: { field: "link", type: "nominal", sort: names, scale: { domain: names } },
        x: { field: "shown", type: "quantitative", title: `bytes of the busiest GPU, ${unit}`, axis: { tickCount: 5 } },
        color: colouredBy("link", links),
        description: { field: "text" },
      },
    },
    numbers: {
      head: ["exchange", "step", "ranks", "bytes inside a host", "bytes across hosts", "seconds"],
      rows: collectives.map(({ exchange, pass, step, world, insideHostBytes, acrossHostsBytes, seconds }) => [
        exchange,
        `${pass} ${step}`,
        world,
        insideHostBytes,
        acrossHostsBytes,
        seconds,
      ]),
    },
  };
  return [chart];
}

/** The step that brings the ids. */
const IDS = "a";
const INSIDE = "inside the host";
const ACROSS = "across hosts";

/** Names in the field of a GPU: others are as many more. */
const MAX_LINES = 4;

/** Pixels of a letter and of a line of names. */
const LETTER = 5.8;
const LINE = 13;

/** Fields of GPUs on a wide page, and pixels that the axis takes. */
const WIDTH = 1080;
const TELEPHONE = 380;
const AXIS = 46;

/** Every GPU in its host with the tables that it holds, by the colour of its tower; none where nothing is placed. */
function placesChart(joint: JointPlan, id: string): readonly Chart[] {
  const { devices, chosen, deviceBytes, deviceElements, rows } = joint;
  if (devices === null || chosen === null) return [];
  const hosts = Math.max(1, chosen.towers * chosen.hostsPerTower);
  const perHost = Math.max(1, Math.round(devices.length / hosts));
  const perTower = Math.max(1, Math.round(devices.length / chosen.towers));
  const names = Array.from({ length: chosen.towers }, (_, tower) => `tower ${tower}`);
  const colours = names.map((_, tower) => CATEGORIES[tower % CATEGORIES.length] as string);
  const values = devices.map((holds, gpu) => ({
    gpu,
    host: Math.floor(gpu / perHost),
    slot: gpu % perHost,
    tower: `tower ${Math.floor(gpu / perTower)}`,
    holds: holds.length === 0 ? "nothing" : holds.join(", "),
    memory: bytes(deviceBytes?.[gpu] ?? 0),
  }));
  const lines = (room: number) => (gpu: number) => fitting(devices[gpu] ?? [], Math.floor(room / LETTER));
  const most = devices.reduce((longest, { length }) => Math.max(longest, Math.min(length, MAX_LINES)), 1);
  const step = Math.max(24, LINE * most + 8);
  const spec = (width: number): ChartSpec => {
    const textOf = lines((width - AXIS) / perHost - 8);
    const x = { field: "slot", type: "ordinal", title: "GPU of the host", scale: { paddingInner: 0.04 } };
    const y = { field: "host", type: "ordinal", title: "host", scale: { paddingInner: 0.1 } };
    return {
      ...specHead(hosts * step, true),
      width,
      layer: [
        {
          data: { values },
          transform: [
            {
              calculate: "datum.holds + ': GPU ' + datum.gpu + ', ' + datum.tower + ', ' + datum.memory",
              as: "text",
            },
          ],
          mark: { type: "rect", cornerRadius: 3, fillOpacity: 0.3, strokeWidth: 1.5 },
          encoding: {
            x: { ...x, axis: { labelAngle: 0, ticks: false, domain: false } },
            y: { ...y, axis: { ticks: false, domain: false } },
            color: { field: "tower", type: "nominal", scale: { domain: names, range: colours } },
            stroke: { field: "tower", type: "nominal", scale: { domain: names, range: colours } },
            description: { field: "text" },
          },
        },
        {
          data: { values: values.map(({ gpu, host, slot }) => ({ host, slot, label: textOf(gpu) })) },
          mark: {
            type: "text",
            fontSize: 10.5,
            lineHeight: LINE,
            baseline: "middle",
            dy: -(LINE * (most - 1)) / 2,
            aria: false,
          },
          encoding: {
            x: { field: "slot", type: "ordinal" },
            y: { field: "host", type: "ordinal" },
            text: { field: "label" },
          },
        },
      ],
    };
  };
  const used = rows.find(({ towers }) => towers === chosen.towers);
  const busiest = used?.largestElements ?? null;
  return [
    {
      id: `${id}-places`,
      title: "Tables of every GPU, host by host",
      description:
        `The ${some(devices.length, "GPU")} of ${some(hosts, "host")}, each with the tables that it holds; #0, #1, … are shards of one ` +
        `table. Colours are towers: ${some(chosen.towers, "tower")} of ${some(chosen.hostsPerTower, "host")}.` +
        (busiest === null ? "" : ` The busiest GPU looks up ${busiest.toLocaleString("en-US")} elements per sample.`),
      isWide: true,
      legend: names.map((name, tower) => ({ name, colour: colours[tower] as string })),
      spec: spec(WIDTH),
      narrow: spec(TELEPHONE),
      numbers: {
        head: ["GPU", "host", "tower", "bytes", "elements per sample", "holds"],
        rows: values.map(({ gpu, host, tower, holds }) => [
          gpu,
          host,
          tower,
          deviceBytes?.[gpu] ?? "",
          deviceElements?.[gpu] ?? "",
          holds,
        ]),
      },
    },
  ];
}

/** The names of a GPU's tables in so many letters a line; of many the first, and how many more. */
function fitting(names: readonly string[], letters: number): readonly string[] {
  if (letters < 3) return [String(names.length)];
  const short = (text: string) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text);
  if (names.length <= MAX_LINES) return names.map(short);
  return [...names.slice(0, MAX_LINES - 1), `+ ${names.length - MAX_LINES + 1} more`].map(short);
}
