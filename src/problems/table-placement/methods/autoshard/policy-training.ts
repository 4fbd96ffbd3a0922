import type { TrainedNetwork } from "../../../../cost/neural/trained-network.js";
import { type Random, seededRandom } from "../../../../exact/random.js";
import { ActorCritic, type TrainingTask } from "./actor-critic.js";
import { placeByPolicy, type TrainedPolicy } from "./episode.js";
import type { PolicyFile, PolicyProgress } from "./policy-file.js";
import { PolicyNetwork } from "./policy-network.js";
import { BYTES_PER_GIB, meanCost, policyTask } from "./policy-task.js";
import type { PlacementTasks } from "./tasks-file.js";

/** `steps`: tables to place while learning, all in all; the learning rate falls to 0 over them. */
export interface PolicyTrainingOptions extends PolicyProgress {
  /** A policy to learn on with, which has learned fewer steps. */
  readonly resumed?: PolicyFile;
}

/** What a policy makes of tasks, without chance. */
export interface PolicyMeasure {
  readonly tasks: number;
  /** Tasks whose tables all found room; the means are over these, and `null` where there are none. */
  readonly placed: number;
  /** Mean of the smallest device cost over the largest: AutoShard's degree of balance. */
  readonly meanBalance: number | null;
  /** Mean of the largest device cost, in milliseconds. */
  readonly meanLargest: number | null;
}

/**
 * Learns a policy for AutoShard's way of placing tables, update by update, on the predictions of a cost network that
 * was trained before; `JointTraining` trains both. The same options give the same policy. One that learned before learns on from its parameters and its steps; Adam's averages begin anew.
 *
 * ```ts
 * const training = new PolicyTraining(tasks, network, { steps: 100_000, seed: 0, reward: "ratio" });
 * while (!training.isOver) training.update();
 * const { policy } = training.result();
 * ```
 */
export class PolicyTraining extends ActorCritic {
  readonly #train: readonly TrainingTask[];
  readonly #test: readonly TrainingTask[];

  constructor(tasks: PlacementTasks, network: TrainedNetwork, options: PolicyTrainingOptions) {
    const { seed, resumed } = options;
    const limit = memoryLimit(tasks);
    const [train, test] = [tasks.train, tasks.test].map((lists) =>
      lists.map((tables): TrainingTask => ({ ...policyTask(network, tables, tasks.devices), limit })),
    ) as [TrainingTask[], TrainingTask[]];
    const steps = resumed?.progress.steps ?? 0;
    // Other episodes than those that it learned from before.
    const random = seededRandom(seed + steps);
    const policy = resumed?.policy ?? { network: PolicyNetwork.drawn(random), costUnit: meanCost(train) };
    super(policy, options, random, steps);
    this.#train = train;
    this.#test = test;
  }

  /** One batch of episodes; the mean of their rewards. */
  update(): number {
    return this.learnBatch();
  }

  /** The policy as its file will have it, and what it makes of the test tasks. */
  result(): PolicyFile & { readonly measure: PolicyMeasure } {
    return { ...this.learned(), measure: measurePolicy(this.policy, this.#test) };
  }

  protected override drawTask(random: Random): TrainingTask {
    return this.#train[random.integer(this.#train.length)] as TrainingTask;
  }
}

/** GiB of memory of a device; `null` where it does not limit. */
export function memoryLimit({ hbmBytes }: PlacementTasks): number | null {
  return hbmBytes === null ? null : hbmBytes / BYTES_PER_GIB;
}

/** What a policy makes of tasks, without chance; of measured costs where there are any. */
export function measurePolicy(policy: TrainedPolicy, tasks: readonly TrainingTask[]): PolicyMeasure {
  const placed = tasks.flatMap((task) => {
    const used = new Array<number>(task.devices).fill(0);
    const usedWith = (step: number, device: number) => (used[device] as number) + (task.sizes[step] as number);
    const { homes, costs } = placeByPolicy(policy, task, {
      fits: (step, device) => usedWith(step, device) <= (task.limit ?? Number.POSITIVE_INFINITY),
      take: (step, device) => {
        used[device] = usedWith(step, device);
      },
    });
    return homes.length === task.order.length ? [task.measure?.(homes) ?? costs] : [];
  });
  const mean = (of: (costs: readonly number[]) => number) =>
    placed.length === 0 ? null : placed.reduce((sum, costs) => sum + of(costs), 0) / placed.length;
  return {
    tasks: tasks.length,
    placed: placed.length,
    meanBalance: mean((costs) => Math.min(...costs) / Math.max(...costs)),
    meanLargest: mean((costs) => Math.max(...costs)),
  };
}
