import { towerProblem } from "../../../models/tower-partition/build.js";
import { towerInteraction } from "../../access/interaction/tower-interaction.js";
import { seededRandom } from "../../exact/random.js";
import type { TowerPartitionInstance } from "../../instance/types/tower-partition.js";
import { classical } from "./methods/embedding/classical.js";
import { embed } from "./methods/embedding/embed.js";
import { adam, stress } from "./methods/embedding/stress.js";
import type { TowerCharts } from "./report/input.js";
import { TOWER_HEURISTIC_NAMES, towerBaselines } from "./solve/heuristic-runs.js";

/** Features beyond which one start has to do: many take seconds. */
const MAX_FOR_STARTS = 40;

/** What the charts of a tower partition need of its instance: the matrix, and the plane that `tp` works in. */
export async function towerCharts(instance: TowerPartitionInstance): Promise<TowerCharts> {
  const { features } = instance;
  const matrix = await towerInteraction(instance);
  const problem = towerProblem(instance, matrix);
  const { distance } = problem;
  const run = new Set<string>(towerBaselines(problem));
  const plane = planeOf(distance, features.length);
  return {
    features,
    notRun: TOWER_HEURISTIC_NAMES.filter((method) => !run.has(method)),
    interaction: features.map((_, i) => [...matrix.subarray(i * features.length, (i + 1) * features.length)]),
    plane: {
      points: features.map((_, i) => [plane.coordinates[2 * i] ?? 0, plane.coordinates[2 * i + 1] ?? 0] as const),
      stress: plane.stress,
    },
  };
}

function planeOf(
  distance: Float64Array,
  features: number,
): { readonly coordinates: Float64Array; readonly stress: number } {
  if (features <= MAX_FOR_STARTS) {
    return embed(distance, { method: "adam", dimensions: 2, random: seededRandom(0) });
  }
  const coordinates = adam(distance, classical(distance, 2));
  return { coordinates, stress: stress(distance, coordinates) };
}
