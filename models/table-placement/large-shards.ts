import { optionTotals, pooledValue, pricedTotal } from "./aggregated-relaxation.js";
import { grouped } from "./grouped.js";
import { deviceCount, type PlacementProblem, type ShardNeed } from "./problem.js";

/** Shards of one option that need the same. */
export interface ShardKind {
  readonly table: number;
  readonly option: number;
  readonly cost: number;
  readonly hbmBytes: number;
  /** Shards of the option. */
  readonly shards: readonly number[];
}

export function keyOf(kind: ShardKind): string {
  return `${kind.table} ${kind.option} ${needText(kind)}`;
}

/** The same for shards of the same cost and bytes. */
export function needText({ cost, hbmBytes }: Pick<ShardNeed, "cost" | "hbmBytes">): string {
  return `${cost} ${hbmBytes}`;
}

/** The kinds of shards of all options that like devices have room for. */
export function shardKinds({ tables, hbmBytes: memory }: PlacementProblem): readonly ShardKind[] {
  return tables.flatMap(({ options }, table) =>
    options.flatMap(({ shards }, option) => {
      if (shards.some(({ hbmBytes }) => hbmBytes > (memory[0] as number))) return [];
      const alike = grouped(shards.keys(), (shard) => needText(shards[shard] as ShardNeed));
      return [...alike.values()].map((own): ShardKind => {
        const { cost, hbmBytes } = shards[own[0] as number] as ShardNeed;
        return { table, option, cost, hbmBytes, shards: own };
      });
    }),
  );
}

/** The part of a device, of its cost or of its bytes, from which a shard is large. */
const LARGE = 0.3;

/** What an option may cost more than the best one of its table, at the price of a byte, as a part of all costs. */
const DEARER = 0.05;

/** What a shard may cost, in least average costs of a device: no device has one that costs more than a good placement. */
const MOST_COST = 1.1;

const MOST_LARGE = 64;
const STEPS = 200;

/**
 * The large shards of like devices that better placements may have, those first that leave a device to be filled by what hardly is
 * there: they take much of its cost or of its bytes, and of the one far more than of the other, and their option costs little more than the best one.
 */
export function largeShards(problem: PlacementProblem): readonly ShardKind[] {
  const totals = optionTotals(problem);
  const [hbm, value] = bestPrice((price) => pooledValue(problem, totals, { hbm: price, host: 0, ssd: 0 }), totals);
  const bytes = problem.hbmBytes[0] as number;
  const priced = totals.map((own) => own.map((total) => pricedTotal(total, { hbm, host: 0, ssd: 0 })));
  const scored = shardKinds(problem).flatMap((kind) => {
    const own = priced[kind.table] as readonly number[];
    const dearer = ((own[kind.option] as number) - Math.min(...own)) / value;
    const [cost, held] = [kind.cost / value, kind.hbmBytes / bytes];
    const isLarge = Math.max(cost, held) >= LARGE && cost <= MOST_COST && dearer <= DEARER * deviceCount(problem);
    return isLarge ? [{ kind, score: Math.max(cost, held) * Math.abs(cost - held) - dearer }] : [];
  });
  return scored
    .sort((a, b) => b.score - a.score || a.kind.table - b.kind.table || a.kind.option - b.kind.option)
    .slice(0, MOST_LARGE)
    .map(({ kind }) => kind);
}

/** The price of a byte at which the least average cost of a device is greatest, and that cost. */
function bestPrice(valueAt: (price: number) => number, totals: readonly (readonly { cost: number }[])[]) {
  let low = 0;
  let high = totals.reduce((sum, own) => sum + own.reduce((most, { cost }) => Math.max(most, cost), 0), 0);
  for (let step = 0; step < STEPS; step++) {
    const third = (high - low) / 3;
    if (valueAt(low + third) < valueAt(high - third)) low += third;
    else high -= third;
  }
  return [low, valueAt(low)] as const;
}
