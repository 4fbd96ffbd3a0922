import { Rational } from "../../../exact/rational.js";
import type { TowerPartitionInstance } from "../../../instance/types/tower-partition.js";

/** The exact load of each tower, of weights read as the decimals that were written; `null` where there are no weights. */
export function towerLoads(
  { load }: TowerPartitionInstance,
  towers: readonly (readonly number[])[],
): readonly Rational[] | null {
  if (load === null) return null;
  const weights = load.weights.map((weight) => Rational.parse(String(weight)));
  return towers.map((tower) => tower.reduce((sum, item) => sum.add(weights[item] as Rational), Rational.zero));
}

/** The mean load of a tower: what all features carry, over the number of towers. Zero where there are no weights. */
export function meanLoad(instance: TowerPartitionInstance): Rational {
  const all = towerLoads(instance, [[...instance.features.keys()]])?.[0] ?? Rational.zero;
  return all.divide(Rational.of(BigInt(instance.towers)));
}
