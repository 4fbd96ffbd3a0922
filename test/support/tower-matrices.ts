import { towerGrouping } from "../../models/tower-partition/build.js";
import type { TowerObjective } from "../../src/instance/types/tower-partition.js";
import type { Grouping } from "../../src/program/grouping/grouping.js";
import { type RandomInteraction, randomInteraction } from "../../src/study/generate/interaction-matrix.js";

/** A coherent grouping of features with a seeded interaction matrix. */
export function seededGrouping(
  kind: RandomInteraction["kind"],
  shape: { readonly features: number; readonly towers: number; readonly sizeRatio?: number },
  objective: TowerObjective,
  seed: number,
): Grouping {
  const { features, towers, sizeRatio = 1 } = shape;
  const names = Array.from({ length: features }, (_, i) => `f${i}`);
  return towerGrouping(
    { name: kind, features: names, towers, sizeRatio, strategy: "coherent", objective, load: null },
    randomInteraction({ kind, features, seed }),
  );
}
