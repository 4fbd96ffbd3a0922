import { leastCommonMultiple, Rational } from "../../src/exact/rational.js";
import type { TowerPartitionInstance } from "../../src/instance/types/tower-partition.js";
import type { ClusterLoad, Grouping } from "../../src/program/grouping/grouping.js";
import type { TowerProblem } from "./problem.js";
import { sizeWindows } from "./size-windows.js";

/** What of an instance decides its towers; the matrix is read beside it. */
export type TowerParts = Pick<
  TowerPartitionInstance,
  "name" | "features" | "towers" | "sizeRatio" | "strategy" | "objective" | "load"
>;

/**
 * An instance as an exact program. `interaction` is I, F × F by rows, symmetric; what is above its diagonal is taken.
 *
 * A pair is D = 1 − I (coherent) or D = I (diverse), exactly that of the doubles; D² with the objective `kmeans`, whose
 * costs are shared by size. Weights and ratios are the decimal numbers that were written (0.1 is a tenth), so that a
 * load that is just full is not refused.
 *
 * Throws `RangeError` for a matrix of another size.
 */
export function towerGrouping(parts: TowerParts, interaction: Float64Array): Grouping {
  const { name, features, towers, sizeRatio, strategy, objective } = parts;
  const count = features.length;
  if (interaction.length !== count * count) {
    throw new RangeError(`a matrix of ${count} × ${count} was expected, ${interaction.length} numbers were given`);
  }
  const pairs: Rational[] = [];
  for (let j = 1; j < count; j++) {
    for (let i = 0; i < j; i++) {
      const alike = Rational.fromNumber(interaction[i * count + j] as number);
      const distance = strategy === "coherent" ? Rational.one.subtract(alike) : alike;
      pairs.push(objective === "kmeans" ? distance.multiply(distance) : distance);
    }
  }
  return {
    name,
    elements: features,
    clusters: towers,
    pairs,
    share: objective === "kmeans" ? "bySize" : "whole",
    windows: sizeWindows(count, towers, sizeRatio),
    load: exactLoad(parts),
  };
}

/**
 * The same instance in doubles, for methods that search. Where weights are whole (see {@link loadInDoubles}), they keep
 * to this load if and only if they keep to the program's.
 */
export function towerProblem(parts: TowerParts, interaction: Float64Array): TowerProblem {
  const { features, towers, sizeRatio, strategy, objective } = parts;
  const count = features.length;
  const distance = new Float64Array(count * count);
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      const alike = interaction[i * count + j] as number;
      distance[i * count + j] = strategy === "coherent" ? 1 - alike : alike;
      distance[j * count + i] = distance[i * count + j] as number;
    }
  }
  const load = exactLoad(parts);
  const windows = sizeWindows(count, towers, sizeRatio);
  return { features, towers, objective, distance, windows, load: load && loadInDoubles(load) };
}

/**
 * A grouping with the squares of distances between points instead of its own pairs, shared by size: its value is the
 * sum of squares around the clusters' centres, what K-means minimises. `coordinates`: F points by rows.
 */
export function groupingOfPoints(grouping: Grouping, coordinates: Float64Array, dimensions: number): Grouping {
  const points = Array.from(coordinates, (coordinate) => Rational.fromNumber(coordinate));
  const pairs: Rational[] = [];
  for (let j = 1; j < grouping.elements.length; j++) {
    for (let i = 0; i < j; i++) {
      let square = Rational.zero;
      for (let k = 0; k < dimensions; k++) {
        const along = (points[i * dimensions + k] as Rational).subtract(points[j * dimensions + k] as Rational);
        square = square.add(along.multiply(along));
      }
      pairs.push(square);
    }
  }
  return { ...grouping, pairs, share: "bySize" };
}

/** loadRatio · (sum of the weights) / T, and the weights; `null` where nothing limits. */
function exactLoad({ load, towers }: TowerParts): ClusterLoad | null {
  if (load === null || load.ratio === null) return null;
  const weights = load.weights.map((weight) => Rational.parse(String(weight)));
  const total = weights.reduce((sum, weight) => sum.add(weight), Rational.zero);
  const most = Rational.parse(String(load.ratio))
    .multiply(total)
    .divide(Rational.of(BigInt(towers)));
  return { weights, most };
}

/**
 * Weights as whole multiples of a unit, where they add up below 2⁵³: sums are then exact. Otherwise as doubles, with
 * a load that is a `share` of what it is, for searches in which rounding is to break none. Groupings have rationals.
 */
export function loadInDoubles({ weights, most }: ClusterLoad, share = 1): NonNullable<TowerProblem["load"]> {
  const unit = weights.reduce((common, { denominator }) => leastCommonMultiple(common, denominator), 1n);
  const whole = weights.map(({ numerator, denominator }) => numerator * (unit / denominator));
  const room = most.multiply(Rational.of(unit)).floor();
  if (whole.reduce((sum, weight) => sum + weight, 0n) < 2n ** 53n && room < 2n ** 53n) {
    // In doubles, searched: exact where the sum above is.
    return { weights: whole.map(Number), most: Number(room) };
  }
  // In doubles, searched: the grouping has rationals.
  return { weights: weights.map((weight) => weight.toNumber()), most: most.toNumberDown() * share };
}
