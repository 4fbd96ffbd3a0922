/** AutoShard's (appendix C.2). */
export const ENTROPY_WEIGHT = 0.001;
export const BASELINE_WEIGHT = 0.5;

/** Keeps logarithms of probabilities that have become 0 finite. */
const TINY = 1e-300;

/** An episode, step by step, and its reward. */
export interface Experience {
  readonly devices: number;
  /** steps × devices. */
  readonly probabilities: Float64Array;
  /** The device that was drawn at each step. */
  readonly homes: readonly number[];
  /** The value that was predicted at each step. */
  readonly values: Float64Array;
  readonly reward: number;
}

/**
 * The gradients, with respect to the scores (steps × devices) and the values, of the actor-critic loss of one episode (AutoShard,
 * equation 3; the sums are over its steps t; A_t = R − V_t is a constant in the first):
 *
 *     −Σ A_t · log π_t(home) − 0.001 · Σ entropy(π_t) + 0.5 · Σ (R − V_t)² / 2.
 *
 * All steps have the reward R as their return: it is the only one, at the end, and nothing is discounted.
 */
export function lossGradients({ devices, probabilities, homes, values, reward }: Experience): {
  readonly scores: Float64Array;
  readonly values: Float64Array;
} {
  const scores = new Float64Array(probabilities.length);
  for (const [step, home] of homes.entries()) {
    const ofStep = probabilities.subarray(step * devices, (step + 1) * devices);
    const advantage = reward - (values[step] as number);
    const entropy = ofStep.reduce((sum, p) => sum - p * Math.log(p + TINY), 0);
    for (const [device, p] of ofStep.entries()) {
      const ofChoice = advantage * (p - (device === home ? 1 : 0));
      scores[step * devices + device] = ofChoice + ENTROPY_WEIGHT * p * (Math.log(p + TINY) + entropy);
    }
  }
  return { scores, values: values.map((value) => BASELINE_WEIGHT * (value - reward)) };
}

/** Probabilities from scores, written to `out`: exp(score) / Σ exp(scores). */
export function softmax(scores: Float64Array, out: Float64Array): void {
  const largest = Math.max(...scores);
  let sum = 0;
  for (const [d, score] of scores.entries()) {
    const share = Math.exp(score - largest);
    out[d] = share;
    sum += share;
  }
  for (let d = 0; d < out.length; d++) out[d] = (out[d] as number) / sum;
}

/** The index whose share of [0, 1), by these probabilities, `at` lies in. */
export function drawn(probabilities: Float64Array, at: number): number {
  let left = at;
  for (const [d, p] of probabilities.entries()) {
    left -= p;
    if (left < 0) return d;
  }
  return probabilities.length - 1;
}
