import { OBJECTIVE_SUMS, type PerByte, type TierCost } from "../../../cost/flexshard.js";
import { Rational } from "../../../exact/rational.js";

/** `cost − baseline`: what a byte costs more (above 0) or less in one tier than in the other. */
export function margin(cost: PerByte, baseline: PerByte): PerByte {
  return {
    parameters: cost.parameters.subtract(baseline.parameters),
    reads: cost.reads.subtract(baseline.reads),
  };
}

/**
 * Seconds of a tier's exposed collectives (FlexShard, table 3), without latency. The paper takes the collectives inside
 * and across nodes for overlapped with others (table 6, "overlappable"), so that flex exposes nothing.
 */
export function exposedSeconds({ collectives }: TierCost): PerByte {
  const [exposed] = OBJECTIVE_SUMS.exposed;
  return collectives
    .filter(({ collective }) => exposed?.includes(collective))
    .reduce(
      (sum, { seconds }) => ({
        parameters: sum.parameters.add(seconds.parameters),
        reads: sum.reads.add(seconds.reads),
      }),
      { parameters: Rational.zero, reads: Rational.zero },
    );
}
