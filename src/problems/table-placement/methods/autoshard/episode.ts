import { REPRESENTATION } from "../../../../cost/neural/network.js";
import type { PolicyNetwork } from "./policy-network.js";
import type { PolicyTask } from "./policy-task.js";

/** A trained policy, and what it divides costs by: {@link TrainedPolicy.costUnit}. */
export interface TrainedPolicy {
  readonly network: PolicyNetwork;
  /** Milliseconds; the mean predicted cost of the single tables that the policy learned from. */
  readonly costUnit: number;
}

/** Tables placed one after the other, by a policy. */
export interface Episode {
  /** The device of each step's table; shorter than the steps where a choice was -1. */
  readonly homes: readonly number[];
  /** Predicted milliseconds of each device; 0 for one without tables. */
  readonly costs: readonly number[];
  /** Values of the states, where it is for learning. */
  readonly values: Float64Array;
}

/**
 * Places the tables of a task: at each step `choose` gets the scores of the devices and says which one takes the table, or -1
 * to end there.
 */
export function runEpisode(
  { network: policy, costUnit }: TrainedPolicy,
  task: PolicyTask,
  choose: (step: number, scores: Float64Array) => number,
  isLearning = false,
): Episode {
  const { devices, network, order, representations, sizes } = task;
  const values = policy.begin({ steps: order.length, devices, representations, isLearning });
  const sums = new Float64Array(devices * REPRESENTATION);
  const loads = new Float64Array(2 * devices);
  const costs = new Array<number>(devices).fill(0);
  const homes: number[] = [];
  for (let step = 0; step < order.length; step++) {
    const device = choose(step, policy.scores(step, sums, loads));
    if (device === -1) break;
    homes.push(device);
    const sum = sums.subarray(device * REPRESENTATION, (device + 1) * REPRESENTATION);
    const added = step * REPRESENTATION;
    for (let i = 0; i < REPRESENTATION; i++) sum[i] = (sum[i] as number) + (representations[added + i] as number);
    costs[device] = network.evaluate(sum);
    loads[2 * device] = (costs[device] as number) / costUnit;
    loads[2 * device + 1] = (loads[2 * device + 1] as number) + (sizes[step] as number);
  }
  return { homes, costs, values };
}

/** The room on devices, as tables take it step by step. */
export interface PolicyRoom {
  fits(step: number, device: number): boolean;
  take(step: number, device: number): void;
}

/**
 * Places tables without chance: each on the device with the highest score among those with room for it, the first of equal
 * ones. Ends early at a table that has room nowhere.
 */
export function placeByPolicy(policy: TrainedPolicy, task: PolicyTask, room: PolicyRoom): Episode {
  return runEpisode(policy, task, (step, scores) => {
    let best = -1;
    for (const [device, score] of scores.entries()) {
      const isBetter = best === -1 || score > (scores[best] as number);
      if (isBetter && room.fits(step, device)) best = device;
    }
    if (best !== -1) room.take(step, best);
    return best;
  });
}
