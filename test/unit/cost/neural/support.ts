import type { CostData } from "../../../../src/cost/neural/cost-data.js";
import { BINS, featuresOver, type NetworkKind, type NetworkTable } from "../../../../src/cost/neural/features.js";
import { CostNetwork } from "../../../../src/cost/neural/network.js";
import type { TrainedNetwork } from "../../../../src/cost/neural/trained-network.js";
import { type Random, seededRandom } from "../../../../src/exact/random.js";

/** Tables like those that people have, but for their numbers. */
export function drawTable(random: Random): NetworkTable {
  const shares = Array.from({ length: BINS }, () => random.next() ** 4);
  const sum = shares.reduce((total, share) => total + share, 0);
  return {
    rows: 100 + random.integer(5_000_000),
    dim: 2 ** (2 + random.integer(6)),
    elementBytes: 4,
    poolingFactor: random.integer(50),
    accessBins: shares.map((share) => share / sum),
  };
}

export function drawTables(count: number, seed: number): readonly NetworkTable[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => drawTable(random));
}

/** Sets whose costs do not add up: a fixed part, and look-ups to some power (below 1: a discount for many). */
export function drawData(sets: number, seed: number, power = 0.8): CostData {
  const random = seededRandom(seed);
  const tables = drawTables(40, seed + 1);
  return {
    file: "drawn.json",
    sha256: "",
    source: "",
    tables,
    sets: Array.from({ length: sets }, () => {
      const chosen = Array.from({ length: 1 + random.integer(8) }, () => random.integer(tables.length));
      const of = chosen.map((t) => tables[t] as NetworkTable);
      const lookups = of.reduce((sum, { dim, poolingFactor }) => sum + dim * poolingFactor, 0);
      return { tables: chosen, cost: 20 + (lookups / 20) ** power };
    }),
  };
}

/** A network that learned nothing: random weights over the features of some tables. */
export function drawnNetwork(kind: NetworkKind, tables: readonly NetworkTable[], seed: number): TrainedNetwork {
  const features = featuresOver(tables, kind);
  const network = CostNetwork.drawn(features.length, seededRandom(seed));
  if (kind === "neural-convex") {
    const { values } = network.head[1].weights;
    for (const [i, weight] of values.entries()) values[i] = Math.abs(weight);
  }
  return { kind, features, network };
}
