import type { TowerParts } from "../../models/tower-partition/build.js";
import { Rational } from "../../src/exact/rational.js";

export interface BruteForceTowers {
  readonly value: Rational;
  /** The first of the best, towers numbered in the order of their first features. */
  readonly numbering: readonly number[];
}

/**
 * Tries every partition of at most nine features; `null` where none has allowed sizes and loads. Written from the
 * problem's words alone: it shares nothing with the program, its windows or its evaluation.
 */
export function bruteForceTowers(parts: TowerParts, interaction: Float64Array): BruteForceTowers | null {
  let best: BruteForceTowers | null = null;
  for (const numbering of partitions(parts.features.length, parts.towers)) {
    if (!isAllowed(parts, numbering)) continue;
    const value = partitionValue(parts, interaction, numbering);
    if (best === null || value.compare(best.value) < 0) best = { value, numbering };
  }
  return best;
}

/** All ways to divide `count` features into `towers` towers, none empty, numbered by their first features. */
export function partitions(count: number, towers: number): readonly (readonly number[])[] {
  const all: number[][] = [];
  const extend = (numbering: readonly number[], used: number): void => {
    if (numbering.length === count) {
      if (used === towers) all.push([...numbering]);
      return;
    }
    for (let tower = 0; tower <= Math.min(used, towers - 1); tower++) {
      extend([...numbering, tower], Math.max(used, tower + 1));
    }
  };
  extend([], 0);
  return all;
}

/** Whether sizes and loads of a partition are as the instance wants them. */
export function isAllowed({ towers, sizeRatio, load }: TowerParts, numbering: readonly number[]): boolean {
  const sizes = new Array<number>(towers).fill(0);
  for (const tower of numbering) sizes[tower] = (sizes[tower] as number) + 1;
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (least === 0) return false;
  const isEven = Rational.of(BigInt(most)).compare(Rational.of(BigInt(least)).multiply(decimal(sizeRatio))) <= 0;
  if (sizeRatio === 1 ? most - least > 1 : !isEven) return false;
  if (load === null || load.ratio === null) return true;
  const weights = load.weights.map(decimal);
  const total = weights.reduce((sum, weight) => sum.add(weight), Rational.zero);
  const allowed = decimal(load.ratio)
    .multiply(total)
    .divide(Rational.of(BigInt(towers)));
  return sizes.every((_, tower) => {
    const carried = weights.reduce((sum, weight, f) => (numbering[f] === tower ? sum.add(weight) : sum), Rational.zero);
    return carried.compare(allowed) <= 0;
  });
}

/** Σ over towers of Σ distances, or of Σ squared distances over the tower's features. */
export function partitionValue(
  { features, strategy, objective, towers }: TowerParts,
  interaction: Float64Array,
  numbering: readonly number[],
): Rational {
  let value = Rational.zero;
  for (let tower = 0; tower < towers; tower++) {
    const here = features.map((_, f) => f).filter((f) => numbering[f] === tower);
    let sum = Rational.zero;
    for (const i of here) {
      for (const j of here) {
        if (i >= j) continue;
        const alike = Rational.fromNumber(interaction[i * features.length + j] as number);
        const distance = strategy === "coherent" ? Rational.one.subtract(alike) : alike;
        sum = sum.add(objective === "kmeans" ? distance.multiply(distance) : distance);
      }
    }
    value = value.add(objective === "kmeans" ? sum.divide(Rational.of(BigInt(here.length))) : sum);
  }
  return value;
}

/** The number that was written. */
function decimal(value: number): Rational {
  return Rational.parse(String(value));
}
