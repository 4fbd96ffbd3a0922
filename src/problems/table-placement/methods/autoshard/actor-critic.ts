import { Adam } from "../../../../cost/neural/adam.js";
import type { Random } from "../../../../exact/random.js";
import { runEpisode, type TrainedPolicy } from "./episode.js";
import { drawn, lossGradients, softmax } from "./loss.js";
import { type PolicyFile, type PolicyProgress, roundPolicy } from "./policy-file.js";
import { meanCost, type PolicyTask } from "./policy-task.js";
import { rewardOf } from "./rewards.js";

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

/**
 * The advantage actor-critic that AutoShard's IMPALA (Espeholt et al. 2018) is in one process: whatever is learned from was
 * drawn from the policy as it is, so that V-trace with both truncations at 1 is the n-step return. Episodes are whole, the
 * only reward is at their end, and nothing is discounted: all steps of an episode have its reward R as their return.
 *
 * Minimised is the sum over the batch of the loss of {@link lossGradients}, by Adam with a learning rate that falls linearly
 * to 0.
 */
export abstract class ActorCritic {
  protected readonly policy: TrainedPolicy;
  /** `steps`: tables to place while learning, all in all. */
  readonly #options: PolicyProgress;
  readonly #random: Random;
  readonly #adam: Adam;
  #steps: number;

  protected constructor(policy: TrainedPolicy, options: PolicyProgress, random: Random, steps: number) {
    this.policy = policy;
    this.#options = options;
    this.#random = random;
    this.#adam = new Adam(policy.network.parameters(), GRADIENT_CLIP);
    this.#steps = steps;
  }

  /** Tables placed while learning, before this training too. */
  get steps(): number {
    return this.#steps;
  }

  get isOver(): boolean {
    return this.#steps >= this.#options.steps;
  }

  /** The share of all learning that is over. */
  protected get progress(): number {
    return Math.min(1, this.#steps / this.#options.steps);
  }

  /** A task, as it is when it is asked for: a cost network that learns changes what a policy sees of it. */
  protected abstract drawTask(random: Random): TrainingTask;

  /** Learns from a batch of episodes; the mean of their rewards. */
  protected learnBatch(): number {
    const { progress } = this;
    let rewards = 0;
    for (let episode = 0; episode < BATCH; episode++) {
      const task = this.drawTask(this.#random);
      rewards += this.#learn(task);
      this.#steps += task.order.length;
    }
    this.#adam.step(LEARNING_RATE * (1 - progress));
    return rewards / BATCH;
  }

  /** The policy as its file will have it. */
  protected learned(): PolicyFile {
    const { seed, reward } = this.#options;
    roundPolicy(this.policy);
    return { policy: this.policy, progress: { steps: this.#steps, seed, reward } };
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
    const { homes, costs, values } = runEpisode(this.policy, task, choose, true);
    const evenCost = (meanCost([task]) * order.length) / devices;
    const reached = task.measure?.(homes) ?? costs;
    const reward = rewardOf(this.#options.reward, { costs: reached, sizes, limit: task.limit, evenCost });
    const gradients = lossGradients({ devices, probabilities, homes, values, reward });
    this.policy.network.backward(gradients.scores, gradients.values);
    return reward;
  }
}
