import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import type { NetworkTable } from "../../cost/neural/features.js";
import type { SetPart } from "../../cost/neural/set-cost.js";
import {
  checkReward,
  misledInAll,
  PLAN_GROUPS,
  type RewardCheck,
} from "../../problems/table-placement/methods/reward-check.js";
import { METHODS, mean, summary, type Work } from "./measured-methods.js";
import type { MethodName, SplitGain } from "./reproduction.js";
import { type Guide, type Task, type TaskProblem, taskProblem } from "./task-problem.js";

/** Parts that a table may be cut into. */
const MAX_SHARDS = 4;

/**
 * How often AutoShard's reward, the smallest over the largest device cost, prefers the slower of two plans of a task: the plans of
 * every method, random ones, and those that the policy draws. Pairs are of one task; the counts are over all tasks.
 */
export function rewardOnTasks(tasks: readonly Task[], guide: Guide, work: Work): RewardCheck {
  const checks = tasks.map((task, number) => {
    const { problem, instance, setCost } = taskProblem(task, guide);
    const found = (Object.keys(METHODS) as MethodName[]).flatMap((method) => {
      work.step(`reward, task ${number + 1} of ${tasks.length}, ${method}`);
      const result = METHODS[method](problem, { seed: 0, instance });
      if (result.kind !== "plan") return [];
      return [evaluatePlacement(problem, result.placement).deviceCosts.map((cost) => cost.toNumber())];
    });
    return checkReward(problem, setCost, found, { seed: 0, instance });
  });
  const together = PLAN_GROUPS.map((group) => {
    const ofTasks = checks.map((check) => check[group]);
    return [group, { plans: ofTasks.reduce((sum, { plans }) => sum + plans, 0), ...misledInAll(ofTasks) }];
  });
  return Object.fromEntries(together) as RewardCheck;
}

/**
 * What cutting tables by columns gains: the largest device cost of `neuroshard-search` on whole tables and with column halvings
 * allowed, and that of `simulated-annealing` on whole tables and on the shards that `neuroshard-search` chose.
 */
export function splitGains(tasks: readonly Task[], guide: Guide, work: Work): readonly SplitGain[] {
  const pairs = tasks.map((task, number) => {
    const on = (method: MethodName, how: string, of: Task, mostShards = 1) => {
      work.step(`splits, task ${number + 1} of ${tasks.length}, ${method} ${how}`);
      return shardsOf(of, taskProblem(of, guide, mostShards), method);
    };
    const whole = on("neuroshard-search", "on whole tables", task);
    const split = on("neuroshard-search", "with splits", task, MAX_SHARDS);
    const annealed = on("simulated-annealing", "on whole tables", task);
    const onShards = split && on("simulated-annealing", "on shards", { ...task, tables: split.shards });
    const more = split === null ? 0 : split.shards.length - task.tables.length;
    return {
      "neuroshard-search": { whole, split, more },
      "simulated-annealing": { whole: annealed, split: onShards, more },
    };
  });
  return (["neuroshard-search", "simulated-annealing"] as const).map((method): SplitGain => {
    const found = pairs.flatMap((pair) => {
      const { whole, split, more } = pair[method];
      return whole === null || split === null ? [] : [{ whole: whole.largest, split: split.largest, more }];
    });
    return {
      method,
      tasks: tasks.length,
      placed: found.length,
      whole: summary(found.map(({ whole }) => whole)),
      split: summary(found.map(({ split }) => split)),
      gain: summary(found.map(({ whole, split }) => (whole - split) / whole)),
      better: found.filter(({ whole, split }) => split < whole).length,
      shardsMore: found.length === 0 ? null : mean(found.map(({ more }) => more)),
    };
  });
}

/** The shards of a method's plan, each as a table of its own, and the largest device cost in ms; `null` without a plan. */
function shardsOf(
  { tables }: Task,
  { problem, instance, setCost }: TaskProblem,
  method: MethodName,
): { readonly shards: readonly NetworkTable[]; readonly largest: number } | null {
  const result = METHODS[method](problem, { seed: 0, instance });
  if (result.kind !== "plan") return null;
  const shards = result.placement.choices.flatMap(({ option, devices }, t) =>
    devices.map((_, shard): NetworkTable => {
      const { dim } = setCost.parts[setCost.partOf(t, option, shard)] as SetPart;
      return { ...(tables[t] as NetworkTable), dim };
    }),
  );
  return { shards, largest: evaluatePlacement(problem, result.placement).largest.toNumber() };
}
