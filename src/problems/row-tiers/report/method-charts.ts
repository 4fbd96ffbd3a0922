import { COLLECTIVES } from "../../../instance/cluster.js";
import { barsHeight, byteUnit, type Chart, colouredBy, specHead, vegaLiteral } from "../../../report/chart.js";
import { colour } from "../../../report/palette.js";
import { byteText } from "../../../report/plan-number.js";
import { SECONDS } from "../../../text/value-unit.js";
import { methodTitle } from "../facts.js";
import type { RowTiersPlan } from "../plan-file/plan-file.js";
import { COLLECTIVE_NAMES } from "../tables.js";
import type { MethodPlan } from "./input.js";
import { COLLECTIVE_COLOURS, TIER_COLOURS } from "./names.js";

/** A bar of a plan over the budget that is so many times longer than the others would leave nothing to see of them. */
const MAX_TIMES = 3;

/** One bar. */
interface MethodBar {
  readonly name: string;
  readonly value: number;
  readonly bytesPerGpu: number;
  readonly isWithin: boolean;
  readonly collectives: Readonly<Record<string, number>>;
  readonly tiers: readonly { readonly tier: string; readonly memoryBytesPerGpu: number }[];
}

/** Seconds in each collective, and memory per GPU, of the plan and of every published method. */
export function methodCharts(plan: RowTiersPlan, methods: readonly MethodPlan[], id: string): Chart[] {
  const { objective, memory, collectives, time } = plan;
  if (objective.value === null || memory.bytesPerGpu === null || collectives === null) return [];
  const own: MethodBar = {
    name: `the plan (${methodTitle(plan.method)})`,
    value: time?.seconds ?? objective.value,
    bytesPerGpu: memory.bytesPerGpu,
    isWithin: true,
    collectives,
    tiers: plan.tables.flatMap(({ tiers }) => tiers),
  };
  const others = methods
    .filter(({ reason }) => reason === null)
    .map(({ method, ...rest }): MethodBar => ({ ...rest, name: methodTitle(method) }));
  return [collectivesChart(plan, [own, ...others], id), memoryChart(plan, [own, ...others], id)];
}

function collectivesChart({ objective, time }: RowTiersPlan, all: readonly MethodBar[], id: string): Chart {
  const within = all.filter(({ isWithin }) => isWithin).reduce((most, bar) => Math.max(most, timeOf(bar)), 0);
  const bars = all.filter((bar) => bar.isWithin || timeOf(bar) <= within * MAX_TIMES);
  const names = COLLECTIVES.filter((key) => bars.some((bar) => (bar.collectives[key] ?? 0) > 0));
  const order = bars.map(labelOf);
  const values = bars.flatMap((bar) =>
    names.map((key) => ({
      method: labelOf(bar),
      collective: COLLECTIVE_NAMES[key].full,
      seconds: bar.collectives[key] ?? 0,
      order: names.indexOf(key),
    })),
  );
  const objectives = bars.map((bar) => ({ method: labelOf(bar), value: bar.value }));
  const legend = names.map((key) => ({ name: COLLECTIVE_NAMES[key].full, colour: COLLECTIVE_COLOURS[key] }));
  const isSum = (time ?? objective).kind === "serial";
  return {
    id: `${id}-collectives`,
    title: "Time in each collective",
    description:
      `Milliseconds per iteration in each collective, by method. ` +
      (isSum
        ? "A whole bar is what is minimised."
        : "The black mark is what is minimised, which counts some of them only.") +
      (bars.some(({ isWithin }) => !isWithin) ? " Methods marked with an asterisk are over the budget." : "") +
      notDrawn(all, bars, ({ value }) => SECONDS.text(value)),
    legend,
    spec: {
      ...specHead(barsHeight(bars.length)),
      layer: [
        {
          data: { values },
          transform: [
            { calculate: "datum.seconds * 1000", as: "milliseconds" },
            {
              calculate: "datum.method + ', ' + datum.collective + ': ' + format(datum.milliseconds, '.6~g') + ' ms'",
              as: "text",
            },
          ],
          mark: { type: "bar", stroke: colour.ground, strokeWidth: 1 },
          encoding: {
            y: { field: "method", type: "nominal", sort: order, title: null, axis: { labelLimit: 260 } },
            x: { field: "milliseconds", type: "quantitative", title: "ms per iteration", axis: { tickCount: 5 } },
            color: colouredBy("collective", legend),
            order: { field: "order" },
            description: { field: "text" },
          },
        },
        ...(isSum
          ? []
          : [
              {
                data: { values: objectives },
                transform: [{ calculate: "datum.value * 1000", as: "milliseconds" }],
                mark: { type: "tick", color: colour.text, thickness: 3, size: 24 },
                encoding: {
                  y: { field: "method", type: "nominal", sort: order },
                  x: { field: "milliseconds", type: "quantitative" },
                },
              },
            ]),
      ],
    },
    numbers: {
      head: ["method", "objective, s", ...legend.map(({ name }) => `${name}, s`)],
      rows: all.map((bar) => [labelOf(bar), bar.value, ...names.map((key) => bar.collectives[key] ?? 0)]),
    },
  };
}

function timeOf({ collectives }: MethodBar): number {
  return Object.values(collectives).reduce((sum, seconds) => sum + seconds, 0);
}

/** The methods without a bar, with their numbers. */
function notDrawn(all: readonly MethodBar[], drawn: readonly MethodBar[], text: (bar: MethodBar) => string): string {
  const hidden = all.filter((bar) => !drawn.includes(bar)).map((bar) => `${bar.name} (${text(bar)})`);
  return hidden.length === 0 ? "" : ` Too far off to be drawn: ${hidden.join(", ")}.`;
}

function labelOf({ name, isWithin }: MethodBar): string {
  return isWithin ? name : `${name} *`;
}

function memoryChart({ memory }: RowTiersPlan, bars: readonly MethodBar[], id: string): Chart {
  const { budgetBytesPerGpu: budget, hbmBytesPerGpu: hbm } = memory;
  const own = bars[0]?.bytesPerGpu ?? 0;
  const shown = bars.filter(({ bytesPerGpu }) => bytesPerGpu <= Math.max(budget, own) * MAX_TIMES);
  const most = shown.reduce((largest, { bytesPerGpu }) => Math.max(largest, bytesPerGpu), budget);
  const { unit, size } = byteUnit(most);
  const order = shown.map(({ name }) => name);
  const tierNames = Object.keys(TIER_COLOURS).filter((tier) =>
    shown.some(({ tiers }) => tiers.some((t) => t.tier === tier)),
  );
  const legend = tierNames.map((tier) => ({ name: tier, colour: TIER_COLOURS[tier] ?? colour.grey }));
  const values = shown.flatMap((bar) =>
    tierNames.map((tier, k) => ({
      method: bar.name,
      tier,
      order: k,
      bytes: bar.tiers.reduce((sum, each) => sum + (each.tier === tier ? each.memoryBytesPerGpu : 0), 0),
    })),
  );
  const limits = [
    { limit: "budget", bytes: budget },
    ...(hbm !== null && hbm <= most * 1.5 ? [{ limit: "GPU memory", bytes: hbm }] : []),
  ];
  return {
    id: `${id}-memory`,
    title: "Memory per GPU",
    description:
      `Memory per GPU by tier, of each method; the line is the budget of ${byteText(budget)}.` +
      (hbm === null ? "" : ` A GPU has ${byteText(hbm)}.`) +
      notDrawn(bars, shown, ({ bytesPerGpu }) => byteText(bytesPerGpu)),
    legend,
    spec: {
      ...specHead(barsHeight(shown.length)),
      layer: [
        {
          data: { values },
          transform: [
            { calculate: `datum.bytes / ${size}`, as: "memory" },
            {
              calculate: `datum.method + ', ' + datum.tier + ': ' + format(datum.memory, '.5~g') + ${vegaLiteral(` ${unit}`)}`,
              as: "text",
            },
          ],
          mark: { type: "bar", stroke: colour.ground, strokeWidth: 1 },
          encoding: {
            y: { field: "method", type: "nominal", sort: order, title: null, axis: { labelLimit: 260 } },
            x: { field: "memory", type: "quantitative", title: `memory per GPU, ${unit}`, axis: { tickCount: 5 } },
            color: colouredBy("tier", legend),
            order: { field: "order" },
            description: { field: "text" },
          },
        },
        {
          data: { values: limits },
          transform: [{ calculate: `datum.bytes / ${size}`, as: "memory" }],
          mark: { type: "rule", color: colour.text, strokeWidth: 2, strokeDash: [6, 3] },
          encoding: { x: { field: "memory", type: "quantitative" }, description: { field: "limit" } },
        },
      ],
    },
    numbers: {
      head: ["method", "bytes per GPU", "budget, bytes per GPU", "within"],
      rows: bars.map(({ name, bytesPerGpu, isWithin }) => [name, bytesPerGpu, budget, isWithin ? "yes" : "no"]),
    },
  };
}
