import { barsHeight, type Chart, colouredBy, shapedBy, specHead, thinned } from "../report/chart.js";
import type { LegendEntry } from "../report/legend.js";
import { CATEGORIES, colour } from "../report/palette.js";
import { methodName } from "../text/optimality.js";
import { aboveText, percent } from "../text/units.js";
import type { Row } from "./row.js";
import { groupedBy, type MethodSummary } from "./summary.js";

/** Points of a profile's line: more are not told apart. */
const MAX_POINTS = 400;

/** Roots of shares: small ones are told apart, and 0 has a place. */
const SQRT = { type: "sqrt", zero: true } as const;

/** The charts of one problem. */
export function studyCharts(rows: readonly Row[], methods: readonly MethodSummary[], id: string): readonly Chart[] {
  return [...profileChart(rows, id), ...gapChart(methods, id), ...timeChart(methods, id)];
}

/**
 * Performance profiles (Dolan and Moré 2002) against the proved bound: the share of the instances on which a method is at most
 * so far above it.
 */
function profileChart(rows: readonly Row[], id: string): readonly Chart[] {
  const bounded = rows.filter(({ provedBound }) => provedBound !== null);
  const groups = groupedBy(bounded, ({ line }) => line.method);
  const lines = groups.flatMap((group, k) => {
    const [{ line }] = group as [Row, ...Row[]];
    const rising = group.flatMap(({ above }) => (above === null ? [] : [above])).sort((a, b) => a - b);
    return rising.length === 0 ? [] : [{ method: methodName(line.method), of: group.length, rising, k }];
  });
  const most = Math.max(...lines.map(({ rising }) => rising.at(-1) ?? 0));
  if (lines.length < 2 || !(most > 0)) return [];
  const values = lines.flatMap(({ method, of, rising }) => {
    const steps = rising.flatMap((above, n) => (rising[n + 1] === above ? [] : [{ above, share: (n + 1) / of }]));
    const first = rising[0] === 0 ? [] : [{ above: 0, share: 0 }];
    const last = { above: most, share: rising.length / of };
    return thinned([...first, ...steps, last], MAX_POINTS).map((point) => ({ method, ...point }));
  });
  const names = lines.map(({ method }) => method);
  const legend = names.map(
    (name, k): LegendEntry => ({
      name,
      colour: CATEGORIES[k % CATEGORIES.length] as string,
      mark: isDashed(k) ? "dashes" : "line",
    }),
  );
  return [
    {
      id: `${id}-profile`,
      title: "Performance profiles",
      description:
        "The share of all plans asked for that a method has within so much of the proved bound: the higher and the farther left, the better. A line that ends below 100 % is of a method without a plan on the others.",
      isWide: true,
      legend,
      spec: {
        ...specHead(300, true),
        data: { values },
        mark: { type: "line", interpolate: "step-after", strokeWidth: 2 },
        encoding: {
          x: {
            field: "above",
            type: "quantitative",
            title: "above the proved bound",
            scale: { ...SQRT, domain: [0, most], nice: false },
            axis: { format: "~p", tickCount: 8 },
          },
          y: {
            field: "share",
            type: "quantitative",
            title: "share of plans",
            scale: { domain: [0, 1] },
            axis: { format: "~p" },
          },
          color: { ...colouredBy("method", legend), legend: null },
          strokeDash: {
            field: "method",
            type: "nominal",
            scale: { domain: names, range: names.map((_, k) => (isDashed(k) ? [6, 3] : [1, 0])) },
            legend: null,
          },
        },
      },
      numbers: {
        head: ["method", "within", "share"],
        rows: lines.flatMap(({ method, of, rising }) =>
          [0, 0.001, 0.01, 0.05, 0.1, 0.5, 1].map((within) => [
            method,
            percent(within),
            rising.filter((above) => above <= within).length / of,
          ]),
        ),
      },
    },
  ];
}

function gapChart(methods: readonly MethodSummary[], id: string): readonly Chart[] {
  return dotChart({
    id: `${id}-gaps`,
    title: "Above the bound, by method",
    description:
      "Mean and worst distance from the proved bound, over the instances that both have; the axis has the roots of shares.",
    values: methods.flatMap(({ method, gaps }) =>
      Object.entries(gaps === null ? {} : { mean: gaps.mean, worst: gaps.worst }).map(([what, above]) =>
        dot(method, what, { above }, aboveText(above)),
      ),
    ),
    field: "above",
    marks: { mean: ["circle", colour.blue], worst: ["diamond", colour.vermilion] },
    x: { title: "above the proved bound", scale: SQRT, axis: { format: "~p", tickCount: 6 } },
  });
}

/** Seconds that are shown as so many: a clock that counts milliseconds says 0 of less. */
const SHORTEST = 0.001;

function timeChart(methods: readonly MethodSummary[], id: string): readonly Chart[] {
  return dotChart({
    id: `${id}-seconds`,
    title: "Seconds, by method",
    description: "Wall-clock seconds of a plan, proofs included, on the machines that made them.",
    values: methods.flatMap(({ method, seconds }) =>
      seconds === null
        ? []
        : (["median", "most"] as const).map((what) => {
            const [value, name] = [seconds[what], what === "most" ? "longest" : what];
            return dot(method, what, { seconds: Math.max(value, SHORTEST) }, `${value} s`, name);
          }),
    ),
    field: "seconds",
    marks: { median: ["circle", colour.blue], longest: ["diamond", colour.vermilion] },
    x: { title: "seconds", scale: { type: "log" }, axis: { format: "~g", tickCount: 5 } },
  });
}

function dot(method: string, what: string, value: Readonly<Record<string, number>>, said: string, name = what) {
  return { method: methodName(method), what: name, ...value, text: `${method}: ${what} ${said}` };
}

interface Dots {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly values: readonly ReturnType<typeof dot>[];
  readonly field: string;
  readonly marks: Readonly<Record<string, readonly ["circle" | "diamond", string]>>;
  readonly x: object;
}

/** Without values there is none. */
function dotChart({ id, title, description, values, field, marks, x }: Dots): readonly Chart[] {
  if (values.length === 0) return [];
  const names = [...new Set(values.map(({ method }) => method))];
  const legend = Object.entries(marks).map(([name, [mark, colour]]) => ({ name, colour, mark }));
  const spec = {
    ...specHead(barsHeight(names.length)),
    data: { values },
    mark: { type: "point", filled: true, size: 70, opacity: 1 },
    encoding: {
      y: { field: "method", type: "nominal", sort: names, title: null, axis: { labelLimit: 200, grid: true } },
      x: { field, type: "quantitative", ...x },
      color: { ...colouredBy("what", legend), legend: null },
      shape: { ...shapedBy("what", legend), legend: null },
      description: { field: "text" },
    },
  };
  const rows = values.map((value) => [
    value.method,
    value.what,
    (value as unknown as Record<string, number>)[field] as number,
  ]);
  return [{ id, title, description, legend, spec, numbers: { head: ["method", "", field], rows } }];
}

/** Beyond the categories there are, lines are dashed. */
function isDashed(k: number): boolean {
  return k >= CATEGORIES.length;
}
