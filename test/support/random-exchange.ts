import type { Sharding } from "../../src/access/traffic/exchange.js";
import { type Random, seededRandom } from "../../src/exact/random.js";
import type { ExchangeFeature, ExchangeProblem } from "../../src/simulate/dataflow/exchange-problem.js";

/** What a random exchange may have; everything where not said. */
export interface ExchangeChoice {
  readonly shardings?: readonly Sharding["kind"][];
  readonly modules?: boolean;
}

/**
 * A random exchange of up to 16 ranks: hosts, hosts per tower, uneven towers (some without a feature) and tables, single- and
 * multi-hot, every sharding. Row-wise tables have rows that divide a rank's reads of them, so that every shard is read by its
 * share exactly.
 */
export function randomExchange(seed: number, choice: ExchangeChoice = {}): ExchangeProblem {
  const random = seededRandom(seed);
  const pick = <T>(values: readonly T[]) => values[random.integer(values.length)] as T;
  const gpusPerHost = pick([1, 2, 2, 3, 4]);
  const hostsPerTower = pick([1, 1, 1, 2, 3]);
  const slots = gpusPerHost * hostsPerTower;
  const towerCount = 1 + random.integer(Math.max(1, Math.min(5, Math.floor(16 / slots))));
  const localBatch = 1 + random.integer(4);
  const hasModules = choice.modules ?? random.integer(3) === 0;
  const towers = Array.from({ length: towerCount }, () => {
    const features = Array.from({ length: random.integer(4) }, () => randomFeature(random, slots, localBatch, choice));
    const outputDim = hasModules && features.length > 0 && random.integer(3) > 0 ? 1 + random.integer(6) : undefined;
    return { features, ...(outputDim === undefined ? {} : { outputDim }) };
  });
  return {
    ranks: slots * towerCount,
    gpusPerHost,
    hostsPerTower,
    towers,
    localBatch,
    seed,
    elementBytes: pick([2, 4]),
    idBytes: pick([4, 8]),
    variant: pick(["permute-vectors", "permute-ids", "virtual-group"] as const),
  };
}

function randomFeature(random: Random, slots: number, localBatch: number, choice: ExchangeChoice): ExchangeFeature {
  const kinds = choice.shardings ?? ["table", "columns", "rows"];
  const kind = kinds[random.integer(kinds.length)] as Sharding["kind"];
  const dim = 1 + random.integer(7);
  const hotness = 1 + random.integer(5);
  if (kind === "table") {
    return { dim, hotness, rows: 1 + random.integer(9), sharding: { kind, slot: random.integer(slots) } };
  }
  if (kind === "columns") {
    const shards = parts(random, dim).map((columns) => ({ slot: random.integer(slots), columns }));
    return { dim, hotness, rows: 1 + random.integer(9), sharding: { kind, shards } };
  }
  const reads = localBatch * hotness;
  const divisors = Array.from({ length: reads }, (_, k) => k + 1).filter((rows) => reads % rows === 0);
  const rows = divisors[random.integer(divisors.length)] as number;
  const shards = parts(random, rows).map((count) => ({ slot: random.integer(slots), rows: count }));
  return { dim, hotness, rows, sharding: { kind, shards } };
}

/** Positive integers that add up to `whole`. */
function parts(random: Random, whole: number): number[] {
  const result: number[] = [];
  for (let left = whole; left > 0; ) {
    const part = 1 + random.integer(left);
    result.push(part);
    left -= part;
  }
  return result;
}
