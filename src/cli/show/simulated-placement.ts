import type { LinkName, PartKind } from "../../access/traffic/placed-table.js";
import type { PlacementComparison } from "../../simulate/placement/comparisons.js";
import type { PlacementSimulation } from "../../simulate/plans/placement-plan.js";
import { facts, nothing, paint, table } from "../../terminal/table.js";
import { methodName } from "../../text/optimality.js";
import { printable } from "../../text/printable.js";
import { count, percent, some } from "../../text/units.js";
import { amount, outcomeText, scoreText } from "./simulation.js";

const LINK_NAMES: Readonly<Record<LinkName, string>> = {
  own: "own memory",
  inside: "inside hosts",
  between: "between hosts",
};

const PART_NAMES: Readonly<Record<PartKind, string>> = { whole: "", hot: "hot rows", cold: "other rows" };

/** Lines that are shown of the tables at most: first what differs, then split tables and caches. */
const MAX_LINES = 40;

/** Devices that are shown at most: those farthest from what the cost model says. */
const MAX_DEVICES = 16;

/** The simulated look-ups of a table-placement plan as a person reads it. */
export function showSimulatedPlacement(simulation: PlacementSimulation): string {
  const { instance, plan, traffic, cluster } = simulation;
  const from =
    traffic.kind === "sampled"
      ? `seed ${traffic.seed}`
      : `of ${printable(traffic.table ?? "")} in ${printable(traffic.file ?? "")}`;
  const on = `${some(traffic.batches, "batch", "batches")} on ${cluster.nodes} × ${cluster.gpusPerNode} GPUs, ${count(traffic.lookups)} look-ups${traffic.kind === "sampled" ? "," : ""} ${from}`;
  const title = `${paint.bold(printable(instance.name))}  ${paint.dim(`${traffic.kind === "sampled" ? "simulated" : "replayed"}, ${methodName(plan.method)}: ${on}`)}`;
  const parts = [title, showTables(simulation), showDevices(simulation), showFacts(simulation)];
  return `${[...parts, showVerdict(simulation)].filter((part) => part !== "").join("\n\n")}\n`;
}

function showTables({ comparisons }: PlacementSimulation): string {
  const head = ["table", "rows", "per iteration", "link", "predicted", "observed", "std. error", "z"];
  const ofTables = comparisons.filter(({ table: name }) => name !== null);
  const special = new Set(
    ofTables.filter(({ part, quantity }) => part !== "whole" || quantity === "misses").map((line) => line.table),
  );
  const isFirst = (line: PlacementComparison) => !line.within || special.has(line.table);
  const shown = new Set(
    [...ofTables.filter(isFirst), ...ofTables.filter((line) => !isFirst(line))].slice(0, MAX_LINES),
  );
  let last = "";
  let lastPart = "";
  const rows = ofTables
    .filter((line) => shown.has(line))
    .map((line) => {
      const { quantity, unit, link } = line;
      const [name, part] = [printable(line.table ?? ""), PART_NAMES[line.part ?? "whole"]];
      const isNew = name !== last;
      const isNewPart = isNew || part !== lastPart;
      [last, lastPart] = [name, part];
      const what =
        quantity === "misses" ? "misses, distinct rows" : quantity === "look-ups" ? quantity : `${quantity}, ${unit}`;
      return [isNew ? name : "", isNewPart ? part : "", what, link === null ? "" : LINK_NAMES[link], ...numbers(line)];
    });
  return table(head, rows, "llllrrrr") + moreText(ofTables.length - rows.length, "which agree");
}

function moreText(more: number, which: string): string {
  return more === 0 ? "" : `\n  ${paint.dim(`and ${count(more)} more, ${which}: --json has all`)}`;
}

function showDevices({ comparisons }: PlacementSimulation): string {
  const head = ["device", "looks up, predicted", "observed", "std. error", "z"];
  const devices = comparisons.filter(({ device }) => device !== null);
  const farthest = devices.toSorted((a, b) => ratio(b) - ratio(a)).slice(0, MAX_DEVICES);
  const shown = devices.filter((line) => farthest.includes(line));
  const rows = shown.map((line) => [String(line.device), ...numbers(line)]);
  return table(head, rows, "rrrrr") + moreText(devices.length - rows.length, "nearer");
}

function ratio({ predicted, observed }: PlacementComparison): number {
  return Math.abs(observed - predicted) / Math.max(1, predicted);
}

function numbers(line: PlacementComparison): string[] {
  const { predicted, observed, standardError } = line;
  return [
    amount(predicted),
    amount(observed),
    standardError === 0 ? nothing() : amount(standardError),
    readingText(line),
  ];
}

function readingText(line: PlacementComparison): string {
  const { reading, predicted, observed } = line;
  if (reading === "between") return paint.yellow("estimate");
  if (reading === "uneven")
    return paint.yellow(`uneven, ${observed > predicted ? "+" : "−"}${share(observed, predicted)}`);
  return scoreText(line);
}

function share(observed: number, predicted: number): string {
  return predicted === 0 ? "all" : percent(Math.abs(observed - predicted) / predicted);
}

function showFacts({ comparisons, caches, readAlike, traffic }: PlacementSimulation): string {
  const pairs: [string, string][] = [];
  for (const { table: name, cachedRows, distinct, misses, leastRecentlyUsed } of caches) {
    const rate = (rows: number) => (distinct === 0 ? "none" : percent(rows / distinct));
    const evicts =
      leastRecentlyUsed === null ? "" : `; ${rate(leastRecentlyUsed)} of one that evicts the row read longest ago`;
    pairs.push([
      `cache of ${printable(name)}`,
      `${count(cachedRows)} rows; ${rate(misses)} of ${amount(distinct)} distinct rows miss it${evicts}`,
    ]);
  }
  const ofAll = comparisons.filter(({ ofAllBags, part }) => ofAllBags !== undefined && part === "cold");
  const [counted, all] = [ofAll.map(({ predicted }) => predicted), ofAll.map(({ ofAllBags = 0 }) => ofAllBags)].map(
    (list) => list.reduce((sum, value) => sum + value, 0),
  ) as [number, number];
  if (all > counted * (1 + 1e-9)) {
    pairs.push([
      "vectors of other rows",
      `${amount(counted)} bytes predicted; ${amount(all)} where bags without an id there send one too`,
    ]);
  }
  if (readAlike.length > 0) {
    const names = readAlike.slice(0, 6).map(printable).join(", ");
    pairs.push(["rows read alike", readAlike.length > 6 ? `${names} and ${count(readAlike.length - 6)} more` : names]);
  }
  if (traffic.assumedSamplesPerGpu !== null) {
    pairs.push(["samples per GPU", `${count(traffic.assumedSamplesPerGpu)}, assumed: the cost model has no batch`]);
  }
  return facts(pairs);
}

function showVerdict({ verdict }: PlacementSimulation): string {
  const { comparisons, tooFew, between, uneven } = verdict;
  const others = [
    ...(tooFew === 0 ? [] : [`${count(tooFew)}: too few samples to tell`]),
    ...(between === 0 ? [] : [`${count(between)}: the cost model has an estimate, and what was seen allows it`]),
    ...(uneven === 0 ? [] : [`${some(uneven, "device")}: blocks of rows are not read alike`]),
  ].map((text) => `; ${text}`);
  return outcomeText(verdict, comparisons - tooFew - between - uneven, "", others.join(""));
}
