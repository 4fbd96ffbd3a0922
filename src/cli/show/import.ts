import type { PlacementProblem } from "../../../models/table-placement/problem.js";
import { notesOf } from "../../../models/table-placement/space.js";
import { amongText, leftOutText } from "../../problems/table-placement/facts.js";
import type { InstanceFile } from "../../problems/table-placement/import-problem.js";
import type { ShardingPlanScore } from "../../problems/table-placement/score.js";
import { facts, paint, paragraph, table } from "../../terminal/table.js";
import { withinWords } from "../../text/optimality.js";
import { printable } from "../../text/printable.js";
import {
  aboveText,
  aboveWhat,
  bytes,
  bytesInUnits,
  count,
  percent,
  significant,
  significantBelow,
  some,
} from "../../text/units.js";

/** Digits of costs. */
const DIGITS = 6;

/** Shards of the costliest device listed before only their number is. */
const MAX_SHARDS = 20;

/** Broken limits listed before only their number is. */
const MAX_VIOLATIONS = 4;

/** An imported problem as a person reads it. */
export function showImported(
  instance: InstanceFile,
  file: string,
  costsOf: string,
  problem: PlacementProblem | null,
): string {
  const options = instance.tables.reduce((sum, { options = [] }) => sum + options.length, 0);
  const listed = options === 0 ? "" : `, ${count(options)} options`;
  const title = `${paint.bold(printable(instance.name))}  ${paint.dim(`instance of table placement, cost model ${instance.costModel}`)}`;
  const leftOut = problem?.leftOut ?? [];
  const { notes = [] } = problem === null ? {} : notesOf(problem, null);
  const lines = [
    ...leftOut.map((one) => `\n  left out: ${printable(leftOutText(one))}`),
    ...notes.map((one) => `\n  note: ${printable(one)}`),
  ];
  return `${title}\n\n  ${some(instance.tables.length, "table")}${listed}, costs of ${costsOf}${lines.join("")}\n\nwrote ${file}\n`;
}

/** What a sharding plan is worth, as a person reads it. */
export function showScore(score: ShardingPlanScore): string {
  const title = `${paint.bold(printable(score.instance.name))}  ${paint.dim(`sharding plan ${printable(score.file)}`)}`;
  return `${[title, showBottleneck(score), showFacts(score), showVerdict(score)].join("\n\n")}\n`;
}

/** What lies on the costliest device. */
function showBottleneck({ bottleneck: { device, shards }, objective: { unit } }: ShardingPlanScore): string {
  const withHost = shards.some(({ hostBytes }) => hostBytes > 0);
  const withSsd = shards.some(({ ssdBytes = 0 }) => ssdBytes > 0);
  const rows = shards
    .slice(0, MAX_SHARDS)
    .map((shard) => [
      printable(shard.table),
      count(shard.shard),
      printable(shard.shardingType),
      printable(shard.kernel),
      significant(shard.cost, DIGITS),
      bytes(shard.hbmBytes),
      ...(withHost ? [bytes(shard.hostBytes)] : []),
      ...(withSsd ? [bytes(shard.ssdBytes ?? 0)] : []),
    ]);
  const head = ["table", "shard", "sharding", "kernel", unit === null ? "cost" : `cost ${printable(unit)}`, "memory"];
  const further = [...(withHost ? ["host memory"] : []), ...(withSsd ? ["SSD"] : [])];
  const grid = table([...head, ...further], rows, `lrllrr${"r".repeat(further.length)}`);
  const rest = shards.length - rows.length;
  const all = shards.reduce((sum, { cost }) => sum + cost, 0);
  const more =
    rest === 0 ? "" : `\n  ${paint.dim(`and ${count(rest)} more shards; all of them cost ${amount(all, unit)}`)}`;
  return `  on device ${device}, the costliest:\n\n${grid}${more}`;
}

function amount(value: number, unit: string | null, digits = significant): string {
  return unit === null ? digits(value, DIGITS) : `${digits(value, DIGITS)} ${printable(unit)}`;
}

function showFacts(score: ShardingPlanScore): string {
  const { objective, bottleneck, violations, better, deviceCosts, notes = [] } = score;
  const { kind, value, bound, gap, unit } = objective;
  const mean = deviceCosts.reduce((sum, cost) => sum + cost, 0) / deviceCosts.length;
  const largest = amount(bottleneck.cost, unit);
  const where = paint.dim(`(device ${bottleneck.device}; mean ${amount(mean, unit)})`);
  const isLargest = kind === "largest-device-cost";
  const pairs: [string, string][] = [
    ...(isLargest ? [] : [["sum of phase maxima", paint.bold(amount(value, unit))] as [string, string]]),
    ["largest device cost", `${isLargest ? paint.bold(largest) : largest}  ${where}`],
  ];
  if (bound !== null) pairs.push(["proved bound", amount(bound, unit, significantBelow)]);
  if (gap !== null) pairs.push(["above the bound", aboveText(gap)]);
  for (const violation of violations.slice(0, MAX_VIOLATIONS)) {
    pairs.push(["breaks a limit", paint.red(printable(bytesInUnits(violation)))]);
  }
  const rest = violations.length - MAX_VIOLATIONS;
  if (rest > 0) pairs.push(["breaks limits", `${count(rest)} more, see --json`]);
  for (const one of notes) pairs.push(["note", printable(one)]);
  if (better !== null)
    pairs.push(["better plan", `${paint.bold(amount(better.value, unit))}${savedText(better.saved)}`]);
  return facts(pairs);
}

function savedText(saved: number | null): string {
  if (saved === null) return "";
  if (saved === 0) return ", as much, but better by the instance's other goals or limits";
  return saved > 0 ? `, ${percent(saved)} less` : `, ${percent(-saved)} more, but within the limits`;
}

/** How good the given plan is. */
function showVerdict(score: ShardingPlanScore): string {
  return paragraph(verdictOf(score));
}

function verdictOf(score: ShardingPlanScore): string {
  const { status, search, better, isOptimal, objective } = score;
  const { gap } = objective;
  const above = gap === null ? "" : ` — ${aboveWhat(gap, "the proved bound")}`;
  if (search === "infeasible")
    return `${paint.red("infeasible")}: no plan${amongText(score)} is within the limits of the instance, this one neither`;
  if (search === null) {
    if (status === "plan")
      return `${paint.green("scored")}: within all limits in exact arithmetic; no better plan was sought`;
    return `${paint.red("breaks limits")}: the given plan is none that the instance allows`;
  }
  if (status === "breaks-limits") {
    const other = better === null ? "no plan within them was found" : "there is one that keeps to them";
    return `${paint.red("breaks limits")}: the given plan is none that the instance allows; ${other}`;
  }
  if (better !== null) return `${paint.yellow("better exists")}: the given plan is not the best${above}`;
  if (isOptimal) return `${paint.green("optimal")}: no plan${amongText(score)} is better than the given one`;
  if (search === "proved") return `the given plan is ${paint.green(withinWords(gap))}${amongText(score)}`;
  return `${paint.yellow("not proved")}: none better than the given plan was found${above}; raise --time-limit`;
}
