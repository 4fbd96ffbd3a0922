import { Rational } from "../../exact/rational.js";
import { stepSeconds, type WireSpeeds } from "./collective-seconds.js";
import type { StepTraffic } from "./steps.js";

/** Everything that an iteration does one after the other. */
export interface Iteration {
  /** Seconds of dense layers, look-ups and all else that is not communication. */
  readonly computeSeconds: Rational;
  /** Steps of the embedding exchange that nothing hides. */
  readonly exposed: readonly StepTraffic[];
}

/** Seconds of the exposed steps of an exchange. */
export function exchangeSeconds(steps: readonly StepTraffic[], speeds: WireSpeeds): Rational {
  return steps.reduce((sum, step) => sum.add(stepSeconds(step, speeds)), Rational.zero);
}

/** Seconds of an iteration: compute + exposed steps, each latency + bytes / bandwidth(world). */
export function iterationSeconds({ computeSeconds, exposed }: Iteration, speeds: WireSpeeds): Rational {
  return computeSeconds.add(exchangeSeconds(exposed, speeds));
}
