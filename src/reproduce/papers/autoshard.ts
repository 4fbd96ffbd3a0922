import { NOTHING, type PlanTable } from "../../facts/plan-table.js";
import { PLAN_GROUPS, type PlanGroup, type RewardCheck } from "../../problems/table-placement/methods/reward-check.js";
import { only, type Said } from "../../text/said.js";
import { count, percent, significant } from "../../text/units.js";
import { WITHOUT } from "../autoshard/numbers.js";
import type {
  Ablation,
  AutoShardReproduction,
  CostErrors,
  MeanAndDeviation,
  MethodMeasure,
  ScaleMeasure,
  SplitGain,
} from "../autoshard/reproduction.js";
import { orNothing, type PaperColumn, type PaperSection, paperTable } from "./section.js";

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
      parts: part(figure11, sizesTable),
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

const METHOD: PaperColumn<MethodMeasure> = ["method", "l", ({ method }) => method];

const MEASURED: readonly PaperColumn<MethodMeasure>[] = [
  ["tasks", "r", ({ placed, tasks }) => ofTasks(placed, tasks)],
  ["balance", "r", ({ balance }) => spread(balance, (share) => `${(100 * share).toFixed(1)} %`)],
  ["speed-up", "r", ({ speedup }) => spread(speedup, (factor) => factor.toFixed(3))],
];

function methodsTable(methods: NonNullable<AutoShardReproduction["figure8"]>): PlanTable {
  return paperTable("Balance and speed-up by method", methods, [
    METHOD,
    ...MEASURED,
    ["paper", "r", ({ published }) => orNothing(published?.balance ?? null, percent)],
    ["paper", "r", ({ published }) => orNothing(published?.speedup ?? null, (factor) => significant(factor, 4))],
  ]);
}

function sizesTable(sizes: readonly ScaleMeasure[]): PlanTable {
  const rows = sizes.flatMap(({ tables, devices, methods }) => {
    const size = `${count(tables)} × ${count(devices)}`;
    return methods.map((measure) => ({ ...measure, size }));
  });
  const size: PaperColumn<(typeof rows)[number]> = [only("page", "tables × devices"), "l", (row) => row.size, "once"];
  return paperTable("Balance and speed-up by size", rows, [size, METHOD, ...MEASURED]);
}

function unseenTable(shares: NonNullable<AutoShardReproduction["figure10"]>): PlanTable {
  const rows = shares.flatMap(({ unseenShare, methods, published }) =>
    methods.map((measure) => {
      return { ...measure, unseenShare, published: measure.method === "predicted-greedy" ? published : null };
    }),
  );
  return paperTable("Balance and speed-up by share of unseen tables", rows, [
    ["unseen", "l", ({ unseenShare }) => `${count(100 * unseenShare)} %`, "once"],
    METHOD,
    ...MEASURED,
    ["paper", "r", ({ published }) => (published === null ? NOTHING : `at least ${count(100 * published.balance)} %`)],
    ["paper", "r", ({ published }) => (published === null ? NOTHING : `about ${count(published.speedup)}`)],
  ]);
}

function errorsTable(errors: readonly CostErrors[]): PlanTable {
  const rows = errors.flatMap(({ unseenTables, trainSets, seen, unseen }) =>
    Object.entries({ seen, unseen }).map(([of, own]) => ({ from: `without ${unseenTables}`, trainSets, of, ...own })),
  );
  return paperTable("Errors of the cost network", rows, [
    ["learned from", "l", ({ from }) => from, "once"],
    ["sets", "r", ({ trainSets }) => count(trainSets), "once"],
    ["tables", "l", ({ of }) => of],
    ["sets", "r", ({ sets }) => count(sets)],
    ["each", "r", ({ meanTables }) => significant(meanTables, 3)],
    ["unseen", "r", ({ unseenShare }) => percent(unseenShare)],
    ["mean ms", "r", ({ meanCost }) => significant(meanCost, 4)],
    ["error ms", "r", ({ meanAbsoluteError }) => significant(meanAbsoluteError, 4)],
    ["of mean", "r", ({ meanAbsoluteError, meanCost }) => percent(meanAbsoluteError / meanCost)],
    ["squared", "r", ({ meanSquaredError }) => significant(meanSquaredError, 4)],
    ["paper ms", "r", ({ published }) => count(published.meanAbsoluteError)],
    ["squared", "r", ({ published }) => count(published.meanSquaredError)],
  ]);
}

function ablationsTable(ablations: readonly Ablation[]): PlanTable {
  const rows = ablations.map(({ measure, ...ablation }) => ({ ...measure, ...ablation }));
  return paperTable("Balance and speed-up without a feature", rows, [
    ["without", "l", ({ without }) => (without === null ? "nothing" : WITHOUT[without])],
    ["error ms", "r", ({ meanAbsoluteError }) => orNothing(meanAbsoluteError, (error) => significant(error, 4))],
    ...MEASURED,
    ["paper", "r", ({ published }) => percent(published.balance)],
    ["paper", "r", ({ published }) => significant(published.speedup, 4)],
  ]);
}

const GROUPS: Readonly<Record<PlanGroup, string>> = {
  methods: "of the methods above",
  random: "random",
  policy: "drawn from the policy",
  all: "all of these",
};

function rewardTable(reward: RewardCheck): PlanTable {
  return paperTable("Pairs of plans", PLAN_GROUPS, [
    ["plans", "l", (group) => GROUPS[group]],
    [only("page", "how many"), "r", (group) => count(reward[group].plans)],
    ["pairs", "r", (group) => count(reward[group].pairs)],
    ["slower preferred", "r", (group) => ofNone(reward[group].pairs, (pairs) => percent(reward[group].misled / pairs))],
    ["slower by, mean", "r", (group) => ofNone(reward[group].misled, () => percent(reward[group].meanExcess))],
  ]);
}

function splitsTable(splits: readonly SplitGain[]): PlanTable {
  const gained = (share: number) => `${(100 * share).toFixed(2).replace("-", "−")} %`;
  return paperTable("Largest device cost, whole tables and cut ones", splits, [
    ["method", "l", ({ method }) => `${method}${method === "simulated-annealing" ? ", on its shards" : ""}`],
    ["tasks", "r", ({ placed, tasks }) => ofTasks(placed, tasks)],
    ["whole ms", "r", ({ whole }) => (whole === null ? NOTHING : significant(whole.mean, 5))],
    ["cut ms", "r", ({ split }) => (split === null ? NOTHING : significant(split.mean, 5))],
    ["gained", "r", ({ gain }) => spread(gain, gained)],
    ["faster on", "r", ({ better, placed }) => `${count(better)} of ${count(placed)}`],
    ["shards more", "r", ({ shardsMore }) => orNothing(shardsMore, (more) => significant(more, 3))],
  ]);
}

function claimsTable({ claims }: AutoShardReproduction): PlanTable {
  return paperTable("Statements of the paper", claims, [
    [only("page", "where"), "l", ({ where }) => where],
    [only("page", "the paper says"), "l", ({ says }) => says],
    ["here", "l", ({ holds }) => (holds === null ? NOTHING : holds ? "yes" : "no")],
  ]);
}

function ofTasks(placed: number, tasks: number): string {
  return placed === tasks ? count(tasks) : `${count(placed)} of ${count(tasks)}`;
}

function ofNone(number: number, text: (number: number) => string): Said {
  return orNothing(number === 0 ? null : number, text);
}

function spread(value: MeanAndDeviation | null, show: (number: number) => string): Said {
  return value === null ? NOTHING : `${show(value.mean)} ± ${show(value.deviation)}`;
}
