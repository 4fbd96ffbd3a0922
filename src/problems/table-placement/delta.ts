import type { DeltaShard, PlacementDelta } from "../../../models/table-placement/migration/delta.js";
import { linkSpeeds } from "../../../models/table-placement/migration/link-speeds.js";
import { type Moves, movesOf } from "../../../models/table-placement/migration/moves.js";
import { type Schedule, scheduleOf } from "../../../models/table-placement/migration/schedule.js";
import { bytesByLink, type NewShard, type OldShard } from "../../../models/table-placement/migration/transfers.js";
import { worthOf } from "../../../models/table-placement/migration/worth.js";
import type { PlacementChoice, PlacementOption, ShardNeed } from "../../../models/table-placement/problem.js";
import { InputError } from "../../errors/input-error.js";
import type { MovesFrom, PlacementCluster, WrittenChoice } from "../../instance/types/table-placement.js";
import type { ExportablePlacement } from "../../interop/exportable.js";
import { ranksNow } from "./instance/ranks-now.js";

export interface DeltaOptions {
  /** The optimizer whose state moves, where a table does not name its own; `null`: none. */
  readonly optimizer?: string | null;
  /** For each rank of the old plan the device that it is now, `null` where it is gone; default: the same device of the same host. */
  readonly ranks?: readonly (number | null)[];
  readonly seed?: number;
}

/**
 * How one placement becomes another: what moves from where, in which steps, and whether it is worth it. Where the new
 * instance says itself which ranks of a plan before are which devices, and whose state moves, that holds unless `options` do.
 *
 * Throws `InputError` where the plans have no table in common.
 */
export function placementDelta(
  old: ExportablePlacement,
  now: ExportablePlacement,
  options: DeltaOptions = {},
): PlacementDelta {
  for (const plan of [old, now]) requireWhole(plan);
  const from = movesFrom(old, now, options);
  const moves = movesOf(now.instance, from, now.problem, now.placement, needsOf(old));
  const speeds = linkSpeeds(now.instance);
  const gone = from.ranks.flatMap((device, rank) => (device >= now.problem.hbmBytes.length ? [{ device, rank }] : []));
  const goneBytes = gone.map(({ rank }) => old.problem.hbmBytes[rank] as number);
  const schedule = scheduleOf(now.problem, moves, speeds, { seed: options.seed ?? 0, goneBytes });
  const known = schedule.steps.map(({ seconds }) => seconds);
  const seconds = known.includes(null) ? null : known.reduce<number>((sum, one) => sum + (one as number), 0);
  const bytes = countedBytes(moves, schedule);
  const names = (list: Iterable<string>) => [...new Set(list)];
  return {
    shardproof: 1,
    kind: "placement-delta",
    from: { instance: { name: old.instance.name, sha256: old.instance.sha256 }, digest: old.digest },
    to: { instance: { name: now.instance.name, sha256: now.instance.sha256 }, digest: now.digest },
    cluster: {
      devices: now.problem.hbmBytes.length,
      hosts: moves.hosts,
      goneRanks: gone.map(({ rank }) => rank),
    },
    tables: {
      moved: names(moves.made.flatMap(({ table, stays }) => (stays === null ? [table] : []))).filter((table) =>
        from.choices.has(table),
      ),
      added: now.problem.tables.flatMap(({ name }) => (from.choices.has(name) ? [] : [name])),
      dropped: moves.dropped,
      countedWhole: [...moves.layouts].flatMap(([name, { isWhole }]) => (isWhole ? [name] : [])),
    },
    bytes,
    seconds,
    worth: worthOf(now, from, seconds),
    kept: Object.fromEntries(
      [...moves.layouts].flatMap(([name, { now: before, kept }]) => {
        if (before === null) return [];
        const { rows, dim } = before;
        return [[name, { rows, dim, cellBytes: kept.cellBytes, rowBytes: kept.rowBytes }] as const];
      }),
    ),
    old: moves.old.map(described),
    new: moves.made.map((shard) => ({
      ...described(shard),
      stays: shard.stays,
      reads: shard.reads.map(({ from: index, part, withState, bytes: read }) => ({
        old: index,
        ...rangesOf(part),
        withState,
        bytes: read,
      })),
    })),
    schedule: scheduled(schedule),
    notes: [],
  };
}

function requireWhole({ problem, placement, instance }: ExportablePlacement): void {
  const split = placement.choices.findIndex(({ option }, t) => problem.tables[t]?.options[option]?.hot !== undefined);
  if (split === -1) return;
  throw new InputError(
    `expected plans of whole tables, because moves are counted of those, received one with hot rows of ${problem.tables[split]?.name} on every device; plan without splits.hotRows`,
    instance.file,
  );
}

function movesFrom(old: ExportablePlacement, now: ExportablePlacement, { optimizer, ranks }: DeltaOptions): MovesFrom {
  const choices = new Map(
    old.problem.tables.map(({ name, options }, t): [string, WrittenChoice] => {
      const { option, devices } = old.placement.choices[t] as PlacementChoice;
      const { shardingType, kernel } = options[option] as PlacementOption;
      return [name, { shardingType, kernel, ranks: devices }];
    }),
  );
  if (!now.problem.tables.some(({ name }) => choices.has(name))) {
    throw new InputError(
      `expected plans that have tables in common, received one of "${old.instance.name}" and one of "${now.instance.name}"; name other plans`,
    );
  }
  const own = now.instance.from;
  const [then, cluster] = [shapeOf(old), shapeOf(now)];
  const isOwn = ranks === undefined && own !== null && own.ranks.length === then.nodes * then.gpusPerNode;
  const { ranks: devices, goneHosts } = isOwn ? own : ranksNow(then, cluster, ranks);
  return {
    choices,
    mostMoved: null,
    ranks: devices,
    goneHosts,
    instance: old.instance,
    optimizer: optimizer === undefined ? (own?.optimizer ?? null) : optimizer,
  };
}

function shapeOf({
  problem: { nodes, gpusPerNode },
}: ExportablePlacement): Pick<PlacementCluster, "nodes" | "gpusPerNode"> {
  return { nodes, gpusPerNode };
}

function needsOf({
  problem: { tables },
  placement: { choices },
}: ExportablePlacement): (table: string, shard: number) => ShardNeed {
  const byName = new Map(
    tables.map(({ name, options }, t) => [name, options[(choices[t] as PlacementChoice).option]?.shards ?? []]),
  );
  return (table, shard) => byName.get(table)?.[shard] as ShardNeed;
}

function countedBytes({ made }: Moves, { steps }: Schedule): PlacementDelta["bytes"] {
  const { host, inside, between } = bytesByLink(made);
  const over = { local: 0, host: 0, inside: 0, between: 0 };
  let parked = 0;
  for (const { moves, parks } of steps) {
    for (const { new: index, links } of moves) {
      for (const [k, link] of links.entries()) over[link] += made[index]?.reads[k]?.bytes ?? 0;
    }
    for (const { link, bytes } of parks) {
      over[link] += bytes;
      parked += bytes;
    }
  }
  return { received: host + inside + between, ...over, parked };
}

function described({ table, shard, device, memory, shape, need }: OldShard | NewShard): DeltaShard {
  const { hbmBytes, hostBytes, ssdBytes = 0 } = need;
  return { table, shard, device, memory, ...rangesOf(shape), hbmBytes, hostBytes, ssdBytes };
}

function rangesOf({ offsets, sizes }: OldShard["shape"]): Pick<DeltaShard, "rows" | "columns"> {
  return { rows: [offsets[0], sizes[0]], columns: [offsets[1], sizes[1]] };
}

function scheduled(schedule: Schedule): PlacementDelta["schedule"] {
  const { memories, unread, before, after, steps, extra, withoutParking } = schedule;
  const { atLeast, found, because } = withoutParking ?? {};
  return {
    status: extra === 0 ? "fits" : "needs-more-memory",
    extraBytes: extra,
    withoutParking:
      found === undefined ? null : { atLeast: atLeast as number, found: found.extra, because: because as string },
    ...{ memories, unread, before, after, steps },
  };
}
