import { PLAN_GROUPS, type PlanGroup, type RewardCheck } from "../../problems/table-placement/methods/reward-check.js";
import type { MeanAndDeviation, MethodMeasure } from "../../reproduce/autoshard/method-measure.js";
import type {
  Ablation,
  AutoShardReproduction,
  CostErrors,
  SetErrors,
  SplitGain,
} from "../../reproduce/autoshard/reproduction.js";
import { nothing, paint, table } from "../../terminal/table.js";
import { count, percent, significant } from "../../text/units.js";

const NOTE = `The paper measures on GPUs (2080 Ti, fp16); here costs are those of CPUs (fp32), and plans are judged by a network that learned
them. Milliseconds cannot be set beside the paper's, nor balances and speed-ups number by number: their order can. In figures 8,
9 and 11 methods that go by predicted costs go by the judge's own, free of errors that the paper's have; in table 2 and figure
10 by networks trained anew, where plans are predicted-greedy's and the paper's a policy's.`;

const WITHOUT: Readonly<Record<NonNullable<Ablation["without"]>, string>> = {
  "cost model": "cost model (lookup-greedy)",
  dim: "dimension",
  rows: "hash size",
  poolingFactor: "pooling factor",
  size: "size",
  accessBins: "distribution",
};

/** AutoShard's tables 2 and 3 and figures 8 to 11 beside ours, and what the paper says of them. */
export function showAutoShard(reproduction: AutoShardReproduction): string {
  const { figure8, figure10, figure11, table2, table3, reward, splits, scale } = reproduction;
  const tasks = `${count(scale.tasks)} ${scale.tasks === 1 ? "task" : "tasks"}`;
  const sections: (readonly [string, string | null])[] = [
    [`Figures 8 and 9: 80 tables on 8 devices, ${tasks}`, figure8 && showMethods(figure8)],
    [
      "Figure 11: more tables and devices, nothing learned anew",
      figure11 && showSizes(figure11.map((row) => [`${count(row.tables)} × ${count(row.devices)}`, row.methods])),
    ],
    ["Table 3: errors of the cost network", table3 && showErrors(table3)],
    [`Figure 10: tables that the network never saw, 80 on 8 devices, ${tasks} each`, figure10 && showUnseen(figure10)],
    [`Table 2: predicted-greedy with features left out, ${tasks}`, table2 && showAblations(table2)],
    [
      `Not in the paper: pairs of plans of a task of which its reward prefers the slower, ${tasks}`,
      reward && showReward(reward),
    ],
    [`Not in the paper: tables cut by columns into up to four parts, ${tasks}`, splits && showSplits(splits)],
    ["What the paper says, and whether it is so here", showClaims(reproduction)],
  ];
  const shown = sections.map(([title, body]) => `${paint.bold(title)}\n\n${body ?? "  not reached in the time limit"}`);
  return `${[NOTE, ...shown].join("\n\n")}\n`;
}

function showMethods(methods: NonNullable<AutoShardReproduction["figure8"]>): string {
  const rows = methods.map(({ published, ...measure }) => [
    measure.method,
    ...measured(measure),
    published === null ? nothing() : percent(published.balance),
    published === null ? nothing() : significant(published.speedup, 4),
  ]);
  return table(["method", "tasks", "balance", "speed-up", "paper", "paper"], rows, "lrrrrr");
}

function showSizes(sizes: readonly (readonly [string, readonly MethodMeasure[]])[]): string {
  const rows = sizes.flatMap(([size, methods]) =>
    methods.map((measure, m) => [m === 0 ? size : "", measure.method, ...measured(measure)]),
  );
  return table(["", "method", "tasks", "balance", "speed-up"], rows, "llrrr");
}

function showUnseen(shares: NonNullable<AutoShardReproduction["figure10"]>): string {
  const rows = shares.flatMap(({ unseenShare, methods, published: { balance, speedup } }) =>
    methods.map((measure, m) => [
      m === 0 ? `${count(100 * unseenShare)} %` : "",
      measure.method,
      ...measured(measure),
      ...(measure.method === "predicted-greedy"
        ? [`at least ${count(100 * balance)} %`, `about ${count(speedup)}`]
        : [nothing(), nothing()]),
    ]),
  );
  return table(["unseen", "method", "tasks", "balance", "speed-up", "paper", "paper"], rows, "llrrrrr");
}

function showErrors(errors: readonly CostErrors[]): string {
  const line = (name: string, { published, ...own }: SetErrors) => [
    name,
    count(own.sets),
    significant(own.meanTables, 3),
    percent(own.unseenShare),
    significant(own.meanCost, 4),
    significant(own.meanAbsoluteError, 4),
    percent(own.meanAbsoluteError / own.meanCost),
    significant(own.meanSquaredError, 4),
    count(published.meanAbsoluteError),
    count(published.meanSquaredError),
  ];
  const rows = errors.flatMap(({ unseenTables, trainSets, seen, unseen }) => [
    [`without ${unseenTables}`, count(trainSets), ...line("seen", seen)],
    ["", "", ...line("unseen", unseen)],
  ]);
  return table(
    [
      ...["learned from", "sets", "tables", "sets", "each", "unseen", "mean ms"],
      ...["error ms", "of mean", "squared", "paper ms", "squared"],
    ],
    rows,
    "lrlrrrrrrrrr",
  );
}

function showAblations(ablations: readonly Ablation[]): string {
  const rows = ablations.map(({ without, meanAbsoluteError, measure, published }) => [
    without === null ? "nothing" : WITHOUT[without],
    meanAbsoluteError === null ? nothing() : significant(meanAbsoluteError, 4),
    ...measured(measure),
    percent(published.balance),
    significant(published.speedup, 4),
  ]);
  return table(["without", "error ms", "tasks", "balance", "speed-up", "paper", "paper"], rows, "lrrrrrr");
}

const GROUPS: Readonly<Record<PlanGroup, string>> = {
  methods: "of the methods above",
  random: "random",
  policy: "drawn from the policy",
  all: "all of these",
};

function showReward(reward: RewardCheck): string {
  const rows = PLAN_GROUPS.map((group) => {
    const { plans, pairs, misled, meanExcess } = reward[group];
    const share = pairs === 0 ? nothing() : percent(misled / pairs);
    return [...[GROUPS[group], count(plans), count(pairs), share], misled === 0 ? nothing() : percent(meanExcess)];
  });
  return table(["plans", "", "pairs", "slower preferred", "slower by, mean"], rows, "lrrrr");
}

function showSplits(splits: readonly SplitGain[]): string {
  const rows = splits.map(({ method, tasks, placed, whole, split, gain, better, shardsMore }) => [
    method === "simulated-annealing" ? "simulated-annealing, on its shards" : method,
    placed === tasks ? count(tasks) : `${count(placed)} of ${count(tasks)}`,
    whole === null ? nothing() : significant(whole.mean, 5),
    split === null ? nothing() : significant(split.mean, 5),
    spread(gain, (share) => `${(100 * share).toFixed(2).replace("-", "−")} %`),
    `${count(better)} of ${count(placed)}`,
    shardsMore === null ? nothing() : significant(shardsMore, 3),
  ]);
  return table(["method", "tasks", "whole ms", "cut ms", "gained", "faster on", "shards more"], rows, "lrrrrrr");
}

function showClaims({ claims }: AutoShardReproduction): string {
  const rows = claims.map(({ where, says, holds }) => [where, says, holds === null ? nothing() : holds ? "yes" : "no"]);
  return table(["", "", "here"], rows, "lll");
}

function measured({ tasks, placed, balance, speedup }: MethodMeasure): [string, string, string] {
  return [
    placed === tasks ? count(tasks) : `${count(placed)} of ${count(tasks)}`,
    spread(balance, (share) => `${(100 * share).toFixed(1)} %`),
    spread(speedup, (factor) => factor.toFixed(3)),
  ];
}

function spread(value: MeanAndDeviation | null, show: (number: number) => string): string {
  return value === null ? nothing() : `${show(value.mean)} ± ${show(value.deviation)}`;
}
