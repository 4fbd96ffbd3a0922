import { type Episode, runEpisode, type TrainedPolicy } from "./episode.js";
import type { PolicyTask } from "./policy-task.js";

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
