import { instanceCosts, type TableCosts } from "../../src/cost/placement/table-costs.js";
import { InputError } from "../../src/errors/input-error.js";
import { hasPlace } from "../../src/instance/checks/placement.js";
import type {
  PlacedTable,
  ShardingOption,
  TableFeatures,
  TablePlacementInstance,
} from "../../src/instance/table-placement-instance.js";
import type { PlacementOption, PlacementProblem, PlacementTable, ShardNeed } from "./problem.js";

/** A placement instance as the problem that methods and proofs work on, with what only heuristics look at. */
export interface PlacementModel {
  readonly problem: PlacementProblem;
  /** By table; features are `null` where the instance does not have them. */
  readonly tables: readonly { readonly name: string; readonly features: TableFeatures | null }[];
  /**
   * The phases whose sum a shard's cost is, in the order in which TorchRec adds them; `null` with the cost models that
   * know no phases. Indices are the problem's.
   */
  readonly phases: ((table: number, option: number, shard: number) => readonly number[]) | null;
}

/**
 * The problem of a table-placement instance. Options whose shards have no place on the cluster (more `uniform` shards than
 * devices, more `multi_host` groups than nodes) are left out: options are numbered without them. Overlapping groups of
 * `together` are joined.
 *
 * Throws `InputError` where the cost model cannot be read, a table has no option with a place, or all shards together
 * have 2^53 bytes or more.
 */
export function placementModel(instance: TablePlacementInstance): PlacementModel {
  const { cluster, name, file } = instance;
  const costs = instanceCosts(instance);
  const placed = costs.tables.map((table, t) => withPlace(instance, instance.tables[t] as PlacedTable, table));
  requireExactBytes(cluster.hostIsPooled ? (costs.hostBytes ?? []) : [], placed, file);
  const index = new Map(instance.tables.map((table, t) => [table.name, t]));
  const numbered = (groups: readonly (readonly string[])[]) =>
    groups.map((group) => group.map((table) => index.get(table) as number));
  const problem: PlacementProblem = {
    name,
    nodes: cluster.nodes,
    gpusPerNode: cluster.gpusPerNode,
    hbmBytes: costs.hbmBytes,
    hostBytes: costs.hostBytes,
    hostIsPooled: cluster.hostIsPooled,
    tables: placed.map(({ options }, t): PlacementTable => {
      const { name: table, devices } = instance.tables[t] as PlacedTable;
      return { name: table, options: options.map(expanded), devices };
    }),
    together: joined(numbered(instance.together)),
    apart: numbered(instance.apart),
  };
  return {
    problem,
    tables: placed.map(({ features }, t) => ({ name: (instance.tables[t] as PlacedTable).name, features })),
    phases: placed.some(({ phases }) => phases === null)
      ? null
      : (t, option, shard) => placed[t]?.phases?.[option]?.[shard] as readonly number[],
  };
}

/** The problem alone. */
export function placementProblem(instance: TablePlacementInstance): PlacementProblem {
  return placementModel(instance).problem;
}

/** The options that can be placed, and the phases of those. */
function withPlace({ cluster, file }: TablePlacementInstance, { name }: PlacedTable, costs: TableCosts): TableCosts {
  const { nodes, gpusPerNode } = cluster;
  const kept = [...costs.options.keys()].filter((o) => {
    const { partitionBy, shards } = costs.options[o] as ShardingOption;
    return hasPlace(partitionBy, shardCount(shards), nodes, gpusPerNode);
  });
  if (kept.length === 0) {
    throw new InputError(
      `table ${name}: expected a sharding type whose shards have a place on ${nodes} × ${gpusPerNode} devices, received none; allow more sharding types`,
      file,
    );
  }
  return {
    options: kept.map((o) => costs.options[o] as ShardingOption),
    features: costs.features,
    phases: costs.phases && kept.map((o) => costs.phases?.[o] as readonly (readonly number[])[]),
  };
}

function shardCount(shards: ShardingOption["shards"]): number {
  return shards.reduce((sum, [count]) => sum + count, 0);
}

/** Equal shards are one object. */
function expanded({ shardingType, kernel, partitionBy, shards }: ShardingOption): PlacementOption {
  return {
    shardingType,
    kernel,
    partitionBy,
    shards: shards.flatMap(([count, { cost, hbmBytes, hostBytes }]) =>
      new Array<ShardNeed>(count).fill({ cost, hbmBytes, hostBytes }),
    ),
  };
}

/** Bytes are added as doubles, which is exact as long as all of them together are an integer below 2^53. */
function requireExactBytes(pooled: readonly number[], tables: readonly TableCosts[], file: string): void {
  const most = (key: "hbmBytes" | "hostBytes") =>
    tables.reduce((sum, { options }) => {
      const ofOptions = options.map(({ shards }) =>
        shards.reduce((bytes, [count, need]) => bytes + BigInt(count) * BigInt(need[key]), 0n),
      );
      return sum + ofOptions.reduce((a, b) => (a > b ? a : b));
    }, 0n);
  const host = pooled.reduce((sum, bytes) => sum + BigInt(bytes), 0n);
  for (const total of [most("hbmBytes"), most("hostBytes"), host]) {
    if (total <= BigInt(Number.MAX_SAFE_INTEGER)) continue;
    throw new InputError(
      `expected bytes that add up to less than 2^53, received ${total} in all; give rows and bytes in a larger unit`,
      file,
    );
  }
}

/** Groups that share a table become one; each is in rising order. */
function joined(groups: readonly (readonly number[])[]): readonly (readonly number[])[] {
  let left: Set<number>[] = [];
  for (const group of groups) {
    const touching = left.filter((set) => group.some((t) => set.has(t)));
    left = left.filter((set) => !touching.includes(set));
    left.push(new Set([group, ...touching].flatMap((set) => [...set])));
  }
  return left.map((set) => [...set].sort((a, b) => a - b));
}
