import {
  barsHeight,
  byteUnit,
  type Chart,
  colouredBy,
  extremes,
  specHead,
  vegaLiteral,
} from "../../../report/chart.js";
import { colour } from "../../../report/palette.js";
import type { JointPlan } from "../plan-file/plan-file.js";
import { placesChart } from "./places.js";

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
