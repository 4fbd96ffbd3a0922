import { NOTHING, type PlanTable } from "../problems/plan-table.js";
import { PLAN_GROUPS, type PlanGroup, type RewardCheck } from "../problems/table-placement/methods/reward-check.js";
import type { MeanAndDeviation, MethodMeasure } from "../reproduce/autoshard/method-measure.js";
import { WITHOUT } from "../reproduce/autoshard/numbers.js";
import type {
  Ablation,
  AutoShardReproduction,
  CostErrors,
  SetErrors,
  SplitGain,
} from "../reproduce/autoshard/reproduction.js";
import { only, type Said } from "../text/said.js";
import { count, percent, significant } from "../text/units.js";
import { type PaperSection, paperTable } from "./section.js";

export const AUTOSHARD_NOTE = `The paper measures on GPUs (2080 Ti, fp16); here costs are those of CPUs (fp32), and plans are judged by a network that learned
them. Milliseconds cannot be set beside the paper's, nor balances and speed-ups number by number: their order can. In figures 8,
9 and 11 methods that go by predicted costs go by the judge's own, free of errors that the paper's have; in table 2 and figure
10 by networks trained anew, where plans are predicted-greedy's and the paper's a policy's.`;

/** AutoShard's tables 2 and 3 and figures 8 to 11 beside ours, and what the paper says of them. */
export function autoShardSections(reproduction: AutoShardReproduction): readonly PaperSection[] {
  const { figure8, figure10, figure11, table2, table3, reward, splits, scale } = reproduction;
  const tasks = `${count(scale.tasks)} ${scale.tasks === 1 ? "task" : "tasks"}`;
  const part = <T>(data: T | null, tableOf: (data: T) => PlanTable) => (data === null ? null : [tableOf(data)]);
  return [
    {
      id: "figures-8-9",
      title: `Figures 8 and 9: 80 tables on 8 devices, ${tasks}`,
      parts: part(figure8, methodsTable),
    },
    {
      id: "figure-11",
      title: "Figure 11: more tables and devices, nothing learned anew",
      parts: part(figure11, (rows) =>
        sizesTable(rows.map((row) => [`${count(row.tables)} × ${count(row.devices)}`, row.methods])),
      ),
    },
    { id: "table-3", title: "Table 3: errors of the cost network", parts: part(table3, errorsTable) },
    {
      id: "figure-10",
      title: `Figure 10: tables that the network never saw, 80 on 8 devices, ${tasks} each`,
      parts: part(figure10, unseenTable),
    },
    {
      id: "table-2",
      title: `Table 2: predicted-greedy with features left out, ${tasks}`,
      parts: part(table2, ablationsTable),
    },
    {
      id: "reward",
      title: `Not in the paper: pairs of plans of a task of which its reward prefers the slower, ${tasks}`,
      parts: part(reward, rewardTable),
    },
    {
      id: "splits",
      title: `Not in the paper: tables cut by columns into up to four parts, ${tasks}`,
      parts: part(splits, splitsTable),
    },
    { id: "claims", title: "What the paper says, and whether it is so here", parts: [claimsTable(reproduction)] },
  ];
}

function methodsTable(methods: NonNullable<AutoShardReproduction["figure8"]>): PlanTable {
  const rows = methods.map(({ published, ...measure }) => [
    measure.method,
    ...measured(measure),
    published === null ? NOTHING : percent(published.balance),
    published === null ? NOTHING : significant(published.speedup, 4),
  ]);
  return paperTable(
    "Balance and speed-up by method",
    ["method", "tasks", "balance", "speed-up", "paper", "paper"],
    rows,
    "lrrrrr",
  );
}

function sizesTable(sizes: readonly (readonly [string, readonly MethodMeasure[]])[]): PlanTable {
  const rows = sizes.flatMap(([size, methods]) =>
    methods.map((measure, m) => [m === 0 ? size : "", measure.method, ...measured(measure)]),
  );
  return paperTable(
    "Balance and speed-up by size",
    [only("page", "tables × devices"), "method", "tasks", "balance", "speed-up"],
    rows,
    "llrrr",
  );
}

function unseenTable(shares: NonNullable<AutoShardReproduction["figure10"]>): PlanTable {
  const rows = shares.flatMap(({ unseenShare, methods, published: { balance, speedup } }) =>
    methods.map((measure, m) => [
      m === 0 ? `${count(100 * unseenShare)} %` : "",
      measure.method,
      ...measured(measure),
      ...(measure.method === "predicted-greedy"
        ? [`at least ${count(100 * balance)} %`, `about ${count(speedup)}`]
        : [NOTHING, NOTHING]),
    ]),
  );
  return paperTable(
    "Balance and speed-up by share of unseen tables",
    ["unseen", "method", "tasks", "balance", "speed-up", "paper", "paper"],
    rows,
    "llrrrrr",
  );
}

function errorsTable(errors: readonly CostErrors[]): PlanTable {
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
  return paperTable(
    "Errors of the cost network",
    [
      ...["learned from", "sets", "tables", "sets", "each", "unseen", "mean ms"],
      ...["error ms", "of mean", "squared", "paper ms", "squared"],
    ],
    rows,
    "lrlrrrrrrrrr",
  );
}

function ablationsTable(ablations: readonly Ablation[]): PlanTable {
  const rows = ablations.map(({ without, meanAbsoluteError, measure, published }) => [
    without === null ? "nothing" : WITHOUT[without],
    meanAbsoluteError === null ? NOTHING : significant(meanAbsoluteError, 4),
    ...measured(measure),
    percent(published.balance),
    significant(published.speedup, 4),
  ]);
  return paperTable(
    "Balance and speed-up without a feature",
    ["without", "error ms", "tasks", "balance", "speed-up", "paper", "paper"],
    rows,
    "lrrrrrr",
  );
}

const GROUPS: Readonly<Record<PlanGroup, string>> = {
  methods: "of the methods above",
  random: "random",
  policy: "drawn from the policy",
  all: "all of these",
};

function rewardTable(reward: RewardCheck): PlanTable {
  const rows = PLAN_GROUPS.map((group) => {
    const { plans, pairs, misled, meanExcess } = reward[group];
    const share = pairs === 0 ? NOTHING : percent(misled / pairs);
    return [...[GROUPS[group], count(plans), count(pairs), share], misled === 0 ? NOTHING : percent(meanExcess)];
  });
  return paperTable(
    "Pairs of plans",
    ["plans", only("page", "how many"), "pairs", "slower preferred", "slower by, mean"],
    rows,
    "lrrrr",
  );
}

function splitsTable(splits: readonly SplitGain[]): PlanTable {
  const rows = splits.map(({ method, tasks, placed, whole, split, gain, better, shardsMore }) => [
    method === "simulated-annealing" ? "simulated-annealing, on its shards" : method,
    placed === tasks ? count(tasks) : `${count(placed)} of ${count(tasks)}`,
    whole === null ? NOTHING : significant(whole.mean, 5),
    split === null ? NOTHING : significant(split.mean, 5),
    spread(gain, (share) => `${(100 * share).toFixed(2).replace("-", "−")} %`),
    `${count(better)} of ${count(placed)}`,
    shardsMore === null ? NOTHING : significant(shardsMore, 3),
  ]);
  return paperTable(
    "Largest device cost, whole tables and cut ones",
    ["method", "tasks", "whole ms", "cut ms", "gained", "faster on", "shards more"],
    rows,
    "lrrrrrr",
  );
}

function claimsTable({ claims }: AutoShardReproduction): PlanTable {
  const rows = claims.map(({ where, says, holds }) => [where, says, holds === null ? NOTHING : holds ? "yes" : "no"]);
  return paperTable(
    "Statements of the paper",
    [only("page", "where"), only("page", "the paper says"), "here"],
    rows,
    "lll",
  );
}

function measured({ tasks, placed, balance, speedup }: MethodMeasure): [Said, Said, Said] {
  return [
    placed === tasks ? count(tasks) : `${count(placed)} of ${count(tasks)}`,
    spread(balance, (share) => `${(100 * share).toFixed(1)} %`),
    spread(speedup, (factor) => factor.toFixed(3)),
  ];
}

function spread(value: MeanAndDeviation | null, show: (number: number) => string): Said {
  return value === null ? NOTHING : `${show(value.mean)} ± ${show(value.deviation)}`;
}
