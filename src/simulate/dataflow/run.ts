import type { ExchangeFeature, ExchangeProblem } from "./exchange-problem.js";
import { type Layout, layoutOf } from "./layout.js";
import { allFeatures, type ModelData, modelData } from "./model-data.js";
import { type Shard, shardsByFeature, shardsByRank } from "./shards.js";
import { Wires } from "./wire.js";

/** What every step of a simulated exchange needs. */
export interface Run {
  readonly problem: ExchangeProblem;
  readonly layout: Layout;
  readonly data: ModelData;
  readonly features: readonly ExchangeFeature[];
  /** By tower, the first of its features among all; one more at the end. */
  readonly firstFeature: readonly number[];
  readonly byFeature: readonly (readonly Shard[])[];
  readonly byRank: readonly (readonly Shard[])[];
  readonly wires: Wires;
  readonly elementBytes: number;
  readonly idBytes: number;
  readonly lengthBytes: number;
}

/** Throws `RangeError` where the problem does not fit together. */
export function newRun(problem: ExchangeProblem): Run {
  const layout = layoutOf(problem);
  const { elementBytes = 4, idBytes = 8, lengthBytes = 4 } = problem;
  const byFeature = shardsByFeature(problem, layout);
  const firstFeature = [0];
  for (const { features } of problem.towers) firstFeature.push((firstFeature.at(-1) as number) + features.length);
  return {
    problem,
    layout,
    data: modelData(problem),
    features: allFeatures(problem),
    firstFeature,
    byFeature,
    byRank: shardsByRank(byFeature, layout),
    wires: new Wires(layout),
    elementBytes,
    idBytes,
    lengthBytes,
  };
}

/** All ranks. */
export function everyRank({ layout }: Run): readonly number[] {
  return Array.from({ length: layout.ranks }, (_, rank) => rank);
}

/** The features of a tower, among all. */
export function featuresOf({ firstFeature }: Run, tower: number): readonly number[] {
  const first = firstFeature[tower] as number;
  return Array.from({ length: (firstFeature[tower + 1] as number) - first }, (_, k) => first + k);
}

/** The dims of a tower's features. */
export function dimsOf(run: Run, tower: number): readonly number[] {
  return featuresOf(run, tower).map((feature) => (run.features[feature] as ExchangeFeature).dim);
}
