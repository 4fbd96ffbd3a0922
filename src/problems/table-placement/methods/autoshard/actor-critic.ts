import { Adam } from "../../../../cost/neural/adam.js";
import type { Random } from "../../../../exact/random.js";
import { runEpisode, type TrainedPolicy } from "./episode.js";
import { drawn, lossGradients, softmax } from "./loss.js";
import { meanCost, type PolicyTask } from "./policy-task.js";
import { type PolicyReward, rewardOf } from "./rewards.js";

/** AutoShard's (appendix C.2). */
const LEARNING_RATE = 1e-3;
const GRADIENT_CLIP = 40;
export const BATCH = 8;

/** A task to learn from: with the memory that a device has. */
export interface TrainingTask extends PolicyTask {
  /** GiB; `null` where it does not limit. */
  readonly limit: number | null;
  /**
   * Milliseconds that each device takes, from the device of each step's table: what rewards are of where plans are measured.
   * Absent where they are of what the cost network predicts.
   */
  readonly measure?: (homes: readonly number[]) => readonly number[];
}

/** Tasks, as they are when they are asked for: a cost network that learns changes what a policy sees of them. */
export interface TaskSource {
  readonly count: number;
  task(index: number): TrainingTask;
}

/**
 * The advantage actor-critic that AutoShard's IMPALA (Espeholt et al. 2018) is in one process: whatever is learned from was
 * drawn from the policy as it is, so that V-trace with both truncations at 1 is the n-step return. Episodes are whole, the
 * only reward is at their end, and nothing is discounted: all steps of an episode have its reward R as their return.
 *
 * Minimised is the sum over the batch of the loss of {@link lossGradients}, by Adam with a learning rate that falls linearly
 * to 0.
 */
export class ActorCritic {
  readonly #policy: TrainedPolicy;
  readonly #tasks: TaskSource;
  readonly #reward: PolicyReward;
  readonly #random: Random;
  readonly #adam: Adam;

  constructor(policy: TrainedPolicy, tasks: TaskSource, reward: PolicyReward, random: Random) {
    this.#policy = policy;
    this.#tasks = tasks;
    this.#reward = reward;
    this.#random = random;
    this.#adam = new Adam(policy.network.parameters(), GRADIENT_CLIP);
  }

  /** Learns from a batch of episodes; `progress` is the share of all learning that is over. */
  update(progress: number): { readonly steps: number; readonly meanReward: number } {
    let [steps, rewards] = [0, 0];
    for (let episode = 0; episode < BATCH; episode++) {
      const task = this.#tasks.task(this.#random.integer(this.#tasks.count));
      rewards += this.#learn(task);
      steps += task.order.length;
    }
    this.#adam.step(LEARNING_RATE * (1 - progress));
    return { steps, meanReward: rewards / BATCH };
  }

  /** Adds the gradients of one episode; its reward. */
  #learn(task: TrainingTask): number {
    const { devices, order } = task;
    const probabilities = new Float64Array(order.length * devices);
    const sizes = new Array<number>(devices).fill(0);
    const choose = (step: number, scores: Float64Array) => {
      const ofStep = probabilities.subarray(step * devices, (step + 1) * devices);
      softmax(scores, ofStep);
      const device = drawn(ofStep, this.#random.next());
      sizes[device] = (sizes[device] as number) + (task.sizes[step] as number);
      return device;
    };
    const { homes, costs, values } = runEpisode(this.#policy, task, choose, true);
    const evenCost = (meanCost([task]) * order.length) / devices;
    const reached = task.measure?.(homes) ?? costs;
    const reward = rewardOf(this.#reward, { costs: reached, sizes, limit: task.limit, evenCost });
    const gradients = lossGradients({ devices, probabilities, homes, values, reward });
    this.#policy.network.backward(gradients.scores, gradients.values);
    return reward;
  }
}
