import type { Chart } from "../../../report/chart.js";
import { colour } from "../../../report/palette.js";
import { count, percent } from "../../../text/units.js";
import { WITHOUT } from "../../autoshard/numbers.js";
import { PUBLISHED } from "../../autoshard/published.js";
import type {
  Ablation,
  AutoShardReproduction,
  BesidePublished,
  MethodMeasure,
  ScaleMeasure,
  UnseenMeasure,
} from "../../autoshard/reproduction.js";
import { dotFigure, dotsOf, lineFigure, OURS, OURS_ALONE, PAPER, type Series } from "./shapes.js";

/** The two numbers of every placement. */
const MEASURES = {
  balance: {
    title: "balance",
    axis: { title: "smallest over largest device cost", axis: { format: "~p" } },
    text: percent,
  },
  speedup: {
    title: "speed-up",
    axis: { title: "times faster than random" },
    text: (value: number) => value.toFixed(3),
  },
} as const;

type Measure = keyof typeof MEASURES;
const BOTH = ["balance", "speedup"] as const;

/** Other machines: the paper's numbers stand beside ours, and are no measure of them. */
const MACHINES = "The paper's GPUs and our CPUs cost differently: the order can be compared, the numbers cannot.";

/** AutoShard's figures 8 to 11 and table 2; of what the time limit left out there is none. */
export function autoShardFigures({ figure8, figure10, figure11, table2 }: AutoShardReproduction): readonly Chart[] {
  const both = <Part>(part: Part | null, chartOf: (part: Part, measure: Measure) => Chart) =>
    part === null ? [] : BOTH.map((measure) => chartOf(part, measure));
  return [
    ...both(figure8, methodsChart),
    ...both(figure10, unseenChart),
    ...both(figure11, sizesChart),
    ...both(table2, ablationsChart),
  ];
}

function methodsChart(figure8: readonly BesidePublished[], measure: Measure): Chart {
  const { title, axis, text } = MEASURES[measure];
  const dots = figure8.flatMap(({ method, published, ...own }) => [
    ...dotsOf(OURS, method, own[measure]?.mean, (mean) => `${method}: ${text(mean)}`),
    ...dotsOf(PAPER, method, published?.[measure], (value) => `the paper's AutoShard: ${text(value)}`),
  ]);
  const spreads = figure8.flatMap(({ method, ...own }) => {
    const { mean, deviation } = own[measure] ?? { mean: 0, deviation: 0 };
    return deviation > 0 ? [{ row: method, from: mean - deviation, to: mean + deviation }] : [];
  });
  return dotFigure(
    {
      id: `autoshard-figure-8-${measure}`,
      title: `Figures 8 and 9: ${title} by method`,
      description: `Mean over the tasks; lines are one deviation. Figure 9's search of 1,000 random plans is random-search. Of the paper's figures only AutoShard's own numbers are printed. ${MACHINES}`,
    },
    [OURS, PAPER],
    dots,
    { ...axis, scale: { zero: true } },
    { isBar: true, spreads },
  );
}

const METHODS: readonly Series[] = [
  { name: "autoshard-rl", colour: colour.blue, mark: "circle" },
  { name: "predicted-greedy", colour: colour.green, mark: "diamond" },
  { name: "lookup-greedy", colour: colour.orange, mark: "square" },
  { name: "dim-greedy", colour: colour.purple, mark: "triangle-up" },
  { name: "size-greedy", colour: colour.sky, mark: "triangle-down" },
  { name: "random", colour: colour.grey, mark: "cross" },
];

function pointsOf(x: number, methods: readonly MethodMeasure[], measure: Measure, at: string) {
  const { text } = MEASURES[measure];
  return methods.flatMap(({ method, ...own }) => {
    const found = own[measure];
    return found === null ? [] : [{ series: method, x, y: found.mean, text: `${method}, ${at}: ${text(found.mean)}` }];
  });
}

function unseenChart(figure10: readonly UnseenMeasure[], measure: Measure): Chart {
  const { title, axis } = MEASURES[measure];
  const { some, all } = PUBLISHED.figure10;
  const [says, levels] =
    measure === "balance"
      ? [
          `at least ${count(100 * some.balance)} % up to 80 % unseen tables, more than ${count(100 * all.balance)} % with them alone.`,
          [some, all].map(({ balance }) => ({ y: balance, text: `the paper: at least ${count(100 * balance)} %` })),
        ]
      : [`about ${some.speedup} times.`, [{ y: some.speedup, text: `the paper: about ${some.speedup}` }]];
  return lineFigure(
    {
      id: `autoshard-figure-10-${measure}`,
      title: `Figure 10: ${title} with unseen tables`,
      description: `The paper's text: ${says} Its curves have no other numbers. ${MACHINES}`,
    },
    METHODS,
    figure10.flatMap(({ unseenShare, methods }) =>
      pointsOf(unseenShare, methods, measure, `${count(100 * unseenShare)} % unseen`),
    ),
    { x: { title: "share of unseen tables", axis: { format: "~p" } }, y: { ...axis, scale: { zero: false } } },
    { levels },
  );
}

function sizesChart(figure11: readonly ScaleMeasure[], measure: Measure): Chart {
  const { title, axis } = MEASURES[measure];
  return lineFigure(
    {
      id: `autoshard-figure-11-${measure}`,
      title: `Figure 11: ${title} with more tables`,
      description: `A tenth as many devices as tables; nothing is learned anew. ${OURS_ALONE}`,
    },
    METHODS,
    figure11.flatMap(({ tables, devices, methods }) =>
      pointsOf(tables, methods, measure, `${count(tables)} tables on ${count(devices)} devices`),
    ),
    { x: { title: "tables", scale: { zero: false } }, y: { ...axis, scale: { zero: true } } },
  );
}

function ablationsChart(table2: readonly Ablation[], measure: Measure): Chart {
  const { title, axis, text } = MEASURES[measure];
  const dots = table2.flatMap(({ without, measure: own, published }) => {
    const row = without === null ? "nothing" : WITHOUT[without];
    return [
      ...dotsOf(OURS, row, own[measure]?.mean, (mean) => `${row}: ${text(mean)}`),
      ...dotsOf(PAPER, row, published[measure], (value) => `${row}, the paper: ${text(value)}`),
    ];
  });
  return dotFigure(
    {
      id: `autoshard-table-2-${measure}`,
      title: `Table 2: ${title} without a feature`,
      description: `Plans by a cost network that does not see a feature, judged by one that does. ${MACHINES}`,
    },
    [OURS, PAPER],
    dots,
    { ...axis, scale: { zero: false } },
  );
}
