import { type Chart, type ChartGroup, colouredBy, specHead, thinned } from "../../../report/chart.js";
import type { LegendEntry } from "../../../report/legend.js";
import { colour } from "../../../report/palette.js";
import { known } from "../../../text/known.js";
import type { PlanTable } from "../plan-file/plan-file.js";
import type { RowTiersCharts } from "./input.js";
import { TIER_COLOURS } from "./names.js";

/** Tables with a chart of their own; those that are read most come first. */
const MAX_TABLES = 12;

/** Pixels of one of several curves. */
const SMALL = 240;

/** Classes of rows drawn of one table. */
const MAX_STEPS = 160;

/** Bands drawn of one table: others are the narrowest on the logarithmic scale. */
const MAX_BANDS = 60;

/**
 * For each table, how often a sample reads its rows, from the hottest on, and the tier that each rank is in; both axes are
 * logarithmic. The tables that are read most, as many as a page has room for.
 */
export function accessCharts(tables: readonly PlanTable[], access: RowTiersCharts["access"], id: string): Chart[] {
  const curves = tables.flatMap((table, t) => {
    const classes = access[t];
    return classes === undefined ? [] : [{ table, t, curve: curveOf(classes) }];
  });
  curves.sort((a, b) => b.curve.accesses - a.curve.accesses || a.t - b.t);
  const isOnly = curves.length === 1;
  const shown = curves.slice(0, MAX_TABLES);
  const group = isOnly
    ? undefined
    : groupOf(
        shown.map(({ table }) => table),
        curves.length,
      );
  return shown.map(({ table, t, curve }) => accessChart(table, curve, `${id}-access-${t}`, group));
}

/** What the curves of several tables have in common. */
function groupOf(tables: readonly PlanTable[], all: number): ChartGroup {
  const tiers = [...new Set(tables.flatMap(({ runs }) => runs.map(([, tier]) => tier)))];
  const which = tables.length < all ? ` The ${tables.length} of ${all} tables that are read most.` : "";
  return {
    title: "Access curves and tiers",
    description: `How often a sample reads the row of each rank, the hottest first, both on logarithmic scales; behind each curve the tiers.${which}`,
    legend: legendOf(tiers),
  };
}

function legendOf(tiers: readonly string[]): readonly LegendEntry[] {
  return tiers.map((tier) => ({ name: tier, colour: known(TIER_COLOURS, tier) ?? colour.grey }));
}

interface AccessCurve {
  readonly steps: readonly { readonly from: number; readonly to: number; readonly appearances: number }[];
  /** Of all rows, in one sample. */
  readonly accesses: number;
  readonly neverRead: number;
}

/** Ranks are cut where classes meet; rows that are never read have no place on a logarithmic scale. */
function curveOf({ rows, appearances }: RowTiersCharts["access"][number]): AccessCurve {
  const steps: { from: number; to: number; appearances: number }[] = [];
  let rank = 0;
  let accesses = 0;
  let neverRead = 0;
  for (let k = 0; k < rows.length; k++) {
    const [count, each] = [rows[k] as number, appearances[k] as number];
    if (each > 0) steps.push({ from: rank, to: rank + count, appearances: each });
    else neverRead += count;
    rank += count;
    accesses += count * each;
  }
  return { steps: evenlyOnTheScale(steps), accesses, neverRead };
}

/** At most so many classes, about evenly spread over the logarithms of their ranks. */
function evenlyOnTheScale(steps: AccessCurve["steps"]): AccessCurve["steps"] {
  if (steps.length <= MAX_STEPS) return steps;
  const width = Math.log(steps.at(-1)?.to as number) / MAX_STEPS;
  const kept: AccessCurve["steps"][number][] = [];
  let next = Number.NEGATIVE_INFINITY;
  for (const step of steps) {
    const at = Math.log(step.to);
    const last = kept.at(-1);
    if (at >= next || last === undefined) {
      kept.push({ ...step, from: last?.to ?? step.from });
      next = at + width;
    }
  }
  const [end, last] = [steps.at(-1) as AccessCurve["steps"][number], kept.at(-1)];
  if (last !== undefined && last.to < end.to) kept.push({ ...end, from: last.to });
  return kept;
}

function accessChart({ name, rows, runs }: PlanTable, curve: AccessCurve, id: string, group?: ChartGroup): Chart {
  const isOnly = group === undefined;
  let rank = 0;
  const bands = runs.map(([count, tier]) => {
    const band = { from: rank, to: rank + count, tier };
    rank += count;
    return band;
  });
  const widest = bands
    .map((band) => ({ band, width: Math.log(band.to / Math.max(band.from, 1)) }))
    .sort((a, b) => b.width - a.width)
    .slice(0, MAX_BANDS)
    .map(({ band }) => band)
    .sort((a, b) => a.from - b.from);
  const tiers = [...new Set(bands.map(({ tier }) => tier))];
  const domain = [1, Math.max(rows, 10)] as const;
  // A step is flat from its first rank to its last; on the scale, ranks below 1 have no place.
  const points = curve.steps.flatMap(({ from, to, appearances }) => [
    { rank: Math.max(from, 1), appearances },
    { rank: to, appearances },
  ]);
  const heights = heightsOf(curve);
  const left = bands.length > widest.length ? ` The ${widest.length} widest of ${bands.length} bands are drawn.` : "";
  const never = curve.neverRead === 0 ? "" : ` ${curve.neverRead.toLocaleString("en-US")} rows are never read.`;
  const description =
    `How often a sample reads the row of each rank${isOnly ? "" : ` of ${name}`}, the hottest first, both on logarithmic ` +
    `scales; behind the curve the tiers: ${bandWords(widest)}.${never}${left}`;
  const x = {
    type: "quantitative",
    scale: { type: "log", domain, nice: false },
    axis: { ...logTicks(domain), format: "~s" },
  };
  return {
    id,
    title: isOnly ? "Access curve and tiers" : name,
    description,
    isWide: isOnly,
    legend: legendOf(tiers),
    ...(group === undefined ? {} : { group }),
    spec: {
      ...specHead(isOnly ? 260 : 130, isOnly),
      ...(isOnly ? {} : { width: SMALL }),
      layer: [
        {
          data: { values: widest },
          transform: [{ calculate: "max(datum.from, 1)", as: "start" }],
          mark: { type: "rect", opacity: 0.35 },
          encoding: {
            x: { ...x, field: "start", title: isOnly ? "rank of the row" : null },
            x2: { field: "to" },
            color: colouredBy("tier", legendOf(tiers)),
          },
        },
        ...(points.length === 0
          ? []
          : [
              {
                data: { values: points },
                mark: { type: "line", color: colour.text, strokeWidth: 2 },
                encoding: {
                  x: { ...x, field: "rank", title: isOnly ? "rank of the row" : null },
                  y: {
                    field: "appearances",
                    type: "quantitative",
                    title: isOnly ? "appearances in a sample" : null,
                    scale: { type: "log", domain: heights, nice: false },
                    axis: { ...logTicks(heights), labelExpr: SMALL_NUMBERS },
                  },
                  order: { field: "rank" },
                },
              },
            ]),
      ],
    },
    numbers: {
      head: ["rows from rank", "to rank", "appearances in a sample"],
      rows: thinned(curve.steps, MAX_STEPS).map(({ from, to, appearances }) => [from + 1, to, appearances]),
    },
  };
}

/** From the least to the most appearances, with some room. */
function heightsOf({ steps }: AccessCurve): readonly [number, number] {
  const [first, last] = [steps[0]?.appearances ?? 1, steps.at(-1)?.appearances ?? 1];
  return [last / 1.5, first * 1.5];
}

/** An axis with marks at powers of ten, of long ones at some of them, of short ones at their doubles and halves as well. */
function logTicks([low, high]: readonly [number, number]): {
  readonly grid: false;
  readonly values: readonly number[];
} {
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const factors = to - from > 3 ? [1] : [1, 2, 5];
  const step = Math.ceil((to - from) / 8);
  const powers = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, k) => from + k * step);
  // From text, because powers of ten below 1 are not what multiplying gives.
  const values = powers.flatMap((power) => factors.map((factor) => Number(`${factor}e${power}`)));
  return { grid: false, values: values.filter((value) => value >= low && value <= high) };
}

/** Small numbers by their powers of ten: `1m` would be read as a million. */
const SMALL_NUMBERS = "format(datum.value, datum.value < 0.01 ? '.0e' : '~g')";

function bandWords(bands: readonly { readonly from: number; readonly to: number; readonly tier: string }[]): string {
  const words = bands
    .slice(0, 6)
    .map(({ from, to, tier }) => `${tier} ${(from + 1).toLocaleString("en-US")} to ${to.toLocaleString("en-US")}`);
  return bands.length > 6 ? `${words.join(", ")}, and so on` : words.join(", ");
}
