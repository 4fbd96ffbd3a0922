import type { ExchangeFeature, ExchangeProblem } from "./exchange-problem.js";
import type { Layout } from "./layout.js";

/** A rectangle of a table, and the rank that holds it. */
export interface Shard {
  /** Among the features of all towers. */
  readonly feature: number;
  readonly owner: number;
  readonly firstRow: number;
  readonly rows: number;
  readonly firstColumn: number;
  readonly columns: number;
}

/** By feature, each table's shards in the order given. */
export function shardsByFeature(problem: ExchangeProblem, { slots }: Layout): readonly (readonly Shard[])[] {
  let feature = -1;
  return problem.towers.flatMap(({ features }, tower) =>
    features.map((each) => {
      feature++;
      return rectangles(each).map(({ slot, ...rest }) => ({ feature, owner: tower * slots + slot, ...rest }));
    }),
  );
}

function rectangles({ dim, rows, sharding }: ExchangeFeature) {
  const whole = { firstRow: 0, rows, firstColumn: 0, columns: dim };
  if (sharding.kind === "table") return [{ ...whole, slot: sharding.slot }];
  if (sharding.kind === "columns") {
    let next = 0;
    return sharding.shards.map(({ slot, columns }) => {
      const firstColumn = next;
      next += columns;
      return { ...whole, slot, firstColumn, columns };
    });
  }
  let next = 0;
  return sharding.shards.map(({ slot, rows: count }) => {
    const firstRow = next;
    next += count;
    return { ...whole, slot, firstRow, rows: count };
  });
}

/** By rank, the shards that it holds, feature after feature. */
export function shardsByRank(
  byFeature: readonly (readonly Shard[])[],
  { ranks }: Layout,
): readonly (readonly Shard[])[] {
  const held: Shard[][] = Array.from({ length: ranks }, () => []);
  for (const shard of byFeature.flat()) held[shard.owner]?.push(shard);
  return held;
}
