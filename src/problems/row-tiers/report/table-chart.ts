import { COLLECTIVES } from "../../../instance/cluster.js";
import { byteUnit, type Chart, colouredBy, extremes, specHead, vegaLiteral } from "../../../report/chart.js";
import type { ChartSpec } from "../../../report/chart-spec.js";
import { colour } from "../../../report/palette.js";
import { count } from "../../../text/units.js";
import type { PlanTable, RowTiersPlan } from "../plan-file/plan-file.js";
import { COLLECTIVE_NAMES } from "../tables.js";
import { COLLECTIVE_COLOURS, TIER_COLOURS } from "./names.js";

/** Tables with bars of their own: those that take most of the time; the others are one. */
const MAX_TABLES = 40;

interface Bar {
  readonly name: string;
  readonly seconds: Readonly<Record<string, number>>;
  readonly bytes: Readonly<Record<string, number>>;
}

/** Milliseconds and bytes of every table side by side; none of one table alone, of which other charts say it. */
export function tableCharts({ tables }: RowTiersPlan, id: string): readonly Chart[] {
  if (tables.length < 2) return [];
  const sorted = tables.map(barOf).sort((a, b) => totalOf(b.seconds) - totalOf(a.seconds));
  const rest = sorted.slice(MAX_TABLES);
  const bars = rest.length < 2 ? sorted : [...sorted.slice(0, MAX_TABLES), together(rest)];
  const collectives = COLLECTIVES.filter((key) => bars.some(({ seconds }) => (seconds[key] ?? 0) > 0));
  const tiers = Object.keys(TIER_COLOURS).filter((tier) => bars.some(({ bytes }) => (bytes[tier] ?? 0) > 0));
  const { unit, size } = byteUnit(extremes(bars.map(({ bytes }) => totalOf(bytes)))[1]);
  const order = bars.map(({ name }) => name);
  const times = bars.flatMap(({ name, seconds }) =>
    collectives.map((key, k) => ({
      table: name,
      part: COLLECTIVE_NAMES[key].full,
      seconds: seconds[key] ?? 0,
      order: k,
    })),
  );
  const sizes = bars.flatMap(({ name, bytes }) =>
    tiers.map((tier, k) => ({ table: name, part: tier, bytes: bytes[tier] ?? 0, order: k })),
  );
  const named = [
    ...collectives.map((key) => ({ name: COLLECTIVE_NAMES[key].full, colour: COLLECTIVE_COLOURS[key] })),
    ...tiers.map((tier) => ({ name: tier, colour: TIER_COLOURS[tier] ?? colour.grey })),
  ];
  const panel = (
    values: readonly object[],
    shown: string,
    title: string,
    unitName: string,
    isFirst: boolean,
    width: number,
  ) => ({
    width,
    height: bars.length * (bars.length > 12 ? 15 : 22),
    data: { values },
    transform: [
      { calculate: shown, as: "shown" },
      {
        calculate: `datum.table + ', ' + datum.part + ': ' + format(datum.shown, '.4~g') + ${vegaLiteral(` ${unitName}`)}`,
        as: "text",
      },
    ],
    mark: { type: "bar" },
    encoding: {
      y: {
        field: "table",
        type: "nominal",
        sort: order,
        title: null,
        axis: isFirst ? { labelLimit: width / 2.5, labelOverlap: false, labelFontSize: 11, ticks: false } : null,
      },
      x: { field: "shown", type: "quantitative", title, axis: { tickCount: 4, orient: "top" } },
      color: colouredBy("part", named),
      order: { field: "order" },
      description: { field: "text" },
    },
  });
  const spec = (width: number): ChartSpec => ({
    $schema: specHead(1).$schema,
    spacing: 24,
    hconcat: [
      panel(times, "datum.seconds * 1000", "ms per iteration", "ms", true, width),
      panel(sizes, `datum.bytes / ${size}`, `memory per GPU, ${unit}`, unit, false, width),
    ],
  });
  return [
    {
      id: `${id}-tables`,
      title: "Time and memory by table",
      description:
        "Milliseconds per iteration in each collective, and memory per GPU in each tier, those tables first that take most time." +
        (rest.length < 2 ? "" : ` The last bars are ${count(rest.length)} tables together.`),
      isWide: true,
      legend: named,
      spec: spec(470),
      narrow: spec(140),
      numbers: {
        head: [
          "table",
          ...collectives.map((key) => `${COLLECTIVE_NAMES[key].full}, s`),
          ...tiers.map((tier) => `${tier}, bytes`),
        ],
        rows: sorted.map(({ name, seconds, bytes }) => [
          name,
          ...collectives.map((key) => seconds[key] ?? 0),
          ...tiers.map((tier) => bytes[tier] ?? 0),
        ]),
      },
    },
  ];
}

function barOf({ name, tiers }: PlanTable): Bar {
  const seconds: Record<string, number> = {};
  const bytes: Record<string, number> = {};
  for (const { tier, memoryBytesPerGpu, collectives } of tiers) {
    bytes[tier] = memoryBytesPerGpu;
    for (const [key, each] of Object.entries(collectives)) seconds[key] = (seconds[key] ?? 0) + each;
  }
  return { name, seconds, bytes };
}

function together(bars: readonly Bar[]): Bar {
  const sum = (of: (bar: Bar) => Readonly<Record<string, number>>) => {
    const total: Record<string, number> = {};
    for (const bar of bars) for (const [key, each] of Object.entries(of(bar))) total[key] = (total[key] ?? 0) + each;
    return total;
  };
  return { name: `${bars.length} others`, seconds: sum(({ seconds }) => seconds), bytes: sum(({ bytes }) => bytes) };
}

function totalOf(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((sum, each) => sum + each, 0);
}
