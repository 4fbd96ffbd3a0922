import { interactionMatrix } from "../../../problems/tower-partition/report/tower-charts.js";
import type { Chart } from "../../../report/chart.js";
import { colour } from "../../../report/palette.js";
import { count, significant } from "../../../text/units.js";
import { PUBLISHED } from "../../dmt/published.js";
import type { DmtReproduction, ModelLine, SpeedUp } from "../../dmt/reproduction.js";
import { dotFigure, type Level, lineFigure, OURS, PAPER, type Series } from "./shapes.js";

const GPUS: readonly Series[] = [
  { name: "V100", colour: colour.orange, mark: "square" },
  { name: "A100", colour: colour.blue, mark: "circle" },
  { name: "H100", colour: colour.green, mark: "triangle-up" },
];

const MODELLED = "Ours are modelled, not measured.";

/** DMT's figures 9 to 13, and the flops of its tables. */
export function dmtFigures(reproduction: DmtReproduction): readonly Chart[] {
  const { table4, table5, speedUps, byRatio } = reproduction;
  const { figure10, figure11, figure12 } = PUBLISHED;
  const byWorld = (of: SpeedUp["family"], value: "speedUp" | "modules") =>
    speedUps
      .filter(({ family }) => family === of)
      .map(({ gpu, ranks, [value]: y }) => ({ gpu, x: ranks, y, text: `${count(ranks)} ${gpu}` }));
  const atMost = (y: number): readonly Level[] => [{ y, text: `the paper: up to ${y} times` }];
  return [
    ...matrixCharts(reproduction),
    flopsChart([...table4, ...table5.slice(1)]),
    ...(["DLRM", "DCN"] as const).map((family) =>
      gpusChart(
        {
          id: `dmt-figure-10-${family.toLowerCase()}`,
          title: `Figure 10: ${family}, speed-up over the flat exchange`,
          description: `The paper's bars have no numbers but that they reach up to ${figure10[family]} times. ${MODELLED}`,
        },
        byWorld(family, "speedUp"),
        "GPUs",
        atMost(figure10[family]),
      ),
    ),
    gpusChart(
      {
        id: "dmt-figure-11",
        title: "Figure 11: tower modules over SPTT alone, DLRM",
        description: `The paper's bars have no numbers but that they reach up to ${figure11} times. ${MODELLED}`,
      },
      byWorld("DLRM", "modules"),
      "GPUs",
      atMost(figure11),
    ),
    gpusChart(
      {
        id: "dmt-figure-12",
        title: "Figure 12: DMT 8T-DLRM over SPTT alone, by compression ratio",
        description: `On 64 GPUs. The paper's bars have no numbers but that they reach up to ${figure12} times. ${MODELLED}`,
      },
      byRatio.map(({ gpu, ratio, modules }) => ({ gpu, x: ratio, y: modules, text: `${gpu}, ratio ${ratio}` })),
      "compression ratio",
      atMost(figure12),
    ),
    latencyChart(speedUps),
  ];
}

function matrixCharts({ figure9: { features, interaction, methods } }: DmtReproduction): readonly Chart[] {
  const size = features.length;
  const rows = features.map((_, i) => interaction.slice(i * size, (i + 1) * size));
  return methods
    .filter(({ method }) => method === "tp")
    .map(({ towers }) => {
      const named = towers.map((tower) => tower.map((feature) => features[feature] as string));
      const chart = interactionMatrix(
        { towers: named, objective: { strategy: "coherent" } },
        { features, interaction: rows },
        "dmt-figure-9",
      );
      return {
        ...chart,
        title: "Figure 9: interactions, TP's towers framed",
        description: `The paper's matrix is not published: this is of a shipped, synthetic instance. ${chart.description}`,
      };
    });
}

function flopsChart(lines: readonly ModelLine[]): Chart {
  const dots = lines.flatMap(({ model, megaflops: { ours, published } }) => [
    { row: model, series: OURS.name, value: ours, text: `${model}: ${ours.toFixed(3)}` },
    { row: model, series: PAPER.name, value: published, text: `${model}, the paper: ${published}` },
  ]);
  return dotFigure(
    {
      id: "dmt-table-4",
      title: "Tables 3 to 5: million flops per sample",
      description:
        "By the layers as the paper has them, and what it leaves open inferred; the marks lie in the bars' ends.",
    },
    [OURS, PAPER],
    dots,
    { title: "million flops per sample", scale: { zero: true } },
    { isBar: true },
  );
}

/** How many times faster each GPU is, by a number that doubles. */
function gpusChart(
  words: Pick<Chart, "id" | "title" | "description">,
  all: readonly { readonly gpu: string; readonly x: number; readonly y: number; readonly text: string }[],
  by: string,
  levels: readonly Level[],
): Chart {
  const values = [...new Set(all.map(({ x }) => x))];
  return lineFigure(
    words,
    GPUS,
    all.map(({ gpu, x, y, text }) => ({ series: gpu, x, y, text: `${text}: ${y.toFixed(2)} times` })),
    {
      x: { title: by, scale: { type: "log", base: 2 }, axis: { values, format: "d" } },
      y: { title: "times faster", scale: { zero: false } },
    },
    { levels },
  );
}

function latencyChart(all: readonly SpeedUp[]): Chart {
  const found = all.filter(({ family, gpu, ranks }) => family === "DCN" && gpu === "H100" && ranks === 64);
  const parts = [
    { name: "compute", colour: colour.blue, mark: "square" as const },
    { name: "exposed exchange of embeddings", colour: colour.orange, mark: "circle" as const },
  ];
  const { compute, exchange } = PUBLISHED.figure13;
  const dots = found.flatMap((each) =>
    (["flat", "sptt", "dmt"] as const).flatMap((key) =>
      (["compute", "exchange"] as const).map((part, k) => {
        const { name } = parts[k] as (typeof parts)[number];
        const [row, value] = [EXCHANGES[key], each[key][part] * 1000];
        return { row, series: name, value, text: `${row}, ${name}: ${significant(value, 3)} ms` };
      }),
    ),
  );
  return dotFigure(
    {
      id: "dmt-figure-13",
      title: "Figures 1 and 13: an iteration of DCN on 64 H100",
      description: `The paper's bars have no numbers but that DMT computes ${compute} times and exchanges ${exchange} times faster, and that waiting takes up to 30 % of the flat iteration: the model is fitted to all three, so that they are no evidence for it.`,
    },
    parts,
    dots,
    { title: "ms", scale: { zero: true } },
  );
}

const EXCHANGES = { flat: "flat", sptt: "SPTT alone", dmt: "DMT" } as const;
