import type { PolicyMeasure } from "../../heuristics/table-placement/autoshard/policy-training.js";
import type { PolicyReward } from "../../heuristics/table-placement/autoshard/rewards.js";
import { facts, paint, table } from "./table.js";
import { count, percent, significant } from "./units.js";

/** A point of a learning curve. */
export interface CurvePoint {
  /** Tables placed so far. */
  readonly steps: number;
  /** Of the episodes since the point before, drawn from the policy. */
  readonly meanReward: number;
}

/** What `learn-policy` found: also its JSON. */
export interface LearnedPolicy {
  readonly shardproof: 1;
  readonly method: "autoshard-rl";
  readonly tasks: {
    readonly file: string;
    readonly sha256: string;
    readonly train: number;
    readonly test: number;
    readonly devices: number;
  };
  /** The file of the cost network. */
  readonly cost: string;
  readonly reward: PolicyReward;
  readonly seed: number;
  readonly askedSteps: number;
  /** Episodes are learned from in whole batches: perhaps more; fewer where somebody stopped it. */
  readonly steps: number;
  readonly curve: readonly CurvePoint[];
  readonly test: PolicyMeasure;
  readonly timing: { readonly trainSeconds: number };
}

/** How a policy learned, and what it makes of the tasks that it did not learn from. */
export function showLearnedPolicy({
  method,
  tasks,
  cost,
  reward,
  seed,
  askedSteps,
  steps,
  curve,
  test,
  timing,
}: LearnedPolicy): string {
  const stopped = steps < askedSteps ? ` of ${count(askedSteps)}, stopped` : "";
  const lines: [string, string][] = [
    ["tasks", `${tasks.file}: ${count(tasks.train)} to learn from, ${count(tasks.devices)} devices`],
    ["cost", cost],
    ["learned", `${count(steps)} tables placed${stopped}; reward ${reward}, seed ${seed}`],
    ["time", `${significant(timing.trainSeconds, 3)} s`],
    ...measureLines(test),
  ];
  const rows = curve.map((point) => [count(point.steps), point.meanReward.toFixed(4)]);
  const shown = rows.length === 0 ? "" : `\n${table(["tables placed", "mean reward"], rows, "rr")}\n`;
  return `${paint.bold(method)}\n\n${facts(lines)}\n${shown}`;
}

function measureLines({ tasks, placed, meanBalance, meanLargest }: PolicyMeasure): [string, string][] {
  if (tasks === 0) return [];
  if (meanBalance === null || meanLargest === null) return [["test", `no plan for any of ${count(tasks)} tasks`]];
  const none = placed < tasks ? `; no plan for ${count(tasks - placed)}` : "";
  const means = `balance ${percent(meanBalance)}, largest device cost ${significant(meanLargest, 6)} ms`;
  return [["test", `${count(placed)} tasks: ${means} on average${none}`]];
}
