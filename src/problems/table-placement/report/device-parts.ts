import type { PlacedShard } from "./input.js";

/** Parts of bars on one picture: beyond them the smallest shards of a device are one part. */
const MAX_PARTS = 3000;

/** Shards that are less than this share of the longest bar have no part of their own: it would not be seen. */
const MIN_SHARE = 0.008;

/** The kind of a part that stands for many shards. */
export const TOGETHER = "smaller ones together";

/** Names in the text of a part that stands for many shards. */
const MAX_NAMES = 12;

/** A part of a bar, from so much to so much of its device. */
export interface Part {
  readonly device: number;
  readonly name: string;
  readonly kind: string;
  readonly part: number;
  readonly from: number;
}

/** What is on every device, as much on each. */
export interface Band {
  /** The first of its shards. */
  readonly everywhere: readonly string[];
  readonly name: string;
  readonly kind: string;
  readonly part: number;
  readonly from: number;
}

/** More tables on every device than these are counted, not named. */
const MAX_NAMED = 3;

export interface Parts {
  readonly bands: readonly Band[];
  readonly parts: readonly Part[];
}

/** What is on all devices alike by its kind, then the shards of every device by falling size; those beyond the room are one part. */
export function partsOf(
  shards: readonly PlacedShard[],
  devices: number,
  sizeOf: (shard: PlacedShard) => number,
): Parts {
  const everywhere = tablesEverywhere(shards, devices, sizeOf);
  const bands: Band[] = [];
  let base = 0;
  for (const kind of [...new Set(everywhere.map((table) => table.kind))].sort()) {
    const tables = everywhere.filter((table) => table.kind === kind);
    const part = tables.reduce((sum, { size }) => sum + size, 0);
    const names = tables.map(({ table }) => table);
    const listed = names.length <= MAX_NAMED ? names.join(", ") : `${names.length} tables`;
    const name = `${listed}, on every device`;
    bands.push({
      everywhere: tables
        .slice(0, MAX_NAMES)
        .flatMap((table) => table.names)
        .slice(0, MAX_NAMES),
      name,
      kind,
      part,
      from: base,
    });
    base += part;
  }
  const drawn = new Set(everywhere.map(({ table }) => table));
  const byDevice = Array.from({ length: devices }, (): PlacedShard[] => []);
  for (const shard of shards) if (!drawn.has(shard.table)) byDevice[shard.device]?.push(shard);
  const room = Math.max(3, Math.floor(MAX_PARTS / Math.max(1, devices)));
  const longest = byDevice.reduce((most, own) => Math.max(most, base + sumOf(own, sizeOf)), 0);
  const parts = byDevice.flatMap((own, device) => {
    let from = base;
    return partsOn(own, longest, room, sizeOf).map(({ name, kind, part }): Part => {
      from += part;
      return { device, name, kind, part, from: from - part };
    });
  });
  return { bands, parts };
}

interface Everywhere {
  readonly table: string;
  readonly names: readonly string[];
  readonly kind: string;
  /** On each device. */
  readonly size: number;
}

/** Tables of which every device holds the same amount. */
function tablesEverywhere(
  shards: readonly PlacedShard[],
  devices: number,
  sizeOf: (shard: PlacedShard) => number,
): readonly Everywhere[] {
  const byTable = new Map<string, PlacedShard[]>();
  if (devices < 2) return [];
  for (const shard of shards) {
    const own = byTable.get(shard.table);
    if (own === undefined) byTable.set(shard.table, [shard]);
    else own.push(shard);
  }
  return [...byTable].flatMap(([table, own]) => {
    const [first] = own as [PlacedShard];
    const size = sizeOf(first);
    const isAlike = own.length === devices && own.every((shard) => sizeOf(shard) === size);
    if (!isAlike || size === 0 || new Set(own.map(({ device }) => device)).size < devices) return [];
    return [{ table, names: own.map(({ name }) => name), kind: first.shardingType, size }];
  });
}

function partsOn(
  own: readonly PlacedShard[],
  longest: number,
  room: number,
  sizeOf: (shard: PlacedShard) => number,
): readonly Pick<Part, "name" | "kind" | "part">[] {
  const sorted = [...own].sort((a, b) => sizeOf(b) - sizeOf(a));
  const seen = sorted.filter((shard) => sizeOf(shard) >= longest * MIN_SHARE).length;
  const most = sorted.length <= room ? sorted.length : room - 1;
  const isWhole = Math.min(seen, most) >= sorted.length - 1 && sorted.length <= room;
  const shown = isWhole ? sorted : sorted.slice(0, Math.min(seen, most));
  const rest = sorted.slice(shown.length);
  const parts = shown.map((shard) => ({ name: shard.name, kind: shard.shardingType, part: sizeOf(shard) }));
  if (rest.length === 0) return parts;
  const names = rest.slice(0, MAX_NAMES).map(({ name }) => name);
  const more = rest.length > names.length ? [`… ${rest.length - names.length} more`] : [];
  const name = `${rest.length} smaller: ${[...names, ...more].join(", ")}`;
  return [...parts, { name, kind: TOGETHER, part: sumOf(rest, sizeOf) }];
}

function sumOf(shards: readonly PlacedShard[], sizeOf: (shard: PlacedShard) => number): number {
  return shards.reduce((sum, shard) => sum + sizeOf(shard), 0);
}
