import type { LeftOut, TableCosts } from "../../src/cost/placement/instance-costs.js";
import { instanceCosts } from "../../src/cost/placement/table-costs.js";
import { InputError } from "../../src/errors/input-error.js";
import {
  hasPlace,
  type MovesFrom,
  PHASES,
  type PlacedTable,
  type ShardingOption,
  type TableFeatures,
  type TablePlacementInstance,
} from "../../src/instance/types/table-placement.js";
import { heldLayouts, incomingOfLayout } from "./held-layout.js";
import { sharedNeeds } from "./option-site.js";
import type { HotRows, PlacementOption, PlacementProblem, PlacementTable, ShardNeed, StayLimit } from "./problem.js";
import { optionOfRuns } from "./shard-runs.js";

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
 * devices, `multi_host` shards that make no whole groups) are left out, and said to be: options are numbered without
 * them. Overlapping groups of `together` are joined.
 *
 * Throws `InputError` where the instance has groups, the cost model cannot be read, a table has no option with a place, or all shards together
 * have 2^53 bytes or more.
 */
export function placementModel(instance: TablePlacementInstance): PlacementModel {
  const { cluster, name, file } = instance;
  if (instance.groups !== undefined) throw new InputError(GROUPED, file);
  const costs = instanceCosts(instance);
  const placed = costs.tables.map((table, t) => withPlace(instance, instance.tables[t] as PlacedTable, table));
  const devices = cluster.nodes * cluster.gpusPerNode;
  requireExactBytes(cluster.hostIsPooled ? (costs.hostBytes ?? []) : [], placed, devices, file);
  const leftOut = [...(costs.leftOut ?? []), ...withoutPlace(instance, costs.tables, placed)];
  const index = new Map(instance.tables.map((table, t) => [table.name, t]));
  const numbered = (groups: readonly (readonly string[])[]) =>
    groups.map((group) => group.map((table) => index.get(table) as number));
  const isPhased =
    instance.objective === "phases" || instance.goals?.some(({ minimize }) => minimize === "phases") === true;
  const layouts = instance.from === null ? null : heldLayouts(instance, instance.from);
  const withIncoming = (t: number, option: PlacementOption): PlacementOption =>
    layouts === null ? option : { ...option, incoming: incomingOfLayout(layouts(t, option)) };
  const tables = placed.map(({ options, phases, refused }, t): PlacementTable => {
    const { name: table, devices: allowed, distinctDevices } = instance.tables[t] as PlacedTable;
    const inPhases = options.map((option, o) => (isPhased ? (phases?.[o] ?? listedPhases(option, devices)) : null));
    const own = options.map((option, o) =>
      withIncoming(
        t,
        expanded(
          { ...withCopiesListed(option, devices), ...(distinctDevices && { distinctDevices }) },
          inPhases[o] ?? null,
        ),
      ),
    );
    if (refused !== undefined) return { name: table, options: own, devices: [], refused };
    return { name: table, options: own, devices: allowed };
  });
  const problem: PlacementProblem = {
    name,
    nodes: cluster.nodes,
    gpusPerNode: cluster.gpusPerNode,
    hbmBytes: costs.hbmBytes,
    hostBytes: costs.hostBytes,
    hostIsPooled: cluster.hostIsPooled,
    ...(costs.ssdBytes === undefined ? {} : { ssdBytes: costs.ssdBytes }),
    tables,
    together: joined(numbered(instance.together)),
    apart: numbered(instance.apart),
    ...(instance.objective === "phases" ? { goal: "phases" } : {}),
    ...(instance.thenMinimize === null ? {} : { thenMinimize: instance.thenMinimize }),
    ...(instance.goals === null ? {} : { stages: instance.goals }),
    ...(instance.from === null ? {} : stayLimit(instance, instance.from, tables)),
    ...(costs.setCost === undefined ? {} : { setCost: costs.setCost }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(costs.runnable === undefined ? {} : { runnable: costs.runnable }),
  };
  return {
    problem,
    tables: placed.map(({ features }, t) => ({ name: (instance.tables[t] as PlacedTable).name, features })),
    phases: placed.some(({ phases }) => phases === null)
      ? null
      : (t, option, shard) => placed[t]?.phases?.[option]?.[shard] as readonly number[],
  };
}

/** Whoever knows nothing of groups does not take all devices for one. */
const GROUPED =
  "expected an instance whose devices hold one copy of the tables, received one with groups; plan chooses their size, and for all else leave groups out";

/** The problem alone. */
export function placementProblem(instance: TablePlacementInstance): PlacementProblem {
  return placementModel(instance).problem;
}

/** The options that can be placed, and the phases of those. */
function withPlace(
  { cluster, file, group }: TablePlacementInstance,
  { name, distinctDevices }: PlacedTable,
  costs: TableCosts,
): TableCosts {
  const { nodes, gpusPerNode } = cluster;
  const kept = [...costs.options.keys()].filter((o) => {
    const { partitionBy, shards, distinctDevices: own } = costs.options[o] as ShardingOption;
    return hasPlace(partitionBy, shardCount(shards), cluster, own === true || distinctDevices === true);
  });
  const where = `${nodes} × ${gpusPerNode} devices`;
  // Of several sizes of groups one too small for a table is none that is chosen, as what cannot be run is.
  const refused =
    costs.refused ?? (kept.length === 0 && group ? `none of its options has a place on ${where}` : undefined);
  if (kept.length === 0 && refused === undefined) {
    throw new InputError(
      `table ${name}: expected a sharding type whose shards have a place on ${where}, received none; allow more sharding types`,
      file,
    );
  }
  if (kept.length === 0) return { ...costs, ...(refused === undefined ? {} : { refused }) };
  return {
    options: kept.map((o) => costs.options[o] as ShardingOption),
    features: costs.features,
    ...(costs.refused === undefined ? {} : { refused: costs.refused }),
    phases: costs.phases && kept.map((o) => costs.phases?.[o] as readonly (readonly number[])[]),
  };
}

/** The options that {@link withPlace} leaves out. */
function withoutPlace(
  { tables }: TablePlacementInstance,
  costs: readonly TableCosts[],
  placed: readonly TableCosts[],
): readonly LeftOut[] {
  const counts = costs.map(({ options }, t) => options.length - (placed[t] as TableCosts).options.length);
  const named = tables.flatMap(({ name }, t) => (counts[t] === 0 ? [] : [name]));
  if (named.length === 0) return [];
  const options = counts.reduce((sum, count) => sum + count, 0);
  return [{ options, tables: named, reason: "a number of shards for which the devices have no places" }];
}

function shardCount(shards: ShardingOption["shards"]): number {
  return shards.reduce((sum, [count]) => sum + count, 0);
}

/** The phases of each shard, in TorchRec's order, where the instance lists them. */
function listedPhases(option: ShardingOption, devices: number): readonly (readonly number[])[] {
  return withCopiesListed(option, devices).shards.flatMap(([count, { phases }]) => {
    if (phases === undefined) throw new RangeError("a shard without phases cannot be of a problem whose goal they are");
    return new Array<readonly number[]>(count).fill(PHASES.map((phase) => phases[phase]));
  });
}

interface ListedOption extends Omit<ShardingOption, "hot"> {
  readonly hot?: HotRows | undefined;
}

/** Copies of hot rows as the last shards. */
function withCopiesListed({ hot, ...option }: ShardingOption, devices: number): ListedOption {
  if (hot === undefined) return option;
  const { rows, share, need } = hot;
  return { ...option, shards: [...option.shards, [devices, need]], hot: { rows, share, copies: devices } };
}

/** Equal shards are one object. `phases` has an entry for each shard. */
function expanded(
  { shardingType, kernel, partitionBy, shards, hot, cache, distinctDevices, notes }: ListedOption,
  phases: readonly (readonly number[])[] | null,
): PlacementOption {
  const one = sharedNeeds();
  const runs: { readonly need: ShardNeed; readonly count: number }[] = [];
  let first = 0;
  for (const [count, { cost, hbmBytes, hostBytes, ssdBytes }] of shards) {
    const plain = { cost, hbmBytes, hostBytes, ...(ssdBytes === undefined ? {} : { ssdBytes }) };
    for (let k = 0; k < count; ) {
      const own = phases?.[first + k];
      const from = k++;
      // Of neighbours most are the same object.
      while (k < count && phases?.[first + k] === own) k++;
      runs.push({ need: one(own === undefined ? plain : { ...plain, phases: own }), count: k - from });
    }
    first += count;
  }
  const kept = {
    ...(hot === undefined ? {} : { hot }),
    ...(cache === undefined ? {} : { cache }),
    ...(distinctDevices ? { distinctDevices } : {}),
    ...(notes === undefined ? {} : { notes }),
  };
  return optionOfRuns({ shardingType, kernel, partitionBy, ...kept }, runs);
}

/** Where a table stays: with an option of the same type, kernel and number of shards, its shards where the plan has them. */
function stayLimit(
  { cluster: { nodes, gpusPerNode }, goals }: TablePlacementInstance,
  { choices, mostMoved, ranks }: MovesFrom,
  tables: readonly PlacementTable[],
): { readonly stay?: StayLimit } {
  const isCounted = goals?.some(({ minimize }) => minimize === "moved-tables") === true;
  if (mostMoved === null && !isCounted) return {};
  const homes = tables.map(({ name, options }) => {
    const written = choices.get(name);
    if (written === undefined) return null;
    const devices = written.ranks.map((rank) => ranks[rank] as number);
    if (devices.some((device) => device >= nodes * gpusPerNode)) return [];
    return [...options.keys()]
      .filter((o) => {
        const { shardingType, kernel, shards } = options[o] as PlacementOption;
        const isNamed = shardingType === written.shardingType && kernel === written.kernel;
        return isNamed && shards.length === devices.length;
      })
      .map((option) => ({ option, devices }));
  });
  return { stay: { homes, mostMoved: mostMoved ?? tables.length } };
}

/** Bytes are added as doubles, which is exact as long as all of them together are an integer below 2^53. */
function requireExactBytes(
  pooled: readonly number[],
  tables: readonly TableCosts[],
  devices: number,
  file: string,
): void {
  const most = (key: "hbmBytes" | "hostBytes" | "ssdBytes") =>
    tables.reduce((sum, { options }) => {
      const ofOptions = options.map((option) =>
        withCopiesListed(option, devices).shards.reduce(
          (bytes, [count, need]) => bytes + BigInt(count) * BigInt(need[key] ?? 0),
          0n,
        ),
      );
      return sum + ofOptions.reduce((a, b) => (a > b ? a : b));
    }, 0n);
  const host = pooled.reduce((sum, bytes) => sum + BigInt(bytes), 0n);
  for (const total of [most("hbmBytes"), most("hostBytes"), most("ssdBytes"), host]) {
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
