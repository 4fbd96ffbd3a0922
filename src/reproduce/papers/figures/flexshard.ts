import { type Chart, type ChartGroup, colouredBy, shapedBy, specHead } from "../../../report/chart.js";
import { colour } from "../../../report/palette.js";
import { percent, significant } from "../../../text/units.js";
import { exposedMilliseconds } from "../../flexshard/numbers.js";
import type { FlexShardReproduction, ModelReproduction } from "../../flexshard/reproduction.js";
import { dotFigure, dotsOf, lineFigure, OURS, OURS_ALONE, PAPER, type Series } from "./shapes.js";

const PERCENT = { format: "~p" };

/** FlexShard's figures 3, 5, 6 and 7, table 6's times, and its plans above the proved optima. */
export function flexShardFigures({ figure3, models }: FlexShardReproduction): readonly Chart[] {
  return [
    figure3Chart(figure3),
    reductionChart(models),
    ...figure5Charts(models),
    fasterChart(models),
    timesChart(models),
    ...optimaCharts(models),
  ];
}

function figure3Chart({ plot, memoryBreakPoint, communicationBreakPoint }: FlexShardReproduction["figure3"]): Chart {
  const series: readonly Series[] = [
    { name: "memory", colour: colour.blue, mark: "line" },
    { name: "communication", colour: colour.orange, mark: "line" },
  ];
  const points = plot.flatMap(({ appearances: x, ...over }) =>
    (["memory", "communication"] as const).map((name) => {
      return { series: name, x, y: over[name], text: `${name} ${significant(over[name], 3)}` };
    }),
  );
  const chart = lineFigure(
    {
      id: "flexshard-figure-3",
      title: "Figure 3: replicating a row over sharding it row-wise",
      description: `Below the line at 1 it pays to replicate a row: in memory from ${significant(memoryBreakPoint, 4)} appearances in a sample on, in communication from ${significant(communicationBreakPoint, 4)}. ${OURS_ALONE}`,
    },
    series,
    points,
    {
      x: {
        title: "appearances in a sample",
        scale: { type: "log", nice: false },
        axis: { format: ".0e", grid: false },
      },
      y: { title: "data-parallel over row-wise", scale: { type: "log" }, axis: { format: "~g", grid: false } },
    },
    { hasPoints: false },
  );
  const even = {
    data: { values: [{ even: 1 }] },
    mark: { type: "rule", color: colour.muted, strokeDash: [3, 3] },
    encoding: { y: { field: "even", type: "quantitative" } },
  };
  return { ...chart, spec: { ...chart.spec, layer: [...(chart.spec.layer as readonly object[]), even] } };
}

const POINT_MARKS = { a: "A", b: "B", c: "C" } as const;

function figure5Charts(models: readonly ModelReproduction[]): readonly Chart[] {
  const group: ChartGroup = {
    title: "Figure 5: replicating ever more of the hottest rows",
    description: `Memory per GPU and exposed time over those with all rows row-wise, in steps of 0.1 % of the rows: A saves the most memory, B needs as much as before; C, the least time, is farther on. The paper's is of one production table and has no numbers: these are of our four models alone.`,
    legend: [],
  };
  const pointed = { description: { field: "text" } };
  // Of the points without a name, or of those with one.
  const only = (is: "===" | "!==", mark: object, encoding: object) => ({
    transform: [{ filter: `datum.name ${is} ''` }],
    mark,
    encoding,
  });
  return models.map(({ model, figure5: { curve, points } }): Chart => {
    const at = ({ rows, extraBytesPerGpu, extraSeconds }: (typeof curve)[number], name = "") => ({
      name,
      rows,
      memory: extraBytesPerGpu / 2 ** 30,
      time: extraSeconds * 1000,
    });
    const named = (["a", "b", "c"] as const).map((key) => at(points[key], POINT_MARKS[key]));
    const last = curve.at(-1)?.rows ?? 0;
    const shown = [...curve.map((point) => at(point)), ...named.filter(({ rows }) => rows <= last)];
    const values = shown.sort((a, b) => a.rows - b.rows);
    const x = { field: "time", type: "quantitative", title: "ms", axis: { tickCount: 4, grid: false } };
    const y = { field: "memory", type: "quantitative", title: "GiB", axis: { tickCount: 4 } };
    const text = {
      calculate:
        "format(datum.rows, ',') + ' rows: ' + format(datum.memory, '+.3~f') + ' GiB, ' + format(datum.time, '+.3~f') + ' ms'",
      as: "text",
    };
    return {
      id: `flexshard-figure-5-${model.toLowerCase()}`,
      title: model,
      description: `Memory per GPU over exposed time of ${model}.`,
      group,
      spec: {
        ...specHead(150),
        width: 240,
        data: { values },
        transform: [text],
        encoding: { x, y },
        layer: [
          { mark: { type: "line", color: colour.blue, strokeWidth: 2 }, encoding: { order: { field: "rows" } } },
          only("===", { type: "point", filled: true, size: 18, color: colour.blue, opacity: 1 }, pointed),
          only("!==", { type: "point", filled: true, size: 60, color: colour.vermilion, opacity: 1 }, pointed),
          only("!==", { type: "text", dx: 10, dy: -4 }, { text: { field: "name" } }),
        ],
      },
      numbers: {
        head: ["point", "rows", "GiB per GPU", "ms"],
        rows: values.map(({ name, rows, memory, time }) => [name, rows, memory, time]),
      },
    };
  });
}

function reductionChart(models: readonly ModelReproduction[]): Chart {
  const predicted: Series = { name: "the paper, predicted", colour: colour.orange, mark: "triangle-up" };
  const observed: Series = { ...PAPER, name: "the paper, observed" };
  const dots = models.flatMap(({ model, shardings }) =>
    shardings.flatMap(({ sharding, reduction }) => {
      if (sharding === "RW") return [];
      const row = `${model} ${sharding}`;
      const beside = [
        [OURS, reduction.ours],
        [predicted, reduction.predicted],
        [observed, reduction.observed],
      ] as const;
      return beside.flatMap(([series, value]) =>
        dotsOf(series, row, value, (share) => `${row}, ${series.name}: ${percent(share)}`),
      );
    }),
  );
  return dotFigure(
    {
      id: "flexshard-figure-6",
      title: "Figure 6: less traffic in the global all-to-all",
      description:
        "Against all rows row-wise. Predicted and observed are tables 5 and 6 of the paper; ours is as the paper predicts, and where they differ so do we.",
    },
    [OURS, predicted, observed],
    dots,
    { title: "reduction", axis: PERCENT, scale: { zero: false } },
  );
}

function fasterChart(models: readonly ModelReproduction[]): Chart {
  const dots = models.flatMap(({ model, shardings }) => {
    const [before] = shardings.filter(({ sharding }) => sharding === "RW").map(exposedMilliseconds);
    if (before === undefined) return [];
    return shardings.flatMap((each) => {
      if (each.sharding === "RW") return [];
      const after = exposedMilliseconds(each);
      const row = `${model} ${each.sharding}`;
      const text = (series: Series) => (factor: number) => `${row}, ${series.name}: ${significant(factor, 3)} times`;
      return [
        ...dotsOf(OURS, row, before.ours / after.ours, text(OURS)),
        ...dotsOf(PAPER, row, before.published / after.published, text(PAPER)),
      ];
    });
  });
  return dotFigure(
    {
      id: "flexshard-figure-7",
      title: "Figure 7: communication, times faster than row-wise",
      description:
        "Time in allToAllGlobal and allReduceGlobal, the rest hidden behind them. The paper's is from its table 6; ours by the times fitted to that table.",
    },
    [OURS, PAPER],
    dots,
    { title: "times faster", scale: { zero: true } },
    { isBar: true },
  );
}

const COLLECTIVES: readonly Series[] = [
  { name: "allToAllGlobal", colour: colour.blue, mark: "circle" },
  { name: "allToAllIntra", colour: colour.sky, mark: "square" },
  { name: "allReduceGlobal", colour: colour.vermilion, mark: "triangle-up" },
  { name: "allReduceCross", colour: colour.orange, mark: "diamond" },
];

function timesChart(models: readonly ModelReproduction[]): Chart {
  const values = models.flatMap(({ model, shardings }) =>
    shardings.flatMap(({ sharding, milliseconds }) =>
      milliseconds.map(({ collective, predicted, published }) => ({
        collective,
        ours: predicted,
        paper: published,
        text: `${model} ${sharding}, ${collective}: ${significant(predicted, 3)} ms, paper ${published} ms`,
      })),
    ),
  );
  const axis = { tickCount: 5, format: "~g", grid: false };
  const domain = [1.5, 400];
  const scale = { type: "log", domain, nice: false };
  return {
    id: "flexshard-table-6",
    title: "Table 6: milliseconds per iteration",
    description:
      "Every measured time against ours, both on logarithmic scales; on the line they are equal. Ours are fitted: a bandwidth for each collective, and for all-reduces a latency, over all its cells.",
    legend: COLLECTIVES,
    spec: {
      ...specHead(260),
      layer: [
        {
          data: { values: domain.map((at) => ({ paper: at, ours: at })) },
          mark: { type: "line", color: colour.muted, strokeDash: [3, 3], strokeWidth: 1 },
          encoding: { x: { field: "paper", type: "quantitative" }, y: { field: "ours", type: "quantitative" } },
        },
        {
          data: { values },
          mark: { type: "point", filled: true, size: 60, opacity: 0.9 },
          encoding: {
            x: { field: "paper", type: "quantitative", title: "the paper, ms", scale, axis },
            y: { field: "ours", type: "quantitative", title: "ours, ms", scale, axis },
            color: colouredBy("collective", COLLECTIVES),
            shape: shapedBy("collective", COLLECTIVES),
            description: { field: "text" },
          },
        },
      ],
    },
    numbers: {
      head: ["what", "ours, ms", "paper, ms"],
      rows: values.map(({ text, ours, paper }) => [text.slice(0, text.indexOf(":")), ours, paper]),
    },
  };
}

function optimaCharts(models: readonly ModelReproduction[]): readonly Chart[] {
  const series: readonly Series[] = [
    { name: "3-tier", colour: colour.orange, mark: "triangle-up" },
    { name: "2-tier", colour: colour.vermilion, mark: "square" },
  ];
  const dots = models.flatMap(({ model, optima }) =>
    optima.flatMap(({ objective, plans }) =>
      plans
        .filter(({ sharding }) => sharding !== "RW")
        .map(({ sharding, aboveOptimum }) => ({
          row: `${model}, ${objective}`,
          series: sharding,
          value: aboveOptimum,
          text: `${model}, ${objective}, ${sharding}: ${percent(aboveOptimum)} above`,
        })),
    ),
  );
  if (dots.length === 0) return [];
  return [
    dotFigure(
      {
        id: "flexshard-optima",
        title: "Not in the paper: its plans above the proved optima",
        description:
          "How far the paper's greedy plans are above the proved optimum of each model under each reading of the time. The three-tier plan is near it where collectives that can overlap count as free (exposed), and not where all are in series.",
      },
      series,
      dots,
      { title: "above the proved optimum", axis: PERCENT, scale: { type: "sqrt", zero: true } },
    ),
  ];
}
