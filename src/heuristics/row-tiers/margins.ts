import type { PerByte, TierCost } from "../../cost/flexshard.js";
import { Rational } from "../../exact/rational.js";

/** `cost − baseline`: what a byte costs more (above 0) or less in one tier than in the other. */
export function margin(cost: PerByte, baseline: PerByte): PerByte {
  return {
    parameters: cost.parameters.subtract(baseline.parameters),
    reads: cost.reads.subtract(baseline.reads),
  };
}

/** Seconds of all collectives of a tier one after the other (FlexShard, table 3), without latency. */
export function communication({ collectives }: TierCost): PerByte {
  return collectives.reduce(
    (sum, { seconds }) => ({
      parameters: sum.parameters.add(seconds.parameters),
      reads: sum.reads.add(seconds.reads),
    }),
    { parameters: Rational.zero, reads: Rational.zero },
  );
}
