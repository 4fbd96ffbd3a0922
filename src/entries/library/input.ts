import type { z } from "zod";
import type { rowTiersSchema } from "../../problems/row-tiers/instance/schema.js";
import type { TABLE_PLACEMENT_SCHEMAS } from "../../problems/table-placement/instance/schema.js";
import type { towerJointSchema, towerPartitionSchema } from "../../problems/tower-partition/instance/schema.js";

/** Lists and maps that are only read, so that constants (`as const`) may be handed over. */
type ReadOnly<T> = unknown extends T ? T : { readonly [K in keyof T]: ReadOnly<T[K]> };

/** What an instance file holds, its first two keys apart; one type for each schema of a union. */
type Written<Schema extends z.ZodType> = Schema extends unknown
  ? ReadOnly<Omit<z.input<Schema>, "shardproof" | "problem">>
  : never;

/** The keys of a row-tiers instance file (docs/row-tiers.md), but for `shardproof` and `problem`. */
export type RowTiersInput = Written<typeof rowTiersSchema>;

/** The keys of a table-placement instance file (docs/table-placement.md): `costModel` says what a table is. */
export type TablePlacementInput = Written<(typeof TABLE_PLACEMENT_SCHEMAS)[keyof typeof TABLE_PLACEMENT_SCHEMAS]>;

/** The keys of a tower-partition instance file (docs/towers.md) without tables. */
export type TowerPartitionInput = Written<typeof towerPartitionSchema>;

/** The same with a cluster and tables: towers, hosts and places of tables are chosen together. */
export type JointTowersInput = Written<typeof towerJointSchema>;
