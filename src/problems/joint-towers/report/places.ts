import { type Chart, specHead } from "../../../report/chart.js";
import type { ChartSpec } from "../../../report/chart-spec.js";
import { CATEGORIES } from "../../../report/palette.js";
import { bytes, some } from "../../../text/units.js";
import type { JointPlan } from "../plan-file/plan-file.js";

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
export function placesChart(joint: JointPlan, id: string): readonly Chart[] {
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
