import type {
  Beside,
  FlexShardReproduction,
  ModelReproduction,
  ShardingReproduction,
} from "../../reproduce/flexshard/reproduction.js";
import { nothing, paint, table } from "../../terminal/table.js";
import { bytes, count, percent, relativeGap, significant } from "../../text/units.js";

/** FlexShard's tables 5 and 6 beside ours, the fit of the bandwidths, and the proved optima. */
export function showFlexShard(reproduction: FlexShardReproduction): string {
  const { models } = reproduction;
  const { figure3 } = reproduction;
  const sections: [string, string][] = [
    [
      `Figure 3: a replicated row over a row-wise one; even in memory at ${significant(figure3.memoryBreakPoint, 4)}, in communication at ${significant(figure3.communicationBreakPoint, 4)} appearances per sample`,
      showFigure3(figure3),
    ],
    ["Table 5: rows and shares of accesses per tier", showRows(models)],
    ["Table 6: global all-to-all, elements per GPU and direction", showElements(models)],
    ["Table 6: milliseconds per iteration, times fitted over all cells", showTimes(models)],
    [
      `Fitted times: latency + bytes / bandwidth (median relative error ${percent(reproduction.medianRelativeError)})`,
      showFits(reproduction),
    ],
    ["Exact plans with their proved gaps, and how far above them the paper's plans are", showOptima(models)],
  ];
  return `${sections.map(([title, body]) => `${paint.bold(title)}\n\n${body}`).join("\n\n")}\n`;
}

function eachSharding<T>(
  models: readonly ModelReproduction[],
  row: (model: string, sharding: ShardingReproduction) => T[],
) {
  return models.flatMap(({ model, shardings }) => shardings.flatMap((sharding) => row(model, sharding)));
}

function showFigure3({ curve }: FlexShardReproduction["figure3"]): string {
  const rows = curve.map(({ appearances, memory, communication }) => [
    appearances.toExponential(0),
    significant(memory, 4),
    significant(communication, 4),
  ]);
  return table(["appearances", "memory", "communication"], rows, "rrr");
}

function showRows(models: readonly ModelReproduction[]): string {
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
  return table(
    ["model", "sharding", "tier", "rows", "paper", "off by", "accesses", "paper"],
    withoutRepeats(rows, 2),
    "lllrrrrr",
  );
}

function showElements(models: readonly ModelReproduction[]): string {
  const rows = eachSharding(models, (model, { sharding, allToAllGlobalElements, reduction, extraBytesPerGpu }) => [
    [
      model,
      sharding,
      ...beside(allToAllGlobalElements, (value) => count(Math.round(value))),
      sharding === "RW" ? nothing() : percent(reduction.ours),
      reduction.predicted === null ? nothing() : percent(reduction.predicted),
      reduction.observed === null ? nothing() : percent(reduction.observed),
      bytes(extraBytesPerGpu),
    ],
  ]);
  return table(
    ["model", "sharding", "elements", "paper", "reduction", "paper, predicted", "paper, observed", "extra memory"],
    withoutRepeats(rows, 1),
    "llrrrrrr",
  );
}

function showTimes(models: readonly ModelReproduction[]): string {
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
  return table(["model", "sharding", "collective", "ms", "paper", "off by"], withoutRepeats(rows, 2), "lllrrr");
}

function showFits({ fits }: FlexShardReproduction): string {
  return table(
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

function showOptima(models: readonly ModelReproduction[]): string {
  const rows = models.flatMap(({ model, optima }) =>
    optima.map(({ objective, status, seconds, provedGap, plans }) => [
      model,
      objective,
      significant(seconds * 1000, 6),
      status,
      relativeGap(provedGap),
      ...["RW", "2-tier", "3-tier"].map((name) => {
        const plan = plans.find(({ sharding }) => sharding === name);
        return plan === undefined ? nothing() : `+${percent(plan.aboveOptimum)}`;
      }),
    ]),
  );
  return table(
    ["model", "objective", "exact ms", "status", "gap", "RW", "2-tier", "3-tier"],
    withoutRepeats(rows, 1),
    "llrlrrrr",
  );
}

function beside({ ours, published }: Beside, text: (value: number) => string): [string, string] {
  return [text(ours), published === null ? nothing() : text(published)];
}

function difference({ ours, published }: Beside): string {
  return published === null || published === 0 ? nothing() : signed((ours - published) / published, 2);
}

function signed(share: number, decimals = 1): string {
  const text = `${(Math.abs(share) * 100).toFixed(decimals)} %`;
  return `${share < 0 ? "−" : "+"}${text}`;
}

/** The first columns of a row are left empty where they repeat those of the row before. */
function withoutRepeats(rows: readonly (readonly string[])[], columns: number): string[][] {
  return rows.map((row, index) =>
    row.map((cell, column) => {
      if (column >= columns || index === 0) return cell;
      const before = rows[index - 1] as readonly string[];
      return row.slice(0, column + 1).every((text, k) => text === before[k]) ? "" : cell;
    }),
  );
}
