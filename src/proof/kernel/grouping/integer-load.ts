import { Rational } from "../../../exact/rational.js";
import { weightOf } from "../../../program/grouping/evaluate.js";
import type { ClusterLoad, Grouping } from "../../../program/grouping/grouping.js";
import { scaledDown, scaleFor } from "./scaled-integers.js";

/** What clusters can carry, in integers held in doubles. */
export interface IntegerLoad {
  /** Of each unit. */
  readonly weights: Float64Array;
  /** The weights of a cluster add up to `least` … `most`. */
  readonly least: number;
  readonly most: number;
}

/**
 * Weights of a load of a grouping as integers, rounded down so that no cluster that a partition may have is missed: it
 * carries at most what each cluster can, and at least what the others cannot. Units are given by their elements.
 */
export function integerLoad(
  { clusters, elements }: Grouping,
  load: ClusterLoad,
  members: readonly (readonly number[])[],
): IntegerLoad {
  const total = weightOf(load, [...elements.keys()]);
  const k = scaleFor(total.add(load.most));
  const weights = Float64Array.from(members, (unit) =>
    unit.reduce((sum, element) => sum + Number(scaledDown(load.weights[element] as Rational, 1n, k)), 0),
  );
  const least = total.subtract(load.most.multiply(Rational.of(BigInt(clusters - 1))));
  // Rounding takes less than one from each element's weight.
  const from = least.sign() <= 0 ? 0 : Number(scaledDown(least, 1n, k)) - elements.length;
  return { weights, least: from, most: Number(scaledDown(load.most, 1n, k)) };
}
