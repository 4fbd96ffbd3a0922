import type { ShardingOption } from "../../instance/types/table-placement.js";
import { columnOption, heldBytes } from "../placement/formula-options.js";
import type { NetworkTable } from "./features.js";
import { Predictor } from "./predict.js";
import type { SetCost, SetPart } from "./set-cost.js";
import type { TrainedNetwork } from "./trained-network.js";

/** What a cost network makes of tables, each of them whole or cut by columns. */
export interface ShardCosts {
  /** By table, one option for each of its lists of widths; a shard's own cost is what a device takes for it alone. */
  readonly options: readonly (readonly ShardingOption[])[];
  readonly setCost: SetCost;
  /** By part, what the network sees of it. */
  readonly shapes: readonly NetworkTable[];
}

/**
 * The options of tables, and the cost of sets of their shards. `widths` has for each table the lists of widths that it may be
 * cut into, in elements; `seen` what the network is shown of a part, where that is not the part itself.
 */
export function shardCosts(
  network: TrainedNetwork,
  tables: readonly NetworkTable[],
  widths: readonly (readonly (readonly number[])[])[],
  seen: (part: NetworkTable) => NetworkTable = (part) => part,
): ShardCosts {
  const cut: { readonly table: number; readonly dim: number }[] = [];
  const shapes: NetworkTable[] = [];
  const numbers = tables.map((whole, table) => {
    const ofTable = new Map<number, number>();
    for (const dim of widths[table]?.flat() ?? []) {
      if (ofTable.has(dim)) continue;
      ofTable.set(dim, shapes.length);
      shapes.push(seen({ ...whole, dim }));
      cut.push({ table, dim });
    }
    return ofTable;
  });
  const predictor = new Predictor(network, shapes);
  const parts = cut.map(({ table, dim }, p): SetPart => ({ table, dim, cost: predictor.cost([p]) }));
  const partOf = (table: number, option: number, shard: number) =>
    numbers[table]?.get(widths[table]?.[option]?.[shard] as number) as number;
  const options = tables.map((whole, table) =>
    (widths[table] ?? []).map((list, option) => {
      const needs = list.map((dim, shard) => ({
        cost: (parts[partOf(table, option, shard)] as SetPart).cost,
        hbmBytes: heldBytes({ ...whole, dim }),
        hostBytes: 0,
      }));
      return columnOption(needs.map((need) => [1, need]));
    }),
  );
  return { options, setCost: { parts, partOf, costOfSet: (set) => predictor.cost(set) }, shapes };
}
