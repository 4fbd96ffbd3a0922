import { NOTHING, type PlanTable } from "../problems/plan-table.js";
import type {
  Beside,
  FlexShardReproduction,
  ModelReproduction,
  ShardingReproduction,
} from "../reproduce/flexshard/reproduction.js";
import type { Said } from "../text/said.js";
import { bytes, count, percent, relativeGap, significant } from "../text/units.js";
import { type PaperSection, paperTable } from "./section.js";

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

function eachSharding<T>(
  models: readonly ModelReproduction[],
  row: (model: string, sharding: ShardingReproduction) => T[],
) {
  return models.flatMap(({ model, shardings }) => shardings.flatMap((sharding) => row(model, sharding)));
}

function figure3Table({ curve }: FlexShardReproduction["figure3"]): PlanTable {
  const rows = curve.map(({ appearances, memory, communication }) => [
    appearances.toExponential(0),
    significant(memory, 4),
    significant(communication, 4),
  ]);
  return paperTable(
    "Data-parallel over row-wise, by appearances in a sample",
    ["appearances", "memory", "communication"],
    rows,
    "rrr",
  );
}

function figure5Table(models: readonly ModelReproduction[]): PlanTable {
  const rows = models.flatMap(({ model, figure5: { points } }) =>
    (["a", "b", "c"] as const).map((name) => {
      const { rows: replicated, extraBytesPerGpu, extraSeconds } = points[name];
      return [
        model,
        POINTS[name],
        count(replicated),
        bytes(extraBytesPerGpu),
        `${extraSeconds < 0 ? "−" : ""}${significant(Math.abs(extraSeconds) * 1000, 4)}`,
      ];
    }),
  );
  const head = ["model", "point", "rows replicated", "memory per GPU", "exposed ms"];
  return paperTable("Memory and exposed time over all rows row-wise", head, withoutRepeats(rows, 1), "llrrr");
}

const POINTS = { a: "A, most memory saved", b: "B, as much memory", c: "C, least time" } as const;

function rowsTable(models: readonly ModelReproduction[]): PlanTable {
  const rows = eachSharding(models, (model, { sharding, tiers }) =>
    sharding === "RW"
      ? []
      : tiers.map(({ tier, rows: ofTier, share }) => [
          model,
          sharding,
          tier,
          ...beside(ofTier, count),
          difference(ofTier),
          ...beside(share, percent),
        ]),
  );
  return paperTable(
    "Rows and shares of accesses",
    ["model", "sharding", "tier", "rows", "paper", "off by", "accesses", "paper"],
    withoutRepeats(rows, 2),
    "lllrrrrr",
  );
}

function elementsTable(models: readonly ModelReproduction[]): PlanTable {
  const rows = eachSharding(models, (model, { sharding, allToAllGlobalElements, reduction, extraBytesPerGpu }) => [
    [
      model,
      sharding,
      ...beside(allToAllGlobalElements, (value) => count(Math.round(value))),
      sharding === "RW" ? NOTHING : percent(reduction.ours),
      reduction.predicted === null ? NOTHING : percent(reduction.predicted),
      reduction.observed === null ? NOTHING : percent(reduction.observed),
      bytes(extraBytesPerGpu),
    ],
  ]);
  return paperTable(
    "Elements per GPU and direction, and the reduction",
    ["model", "sharding", "elements", "paper", "reduction", "paper, predicted", "paper, observed", "extra memory"],
    withoutRepeats(rows, 1),
    "llrrrrrr",
  );
}

function timesTable(models: readonly ModelReproduction[]): PlanTable {
  const rows = eachSharding(models, (model, { sharding, milliseconds }) =>
    milliseconds.map(({ collective, predicted, published, relativeError }) => [
      model,
      sharding,
      collective,
      significant(predicted, 4),
      count(published),
      signed(relativeError),
    ]),
  );
  return paperTable(
    "Milliseconds per iteration",
    ["model", "sharding", "collective", "ms", "paper", "off by"],
    withoutRepeats(rows, 2),
    "lllrrr",
  );
}

function fitsTable({ fits }: FlexShardReproduction): PlanTable {
  return paperTable(
    "Fitted times",
    ["collective", "latency ms", "GB/s", "cells", "residuals"],
    fits.map(({ collective, latencySeconds, bytesPerSecond, cells }) => [
      collective,
      significant(latencySeconds * 1000, 3),
      significant(bytesPerSecond / 1e9, 4),
      count(cells.length),
      cells.map(({ residual }) => signed(residual)).join(" "),
    ]),
    "lrrrl",
  );
}

function optimaTable(models: readonly ModelReproduction[]): PlanTable {
  const rows = models.flatMap(({ model, optima }) =>
    optima.map(({ objective, status, seconds, provedGap, plans }) => [
      model,
      objective,
      significant(seconds * 1000, 6),
      status,
      relativeGap(provedGap),
      ...["RW", "2-tier", "3-tier"].map((name) => {
        const plan = plans.find(({ sharding }) => sharding === name);
        return plan === undefined ? NOTHING : `+${percent(plan.aboveOptimum)}`;
      }),
    ]),
  );
  return paperTable(
    "Exact plans, and how far above them the paper's are",
    ["model", "objective", "exact ms", "status", "gap", "RW", "2-tier", "3-tier"],
    withoutRepeats(rows, 1),
    "llrlrrrr",
  );
}

function beside({ ours, published }: Beside, text: (value: number) => string): [Said, Said] {
  return [text(ours), published === null ? NOTHING : text(published)];
}

function difference({ ours, published }: Beside): Said {
  return published === null || published === 0 ? NOTHING : signed((ours - published) / published, 2);
}

function signed(share: number, decimals = 1): string {
  const text = `${(Math.abs(share) * 100).toFixed(decimals)} %`;
  return `${share < 0 ? "−" : "+"}${text}`;
}

/** The first columns of a row are left empty where they repeat those of the row before. */
function withoutRepeats(rows: readonly (readonly Said[])[], columns: number): Said[][] {
  return rows.map((row, index) =>
    row.map((cell, column) => {
      if (column >= columns || index === 0) return cell;
      const before = rows[index - 1] as readonly Said[];
      return row.slice(0, column + 1).every((text, k) => text === before[k]) ? "" : cell;
    }),
  );
}
