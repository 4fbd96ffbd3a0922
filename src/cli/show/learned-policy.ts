import type { Fit } from "../../cost/neural/fit.js";
import type { PolicyMeasure } from "../../problems/table-placement/methods/autoshard/policy-training.js";
import type { PolicyReward } from "../../problems/table-placement/methods/autoshard/rewards.js";
import type { TasksOrigin } from "../../problems/table-placement/methods/autoshard/tasks-file.js";
import { facts, paint, table } from "../../terminal/table.js";
import { count, percent, significant } from "../../text/units.js";
import { rootError } from "./learned-cost.js";

/** A point of a learning curve. */
export interface CurvePoint {
  /** Tables placed so far. */
  readonly steps: number;
  /** Of the episodes since the point before, drawn from the policy. */
  readonly meanReward: number;
  /** Where the cost network learns too: its mean squared error on the sets of these episodes, before it learned from them; ms². */
  readonly costError?: number;
}

/** What `learn-policy` found: also its JSON. */
export interface LearnedPolicy extends TasksOrigin {
  readonly shardproof: 1;
  readonly method: "autoshard-rl";
  /** The file of the cost network. */
  readonly cost: string;
  /** Where the cost network learned beside the policy. */
  readonly joint?: JointlyLearned;
  readonly reward: PolicyReward;
  readonly seed: number;
  readonly askedSteps: number;
  /** Episodes are learned from in whole batches: perhaps more; fewer where somebody stopped it. */
  readonly steps: number;
  readonly curve: readonly CurvePoint[];
  readonly test: PolicyMeasure;
  readonly timing: { readonly trainSeconds: number };
}

/** How a cost network learned beside a policy. */
export interface JointlyLearned {
  /** The file of the weights that stand for the hardware: what they predict was taken for measured. */
  readonly oracle: string;
  /** Measured sets that are kept. */
  readonly buffer: number;
  readonly measuredSets: number;
  /** How well the cost network predicts the sets of the policy's plans for the test tasks; `null` without such tasks. */
  readonly testFit: Fit | null;
}

/** How a policy learned, and what it makes of the tasks that it did not learn from. */
export function showLearnedPolicy(learned: LearnedPolicy): string {
  const { method, tasks, cost, joint, reward, seed, askedSteps, steps, curve, test, timing } = learned;
  const stopped = steps < askedSteps ? ` of ${count(askedSteps)}, stopped` : "";
  const lines: [string, string][] = [
    ["tasks", `${tasks.file}: ${count(tasks.train)} to learn from, ${count(tasks.devices)} devices`],
    ["cost", cost],
    ...(joint === undefined ? [] : jointLines(joint)),
    ["learned", `${count(steps)} tables placed${stopped}; reward ${reward}, seed ${seed}`],
    ["time", `${significant(timing.trainSeconds, 3)} s`],
    ...measureLines(test),
  ];
  const rows = curve.map(({ steps, meanReward, costError }) => [
    ...[count(steps), meanReward.toFixed(4)],
    ...(costError === undefined ? [] : [rootError(costError)]),
  ]);
  const head = ["tables placed", "mean reward", ...(joint === undefined ? [] : ["cost error"])];
  const shown = rows.length === 0 ? "" : `\n${table(head, rows, "r".repeat(head.length))}\n`;
  return `${paint.bold(method)}\n\n${facts(lines)}\n${shown}`;
}

function jointLines({ oracle, buffer, measuredSets, testFit }: JointlyLearned): [string, string][] {
  const kept = `the newest ${count(buffer)} kept`;
  const measured: [string, string] = [
    "measured",
    `${count(measuredSets)} sets, ${kept}; by ${oracle}, in the place of hardware`,
  ];
  if (testFit === null) return [measured];
  const { sets, meanAbsoluteError, rSquared } = testFit;
  const explained = rSquared === null ? "" : `, R² ${rSquared.toFixed(4)}`;
  const error = `mean absolute error ${significant(meanAbsoluteError, 4)} ms${explained}`;
  return [measured, ["cost fit", `${error} on ${count(sets)} sets of the policy's plans for the test tasks`]];
}

function measureLines({ tasks, placed, meanBalance, meanLargest }: PolicyMeasure): [string, string][] {
  if (tasks === 0) return [];
  if (meanBalance === null || meanLargest === null) return [["test", `no plan for any of ${count(tasks)} tasks`]];
  const none = placed < tasks ? `; no plan for ${count(tasks - placed)}` : "";
  const means = `balance ${percent(meanBalance)}, largest device cost ${significant(meanLargest, 6)} ms`;
  return [["test", `${count(placed)} tasks: ${means} on average${none}`]];
}
