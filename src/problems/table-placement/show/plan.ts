import { facts, paint, paragraph, table } from "../../../terminal/table.js";
import { answerIn, besideBound, firstGoalWords, methodName, plainText } from "../../../text/optimality.js";
import { printable } from "../../../text/printable.js";
import { bytes, count, percent, relativeGap } from "../../../text/units.js";
import { noPlanText } from "../../plan-file/stopped.js";
import { boundVerdict, proofText } from "../../show/proof.js";
import type { PlacementBaseline, TablePlacementPlan } from "../plan-file/plan-file.js";
import { showDevices } from "./devices.js";
import { amount, boundText, GOAL_NAMES, goalFacts, priceFacts } from "./goals.js";

/** Tables of an infeasible instance listed by name. */
const MOST_NAMED = 12;

/** A table-placement plan as a person reads it. */
export function showPlacement(plan: TablePlacementPlan): string {
  const title = `${paint.bold(printable(plan.instance.name))}  ${paint.dim(`table placement, ${methodName(plan.method)}`)}`;
  const parts =
    plan.infeasibility !== null
      ? [showInfeasibility(plan.infeasibility)]
      : plan.devices === null
        ? []
        : [showDevices(plan), showFacts(plan)];
  return `${[title, ...parts, showVerdict(plan)].join("\n\n")}\n`;
}

function showFacts(plan: TablePlacementPlan): string {
  const { objective, claim, deviceCosts } = plan;
  const value = objective.value ?? 0;
  const costs = deviceCosts ?? [];
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
  const largest = Math.max(...costs);
  const bottlenecks = costs.flatMap((cost, device) => (cost === largest ? [device] : []));
  const smallest = `mean ${amount(plan, mean)}, smallest ${amount(plan, Math.min(...costs))}`;
  const isPhased = objective.kind === "sum-of-phase-maxima";
  const beside = isPhased
    ? `(largest device ${amount(plan, largest)}; ${smallest})`
    : `(${devicesText(bottlenecks)}; ${smallest})`;
  const pairs: [string, string][] = [
    [GOAL_NAMES[objective.kind], `${paint.bold(amount(plan, value))}  ${paint.dim(beside)}`],
  ];
  if (objective.bound !== null) {
    const gap = `gap ${relativeGap(objective.gap ?? 0)}`;
    pairs.push(["proved bound", `${boundText(plan, objective)}, ${gap}`]);
  }
  pairs.push(...goalFacts(plan));
  pairs.push(...memoryFacts(plan));
  const mix = optionMix(plan);
  if (mix !== null) pairs.push(["options", mix]);
  for (const baseline of plan.baseline) pairs.push([baseline.method, baselineText(plan, baseline)]);
  pairs.push(...priceFacts(plan));
  if (claim !== null) {
    const mark = claim.agrees ? "" : paint.red("contradicts the proof: ");
    pairs.push([`solver ${claim.solver}`, `${mark}${claim.remark}`]);
  }
  return facts(pairs);
}

function devicesText(devices: readonly number[]): string {
  if (devices.length === 1) return `device ${devices[0]}`;
  return devices.length <= 4 ? `devices ${devices.join(", ")}` : `${count(devices.length)} devices`;
}

function memoryFacts({ memory, deviceBytes }: TablePlacementPlan): [string, string][] {
  const { hbmBytesPerGpu: limits, hostIsPooled, hostBytesPerGpu, deviceHostBytes } = memory;
  const pairs: [string, string][] = [];
  if (limits !== null && deviceBytes !== null) {
    const fullest = argmax(deviceBytes.map((used, d) => share(used, limits[d] as number)));
    const used = deviceBytes[fullest] as number;
    const limit = limits[fullest] as number;
    pairs.push([
      "fullest device",
      `${bytes(used)} of ${bytes(limit)} (device ${fullest}, ${percent(share(used, limit))})`,
    ]);
  }
  if (deviceHostBytes !== null && hostBytesPerGpu !== null && !hostIsPooled) {
    const fullest = argmax(deviceHostBytes.map((used, d) => share(used, hostBytesPerGpu[d] as number)));
    const used = deviceHostBytes[fullest] as number;
    pairs.push([
      "fullest host part",
      `${bytes(used)} of ${bytes(hostBytesPerGpu[fullest] as number)} (device ${fullest})`,
    ]);
  }
  return pairs;
}

function share(used: number, limit: number): number {
  return limit === 0 ? (used === 0 ? 0 : 1) : used / limit;
}

function argmax(values: readonly number[]): number {
  return values.reduce((best, value, index) => (value > (values[best] as number) ? index : best), 0);
}

/** How many tables take each way to be sharded; `null` where all take the only one there is. */
function optionMix({ tables }: TablePlacementPlan): string | null {
  const numbers = new Map<string, number>();
  for (const { shardingType, kernel } of tables) {
    const name = `${printable(shardingType)} ${printable(kernel)}`;
    numbers.set(name, (numbers.get(name) ?? 0) + 1);
  }
  if (numbers.size === 1 && numbers.has("table_wise fused")) return null;
  return [...numbers]
    .sort(([, a], [, b]) => b - a)
    .map(([name, number]) => `${name} ${count(number)}`)
    .join(", ");
}

function baselineText(plan: TablePlacementPlan, baseline: PlacementBaseline): string {
  if (baseline.value === null) return printable(noPlanText(baseline.reason));
  const value = amount(plan, baseline.value);
  if (baseline.status === "breaks-limits") return `${value}, but ${printable(baseline.reason ?? "")}`;
  const beside = besideBound(baseline.aboveBound, plan.second !== null);
  const stopped = baseline.reason === null ? [] : [printable(baseline.reason)];
  return [value, ...(beside === null ? [] : [beside]), ...stopped].join(", ");
}

function showInfeasibility(infeasibility: NonNullable<TablePlacementPlan["infeasibility"]>): string {
  const { bytesNeeded, bytesAvailable, leastExtraBytesPerDevice, relaxed, conflict, memory } = infeasibility;
  const pairs: [string, string][] = [];
  if (bytesNeeded !== null && bytesAvailable !== null) {
    pairs.push(
      ["needed", `${paint.bold(bytes(bytesNeeded))} of ${memory} memory (${count(bytesNeeded)} B)`],
      ["there", `${bytes(bytesAvailable)} (${count(bytesAvailable)} B)`],
    );
  }
  if (leastExtraBytesPerDevice !== null) {
    pairs.push([
      "every device needs",
      `at least ${bytes(leastExtraBytesPerDevice)} more (${count(leastExtraBytesPerDevice)} B)`,
    ]);
  }
  if (relaxed !== null) {
    pairs.push([
      "enough",
      `${bytes(relaxed.extraBytesPerDevice)} more on every device (${count(relaxed.extraBytesPerDevice)} B)`,
    ]);
  }
  const named = conflict.slice(0, MOST_NAMED).map((name) => [printable(name)]);
  if (conflict.length > named.length) named.push([`… ${count(conflict.length - named.length)} more, see --json`]);
  const head = conflict.length === 1 ? "the table that is too much" : "the tables that are too much together";
  return [
    ...(pairs.length === 0 ? [] : [facts(pairs)]),
    table([head], named, "l"),
    `  ${printable(infeasibility.explanation)}`,
  ].join("\n\n");
}

/** What is known for certain, and how. */
function showVerdict(plan: TablePlacementPlan): string {
  return paragraph(verdictOf(plan));
}

function verdictOf(plan: TablePlacementPlan): string {
  const { status, request, objective, second } = plan;
  if (status === "unknown") {
    const found =
      plan.devices === null
        ? "no plan was found within the limits, and no proof that there is none"
        : "no bound was proved before the search ended";
    return `${paint.yellow("unknown")}: ${found}; raise --time-limit`;
  }
  if (status === "heuristic") {
    const stopped = plan.stopped ? "; its time was over before it ended" : "";
    return `${paint.yellow("heuristic")}: within all limits in exact arithmetic; no bound was asked for${stopped}`;
  }
  const how = plan.proof === null ? "" : proofText(plan.proof, plan.timing.proveSeconds);
  if (status === "infeasible") return `${paint.red("infeasible")}: no plan is within the limits — ${how}`;
  const bound = boundText(plan, objective);
  const texts = { value: amount(plan, objective.value ?? 0), bound, optimum: `no plan is better than ${bound}` };
  const asked = request.gap.toExponential();
  const isFirstProved = objective.gap !== null && objective.gap <= request.gap;
  if (status === "feasible" && second !== null && isFirstProved) {
    const first = plainText(firstGoalWords(answerIn(plan), texts));
    return `${paint.yellow("second goal not proved")} to the gap of ${asked}; the first is: ${first} — ${how}`;
  }
  return `${boundVerdict(answerIn(plan), texts, asked)} — ${how}`;
}
