import { facts, nothing, paint, paragraph, table } from "../../../terminal/table.js";
import { answerIn, besideBound, methodName } from "../../../text/optimality.js";
import { printable } from "../../../text/printable.js";
import { percent, relativeGap, significant, significantBelow } from "../../../text/units.js";
import { noPlanText } from "../../plan-file/stopped.js";
import { boundVerdict, proofText } from "../../show/proof.js";
import type { TowerBaseline, TowerPartitionPlan } from "../plan-file/plan-file.js";

/** Digits of values. */
const DIGITS = 6;

/** Characters for the names of a tower's features. */
const MOST_NAMES = 70;

/** Features of an infeasible instance listed by name. */
const MOST_NAMED = 12;

/** What is minimised, as people read it. */
const OBJECTIVE_NAMES = {
  pairwise: "distances inside towers",
  kmeans: "sum of squares in towers",
} as const;

/** A tower-partition plan as a person reads it. */
export function showTowers(plan: TowerPartitionPlan): string {
  const { kind, strategy } = plan.objective;
  const what = paint.dim(`tower partition, ${strategy}, ${kind}, ${methodName(plan.method)}`);
  const title = `${paint.bold(printable(plan.instance.name))}  ${what}`;
  const parts =
    plan.infeasibility !== null
      ? [showInfeasibility(plan.infeasibility)]
      : plan.towers === null
        ? []
        : [showEachTower(plan), showFacts(plan)];
  return `${[title, ...parts, showVerdict(plan)].join("\n\n")}\n`;
}

/** A line for each tower: how many features, what they add to the objective, what they carry, their names. */
function showEachTower({ towers, sizes, towerCosts, loads }: TowerPartitionPlan): string {
  const head = ["tower", "features", "cost", ...(loads ? ["load"] : []), ""];
  const rows = (towers ?? []).map((names, tower) => [
    String(tower),
    String(sizes?.[tower]),
    significant(towerCosts?.[tower] as number, DIGITS),
    ...(loads ? [significant(loads[tower] as number, DIGITS)] : []),
    namesText(names),
  ]);
  return table(head, rows, `${"r".repeat(head.length - 1)}l`);
}

/** As many names as the line has room for. */
function namesText(names: readonly string[]): string {
  let text = "";
  for (const [k, name] of names.entries()) {
    const longer = `${text}${k === 0 ? "" : ", "}${printable(name)}`;
    if (k > 0 && longer.length > MOST_NAMES) return `${text}, … ${names.length - k} more`;
    text = longer;
  }
  return text;
}

function showFacts(plan: TowerPartitionPlan): string {
  const { objective, random, claim, sizes, limits } = plan;
  const value = significant(objective.value ?? 0, DIGITS);
  const pairs: [string, string][] = [[OBJECTIVE_NAMES[objective.kind], paint.bold(value)]];
  if (objective.bound !== null) {
    const gap = `gap ${relativeGap(objective.gap ?? 0)}`;
    pairs.push(["proved bound", `${boundText(plan)}, ${gap}`]);
  }
  if (random !== null) {
    const share = random.capturedShare;
    const captured = plan.status === "proved" ? [] : capturedText(share).map((text) => `the plan ${text}`);
    pairs.push(["random partition", [significant(random.value, DIGITS), ...captured].join("; ")]);
  }
  pairs.push(["sizes", `${rangeText(sizes ?? [])}  ${paint.dim(`(${sizesAllowed(limits.sizes)})`)}`]);
  pairs.push(...loadFacts(plan));
  for (const baseline of plan.baseline) pairs.push([baseline.method, baselineText(baseline)]);
  if (claim !== null) {
    const mark = claim.agrees ? "" : paint.red("contradicts the proof: ");
    pairs.push([`solver ${claim.solver}`, `${mark}${claim.remark}`]);
  }
  return facts(pairs);
}

/** `6 … 7`, or one number where all are alike. */
export function rangeText(numbers: readonly number[], text: (value: number) => string = String): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? text(least) : `${text(least)} … ${text(most)}`;
}

function sizesAllowed(windows: TowerPartitionPlan["limits"]["sizes"]): string {
  const texts = windows.map((window) => rangeText(window));
  return `allowed: ${texts.length > 4 ? `${texts.slice(0, 3).join(", ")}, … ${texts.at(-1)}` : texts.join(", or ")}`;
}

function loadFacts({ loads, limits: { load } }: TowerPartitionPlan): [string, string][] {
  if (loads === null) return [];
  const text = (value: number) => significant(value, DIGITS);
  if (load === null) return [["loads", rangeText(loads, text)]];
  const heaviest = Math.max(...loads);
  const limit = `${text(heaviest)} of ${text(load.most)}`;
  return [["heaviest tower", `${limit} (tower ${loads.indexOf(heaviest)}; ${load.ratio} times the mean is allowed)`]];
}

function baselineText(baseline: TowerBaseline): string {
  if (baseline.value === null) return printable(noPlanText(baseline.reason));
  const value = significant(baseline.value, DIGITS);
  if (baseline.status === "breaks-limits") return `${value}, but ${printable(baseline.reason ?? "")}`;
  const { aboveBound, capturedShare } = baseline;
  const beside = besideBound(aboveBound);
  const captured = aboveBound === 0 ? [] : capturedText(capturedShare);
  const stopped = baseline.reason === null ? [] : [printable(baseline.reason)];
  return [value, ...(beside === null ? [] : [beside]), ...captured, ...stopped].join(", ");
}

function capturedText(share: number | null): readonly string[] {
  if (share === null) return [];
  return [share < 0 ? "worse than random" : `captures ${percent(share)}`];
}

function boundText({ objective: { bound, value } }: TowerPartitionPlan): string {
  if (bound === null) return "none";
  return bound === value ? significant(bound, DIGITS) : significantBelow(bound, DIGITS);
}

function showInfeasibility(infeasibility: NonNullable<TowerPartitionPlan["infeasibility"]>): string {
  const { conflict, loadNeeded, loadAllowed, relaxed, explanation, kind } = infeasibility;
  const pairs: [string, string][] = [];
  if (loadNeeded !== null) pairs.push(["load needed", paint.bold(significant(loadNeeded, DIGITS))]);
  if (loadAllowed !== null) pairs.push(["load allowed", significant(loadAllowed, DIGITS)]);
  if (relaxed !== null) pairs.push(["enough", `loadRatio ${relaxed.loadRatio}`]);
  const isOfAll = kind === "towers" || kind === "sizes" || kind === "arrangement";
  const named = conflict.slice(0, MOST_NAMED).map((name) => [printable(name)]);
  if (conflict.length > named.length) named.push([`… ${conflict.length - named.length} more, see --json`]);
  return [
    ...(pairs.length === 0 ? [] : [facts(pairs)]),
    ...(isOfAll ? [] : [table([conflict.length === 1 ? "the feature" : "the features"], named, "l")]),
    `  ${printable(explanation)}`,
  ].join("\n\n");
}

/** What is known for certain, and how. */
function showVerdict(plan: TowerPartitionPlan): string {
  return paragraph(verdictOf(plan));
}

function verdictOf(plan: TowerPartitionPlan): string {
  const { status, objective, request, proof, timing } = plan;
  if (status === "unknown") {
    const found = plan.towers === null ? "no partition was found" : "no bound was proved";
    return `${paint.yellow("unknown")}: ${found} before the search ended; raise --time-limit`;
  }
  if (status === "heuristic") {
    const stopped = plan.stopped ? "; its time was over before it ended" : "";
    return `${paint.yellow("heuristic")}: within all limits in exact arithmetic; no bound was asked for${stopped}`;
  }
  const how = proof === null ? nothing() : proofText(proof, timing.proveSeconds);
  if (status === "infeasible") return `${paint.red("infeasible")}: no partition is within the limits — ${how}`;
  const bound = boundText(plan);
  const value = significant(objective.value ?? 0, DIGITS);
  const texts = { value, bound, optimum: `no partition is better than ${bound}` };
  return `${boundVerdict(answerIn(plan), texts, request.gap.toExponential())} — ${how}`;
}
