import type { CostData, Split } from "../../cost/neural/cost-data.js";
import type { SplitFits } from "../../cost/neural/learner.js";
import { Predictor } from "../../cost/neural/predict.js";
import { Training } from "../../cost/neural/train.js";
import type { TrainedNetwork } from "../../cost/neural/trained-network.js";
import { learnedCostHeuristics, tablePlacementHeuristics } from "../../problems/table-placement/methods/index.js";
import type { MeanAndDeviation, MethodMeasure, MethodName } from "./reproduction.js";
import { type Guide, type Task, type TaskProblem, taskProblem } from "./task-problem.js";

/** A method, and what predicts the costs that it goes by. */
export interface GuidedMethod {
  readonly method: MethodName;
  readonly guide: Guide;
}

export const METHODS = { ...tablePlacementHeuristics, ...learnedCostHeuristics };

/** Seeds that are tried for each random plan that fits. */
const DRAWS_PER_PLAN = 20;

/**
 * Balance and speed-up of methods over tasks, as AutoShard has them (section 5.1): every plan is judged by one network,
 * whatever its method went by. The speed-up of a plan is over the mean of some random plans of the same task.
 */
export function measureMethods(
  what: string,
  tasks: readonly Task[],
  judge: TrainedNetwork,
  methods: readonly GuidedMethod[],
  work: Work,
): readonly MethodMeasure[] {
  const balances: number[][] = methods.map(() => []);
  const speedups: number[][] = methods.map(() => []);
  for (const [number, task] of tasks.entries()) {
    const predictor = new Predictor(judge, task.tables);
    const base = randomBase(task, judge, predictor, work);
    for (const [m, { method, guide }] of methods.entries()) {
      work.step(`${what}, task ${number + 1} of ${tasks.length}, ${method}`);
      const costs = method === "random" ? base.plans : [placedCosts(method, 0, taskProblem(task, guide), predictor)];
      const found = costs.filter((plan) => plan !== null);
      if (found.length === 0) continue;
      balances[m]?.push(mean(found.map((plan) => Math.min(...plan) / Math.max(...plan))));
      speedups[m]?.push(base.largest / mean(found.map((plan) => Math.max(...plan))));
    }
  }
  return methods.map(({ method }, m) => ({
    method,
    tasks: tasks.length,
    placed: balances[m]?.length ?? 0,
    balance: summary(balances[m] as number[]),
    speedup: summary(speedups[m] as number[]),
  }));
}

/** The device costs of random plans that fit, and the mean of their largest. */
function randomBase(
  task: Task,
  judge: TrainedNetwork,
  predictor: Predictor,
  { randomPlans }: Work,
): { readonly plans: readonly (readonly number[])[]; readonly largest: number } {
  const problem = taskProblem(task, { network: judge });
  const plans: (readonly number[])[] = [];
  for (let seed = 0; seed < DRAWS_PER_PLAN * randomPlans && plans.length < randomPlans; seed++) {
    const plan = placedCosts("random", seed, problem, predictor);
    if (plan !== null) plans.push(plan);
  }
  return { plans, largest: mean(plans.map((plan) => Math.max(...plan))) };
}

/** Milliseconds of each device under a method's plan; `null` where it finds none. */
function placedCosts(
  method: MethodName,
  seed: number,
  { problem, instance }: TaskProblem,
  predictor: Predictor,
): readonly number[] | null {
  const result = METHODS[method](problem, { seed, instance });
  if (result.kind !== "plan") return null;
  const here: number[][] = problem.hbmBytes.map(() => []);
  for (const [t, { devices }] of result.placement.choices.entries()) here[devices[0] as number]?.push(t);
  return here.map((set) => predictor.cost(set));
}

/** `null` of none. */
export function summary(values: readonly number[]): MeanAndDeviation | null {
  if (values.length === 0) return null;
  const middle = mean(values);
  return { mean: middle, deviation: Math.sqrt(mean(values.map((value) => (value - middle) ** 2))) };
}

/** `NaN` of none. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** What all parts of a reproduction share: how far to go, when to stop, and whom to tell. */
export interface Work {
  /** Of a network that all sets train; those with fewer sets make more, so that all have as many updates. */
  readonly epochs: number;
  /** All measured sets. */
  readonly sets: number;
  /** Random plans per task that speed-ups are measured from: the paper's five runs. */
  readonly randomPlans: number;
  /** Tells what is being done; throws {@link Stopped} once time is up. */
  step(what: string): void;
}

/** Time is up: the part of the reproduction that is under way is left out. */
export class Stopped extends Error {}

/** Of trained networks; the shipped ones are of seed 0, and judge plans that these make. */
const SEED = 1;

/** A network with the parts that its data was parted into, and how well it fits each. */
export interface Trained extends TrainedNetwork {
  readonly split: Split;
  readonly fits: SplitFits;
}

/** A network of AutoShard's kind, trained on measured sets. */
export function trainNetwork(data: CostData, what: string, work: Work): Trained {
  const epochs = Math.round((work.epochs * work.sets) / data.sets.length);
  const training = new Training(data, { kind: "neural", epochs, seed: SEED });
  while (training.epochs < epochs) {
    work.step(`${what}, epoch ${training.epochs + 1} of ${epochs}`);
    training.epoch();
  }
  return { ...training.best(), split: training.split };
}
