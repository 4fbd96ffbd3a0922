import { z } from "zod";
import { seededRandom } from "../../exact/random.js";
import { positiveInteger } from "../../instance/schema/fields.js";
import { TOWER_OBJECTIVES, TOWER_STRATEGIES } from "../../instance/types/tower-partition.js";
import type { Generated } from "./draws.js";
import { INTERACTION_KINDS, randomInteraction } from "./interaction-matrix.js";

/** Weights of features are integers from 1 to this. */
const MAX_LOAD = 11;

export const towersOptions = z.strictObject({
  distribution: z
    .enum(INTERACTION_KINDS)
    .default("embedded")
    .describe(
      "planted: clusters and noise; uniform: every pair in [0, 1]; embedded: mean |cos| of vectors with clusters",
    ),
  features: positiveInteger("number of features, at most 1000: their matrix is part of the text").max(1000).default(26),
  clusters: positiveInteger("clusters of features that are alike; default: a fifth of the features").optional(),
  towers: positiveInteger("number of towers").default(4),
  sizeRatio: z.number().min(1).default(1).describe("features of the largest tower over those of the smallest, at most"),
  strategy: z.enum(TOWER_STRATEGIES).default("coherent").describe("which features belong together"),
  objective: z.enum(TOWER_OBJECTIVES).default("pairwise").describe("what a partition minimises"),
  loadRatio: z
    .number()
    .min(1)
    .optional()
    .describe(`load of the largest tower over the mean; loads are drawn then, integers from 1 to ${MAX_LOAD}`),
});

/** Tower partition: features whose interaction matrix is drawn; DMT's experiments have 26 features. */
export function generateTowers(options: z.output<typeof towersOptions>, seed: number): Generated {
  const { distribution, features, clusters, towers, sizeRatio, strategy, objective, loadRatio } = options;
  const kind = { kind: distribution, features, seed };
  const matrix = randomInteraction(clusters === undefined ? kind : { ...kind, clusters });
  // Of a stream of its own: the same matrix with loads and without.
  const random = seededRandom(~seed);
  const load = Array.from({ length: features }, () => 1 + random.integer(MAX_LOAD));
  return {
    name: `${distribution}-${features}x${towers}-${seed}`,
    keys: {
      towers,
      sizeRatio,
      strategy,
      objective,
      features: load.map((_, k) => `f${k}`),
      interaction: load.map((_, k) => [...matrix.subarray(k * features, (k + 1) * features)]),
      ...(loadRatio === undefined ? {} : { load, loadRatio }),
    },
  };
}
