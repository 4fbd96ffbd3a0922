import { NOTHING, type PlanTable } from "../../facts/plan-table.js";
import { bytes, count, percent, relativeGap, significant } from "../../text/units.js";
import type { FlexShardReproduction, ModelReproduction, ShardingReproduction } from "../flexshard/reproduction.js";
import { orNothing, type PaperColumn, type PaperSection, paperTable, signedPercent } from "./section.js";

/** FlexShard's tables 5 and 6 beside ours, the fit of the bandwidths, and the proved optima. */
export function flexShardSections(reproduction: FlexShardReproduction): readonly PaperSection[] {
  const { models, figure3 } = reproduction;
  const hasOptima = models.some(({ optima }) => optima.length > 0);
  return [
    {
      id: "figure-3",
      title: `Figure 3: a replicated row over a row-wise one; even in memory at ${significant(figure3.memoryBreakPoint, 4)}, in communication at ${significant(figure3.communicationBreakPoint, 4)} appearances per sample`,
      parts: [figure3Table(figure3)],
    },
    {
      id: "figure-5",
      title: "Figure 5: replicating more of the hottest rows, against all rows row-wise",
      parts: [figure5Table(models)],
    },
    { id: "table-5", title: "Table 5: rows and shares of accesses per tier", parts: [rowsTable(models)] },
    {
      id: "figure-6",
      title: "Table 6: global all-to-all, elements per GPU and direction",
      parts: [elementsTable(models)],
    },
    {
      id: "figure-7",
      title: "Table 6: milliseconds per iteration, times fitted over all cells",
      parts: [timesTable(models)],
    },
    {
      id: "fits",
      title: `Fitted times: latency + bytes / bandwidth (median relative error ${percent(reproduction.medianRelativeError)})`,
      parts: [fitsTable(reproduction)],
    },
    {
      id: "optima",
      title: "Exact plans with their proved gaps, and how far above them the paper's plans are",
      parts: [hasOptima ? optimaTable(models) : { lines: ["left out (--quick)"] }],
    },
  ];
}

const MODEL: PaperColumn<{ readonly model: string }> = ["model", "l", ({ model }) => model, "once"];
const SHARDING: PaperColumn<{ readonly sharding: string }> = ["sharding", "l", ({ sharding }) => sharding, "once"];

/** Rows of every sharding of every model, with their names. */
function eachSharding<Row extends object>(
  models: readonly ModelReproduction[],
  rows: (sharding: ShardingReproduction) => readonly Row[],
) {
  return models.flatMap(({ model, shardings }) =>
    shardings.flatMap((each) => rows(each).map((row) => ({ model, sharding: each.sharding, ...row }))),
  );
}

function figure3Table({ curve }: FlexShardReproduction["figure3"]): PlanTable {
  return paperTable("Data-parallel over row-wise, by appearances in a sample", curve, [
    ["appearances", "r", ({ appearances }) => appearances.toExponential(0)],
    ["memory", "r", ({ memory }) => significant(memory, 4)],
    ["communication", "r", ({ communication }) => significant(communication, 4)],
  ]);
}

function figure5Table(models: readonly ModelReproduction[]): PlanTable {
  const rows = models.flatMap(({ model, figure5: { points } }) =>
    (["a", "b", "c"] as const).map((point) => ({ model, point, ...points[point] })),
  );
  const milliseconds = (seconds: number) => `${seconds < 0 ? "−" : ""}${significant(Math.abs(seconds) * 1000, 4)}`;
  return paperTable("Memory and exposed time over all rows row-wise", rows, [
    MODEL,
    ["point", "l", ({ point }) => POINTS[point]],
    ["rows replicated", "r", (row) => count(row.rows)],
    ["memory per GPU", "r", ({ extraBytesPerGpu }) => bytes(extraBytesPerGpu)],
    ["exposed ms", "r", ({ extraSeconds }) => milliseconds(extraSeconds)],
  ]);
}

const POINTS = { a: "A, most memory saved", b: "B, as much memory", c: "C, least time" } as const;

function rowsTable(models: readonly ModelReproduction[]): PlanTable {
  return paperTable(
    "Rows and shares of accesses",
    eachSharding(models, ({ sharding, tiers }) => (sharding === "RW" ? [] : tiers)),
    [
      MODEL,
      SHARDING,
      ["tier", "l", ({ tier }) => tier],
      ["rows", "r", ({ rows }) => count(rows.ours)],
      ["paper", "r", ({ rows }) => orNothing(rows.published, count)],
      [
        "off by",
        "r",
        ({ rows }) => orNothing(rows.published || null, (paper) => signedPercent((rows.ours - paper) / paper, 2)),
      ],
      ["accesses", "r", ({ share }) => percent(share.ours)],
      ["paper", "r", ({ share }) => orNothing(share.published, percent)],
    ],
  );
}

function elementsTable(models: readonly ModelReproduction[]): PlanTable {
  const elements = (number: number) => count(Math.round(number));
  return paperTable(
    "Elements per GPU and direction, and the reduction",
    eachSharding(models, (sharding) => [sharding]),
    [
      MODEL,
      SHARDING,
      ["elements", "r", (row) => elements(row.allToAllGlobalElements.ours)],
      ["paper", "r", (row) => orNothing(row.allToAllGlobalElements.published, elements)],
      ["reduction", "r", ({ sharding, reduction }) => (sharding === "RW" ? NOTHING : percent(reduction.ours))],
      ["paper, predicted", "r", ({ reduction }) => orNothing(reduction.predicted, percent)],
      ["paper, observed", "r", ({ reduction }) => orNothing(reduction.observed, percent)],
      ["extra memory", "r", ({ extraBytesPerGpu }) => bytes(extraBytesPerGpu)],
    ],
  );
}

function timesTable(models: readonly ModelReproduction[]): PlanTable {
  return paperTable(
    "Milliseconds per iteration",
    eachSharding(models, ({ milliseconds }) => milliseconds),
    [
      MODEL,
      SHARDING,
      ["collective", "l", ({ collective }) => collective],
      ["ms", "r", ({ predicted }) => significant(predicted, 4)],
      ["paper", "r", ({ published }) => count(published)],
      ["off by", "r", ({ relativeError }) => signedPercent(relativeError, 1)],
    ],
  );
}

function fitsTable({ fits }: FlexShardReproduction): PlanTable {
  return paperTable("Fitted times", fits, [
    ["collective", "l", ({ collective }) => collective],
    ["latency ms", "r", ({ latencySeconds }) => significant(latencySeconds * 1000, 3)],
    ["GB/s", "r", ({ bytesPerSecond }) => significant(bytesPerSecond / 1e9, 4)],
    ["cells", "r", ({ cells }) => count(cells.length)],
    ["residuals", "l", ({ cells }) => cells.map(({ residual }) => signedPercent(residual, 1)).join(" ")],
  ]);
}

function optimaTable(models: readonly ModelReproduction[]): PlanTable {
  const rows = models.flatMap(({ model, optima }) => optima.map((optimum) => ({ model, ...optimum })));
  const above = (name: string): PaperColumn<(typeof rows)[number]> => [
    name,
    "r",
    ({ plans }) => {
      const plan = plans.find(({ sharding }) => sharding === name);
      return plan === undefined ? NOTHING : `+${percent(plan.aboveOptimum)}`;
    },
  ];
  return paperTable("Exact plans, and how far above them the paper's are", rows, [
    MODEL,
    ["objective", "l", ({ objective }) => objective],
    ["exact ms", "r", ({ seconds }) => significant(seconds * 1000, 6)],
    ["status", "l", ({ status }) => status],
    ["gap", "r", ({ provedGap }) => relativeGap(provedGap)],
    ...["RW", "2-tier", "3-tier"].map(above),
  ]);
}
