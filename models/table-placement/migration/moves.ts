import type { MovesFrom, TablePlacementInstance, WrittenChoice } from "../../../src/instance/types/table-placement.js";
import { type HeldLayout, heldLayouts } from "../held-layout.js";
import type { Placement, PlacementChoice, PlacementOption, PlacementProblem, ShardNeed } from "../problem.js";
import { type NewShard, newShards, type OldShard, type TableMove } from "./transfers.js";

/** A placement, and the one that it comes from, shard by shard. */
export interface Moves {
  readonly old: readonly OldShard[];
  readonly made: readonly NewShard[];
  /** By name of table. */
  readonly layouts: ReadonlyMap<string, HeldLayout>;
  /** Tables of the old plan that are dropped. */
  readonly dropped: readonly string[];
  /** By device, those that are gone included. */
  readonly hosts: readonly number[];
}

/** What each shard of an old table needs; `null` where it does not matter. */
export type OldNeeds = ((table: string, shard: number) => ShardNeed) | null;

const NOTHING: ShardNeed = { cost: 0, hbmBytes: 0, hostBytes: 0 };

/** Throws `InputError` as {@link heldLayouts} does. */
export function movesOf(
  instance: TablePlacementInstance,
  from: MovesFrom,
  problem: PlacementProblem,
  placement: Placement,
  needs: OldNeeds = null,
): Moves {
  const { nodes, gpusPerNode, tables } = problem;
  const layoutOf = heldLayouts(instance, from);
  const devices = Array.from({ length: nodes * gpusPerNode }, (_, device) => Math.floor(device / gpusPerNode));
  const hosts = [...devices, ...from.goneHosts];
  const old: OldShard[] = [];
  const needOf = (table: string, shard: number) => needs?.(table, shard) ?? NOTHING;
  const moves = new Map(
    tables.map(({ name, options }, t): [string, TableMove] => {
      const { option, devices: places } = placement.choices[t] as PlacementChoice;
      const chosen = options[option] as PlacementOption;
      const layout = layoutOf(t, chosen);
      const indices = (layout.now?.parts ?? []).map(({ device, memory, offsets, sizes }, shard) => {
        old.push({ table: name, shard, device, memory, shape: { offsets, sizes }, need: needOf(name, shard) });
        return old.length - 1;
      });
      return [name, { layout, devices: places, needs: chosen.shards, old: indices }];
    }),
  );
  const dropped = [...from.choices].filter(([name]) => !moves.has(name));
  for (const [table, choice] of dropped) old.push(...shardsOf(table, choice, from, needOf));
  const made = newShards(moves, old, (device) => hosts[device] as number);
  const layouts = new Map(Array.from(moves, ([name, { layout }]) => [name, layout]));
  return { old, made, layouts, dropped: dropped.map(([name]) => name), hosts };
}

/** Nobody reads them: which part of the table each is does not matter. */
function shardsOf(
  table: string,
  { ranks: places }: WrittenChoice,
  { ranks }: MovesFrom,
  needOf: (table: string, shard: number) => ShardNeed,
): readonly OldShard[] {
  const shape = { offsets: [0, 0], sizes: [0, 0] } as const;
  return places.map((rank, shard) => {
    const need = needOf(table, shard);
    return { table, shard, device: ranks[rank] as number, memory: null, shape, need };
  });
}
