import type { TowerParts } from "../../models/tower-partition/build.js";
import type { Random } from "../../src/exact/random.js";
import { EXTREME_COSTS } from "./extreme-numbers.js";

/** Interactions of which no double holds the sum. */
const FAR_APART = EXTREME_COSTS.filter((value) => value <= 1);

export interface RandomTowers {
  readonly parts: TowerParts;
  /** F × F by rows, symmetric, ones on the diagonal. */
  readonly interaction: Float64Array;
}

/**
 * A tiny instance: every objective, strategy and size ratio, with a load now and then that limits, sometimes so much that
 * nothing fits. Interactions are eighths (many partitions are then equally good), doubles with all their digits, or far
 * apart, as loads then are too, and have clusters or none.
 */
export function randomTowers(
  random: Random,
  { features = 9, towers }: { features?: number; towers?: number } = {},
): RandomTowers {
  const count = 2 + random.integer(features - 1);
  const ratio = pick(random, [1, 1, 1.5, 2, 2.5, 4]);
  const most = Math.min(count, random.integer(12) === 0 ? count + 1 : count);
  const isCoarse = random.integer(3) === 0;
  const isFarApart = random.integer(6) === 0;
  const clusters = 1 + random.integer(3);
  const home = Array.from({ length: count }, () => random.integer(clusters));
  const interaction = new Float64Array(count * count);
  for (let i = 0; i < count; i++) {
    interaction[i * count + i] = 1;
    for (let j = 0; j < i; j++) {
      const near = clusters > 1 && home[i] === home[j] ? 0.6 : 0;
      const drawn = isCoarse ? random.integer(9) / 8 : random.next();
      const digits = isCoarse ? drawn : near + drawn * (near > 0 ? 0.4 : 1);
      const value = isFarApart ? pick(random, FAR_APART) : digits;
      interaction[i * count + j] = value;
      interaction[j * count + i] = value;
    }
  }
  const weights = Array.from({ length: count }, () =>
    isFarApart ? pick(random, EXTREME_COSTS) : pick(random, [random.integer(10), random.next(), 0.1]),
  );
  const hasLoad = random.integer(3) === 0;
  return {
    interaction,
    parts: {
      name: "random",
      features: Array.from({ length: count }, (_, i) => `f${i}`),
      towers: towers ?? 1 + random.integer(most),
      sizeRatio: ratio,
      strategy: pick(random, ["coherent", "diverse"] as const),
      objective: pick(random, ["pairwise", "kmeans"] as const),
      load: hasLoad ? { weights, ratio: pick(random, [null, 1, 1.1, 1.2, 1.5, 2]) } : null,
    },
  };
}

/** An instance's text, as a user writes it. */
export function towersText({ parts, interaction }: RandomTowers): string {
  const { features, towers, sizeRatio, strategy, objective, load } = parts;
  const size = features.length;
  const rows = features.map((_, i) => [...interaction.subarray(i * size, (i + 1) * size)]);
  const loads = load === null ? {} : { load: load.weights, ...(load.ratio === null ? {} : { loadRatio: load.ratio }) };
  const text = { shardproof: 1, name: "random", problem: "tower-partition", towers, sizeRatio, strategy, objective };
  return JSON.stringify({ ...text, features, interaction: rows, ...loads });
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.integer(items.length)] as Item;
}
