import type { ShardShape } from "../../../src/cost/torchrec/shards.js";
import type { TableMemory } from "../../../src/cost/torchrec/storage/kept.js";
import type { HeldLayout, KeptPart } from "../held-layout.js";
import { cells, common } from "../moved-bytes.js";
import type { ShardNeed } from "../problem.js";

/**
 * What bytes go over: nothing, on the device that has them (`local`); between a device and its host or SSD (`host`); between
 * devices of one host (`inside`); between hosts (`between`).
 */
export const LINKS = ["local", "host", "inside", "between"] as const;
export type Link = (typeof LINKS)[number];

/** A shard that there is before the move. */
export interface OldShard {
  readonly table: string;
  readonly shard: number;
  readonly device: number;
  /** `null`: which part of the table it is cannot be told. */
  readonly memory: TableMemory | null;
  readonly shape: ShardShape;
  readonly need: ShardNeed;
}

/** A shard that there will be. */
export interface NewShard {
  readonly table: string;
  readonly shard: number;
  readonly device: number;
  readonly memory: TableMemory;
  readonly shape: ShardShape;
  readonly need: ShardNeed;
  /** The old shard (by index) that it is: the same part of the table in the same memory; `null`: it is made. */
  readonly stays: number | null;
  readonly reads: readonly Read[];
}

/** A part of a new shard that comes from an old one. */
export interface Read {
  /** Index of the old shard. */
  readonly from: number;
  readonly part: ShardShape;
  /** The optimizer's state of the part's rows comes with it. */
  readonly withState: boolean;
  readonly link: Link;
  /** Parameters and optimizer state. */
  readonly bytes: number;
}

export interface TableMove {
  readonly layout: HeldLayout;
  /** By shard of the new option. */
  readonly devices: readonly number[];
  readonly needs: readonly ShardNeed[];
  /** By shard of the old option: index among all old shards; empty where the table is new. */
  readonly old: readonly number[];
}

/** Where the bytes of every new shard come from, chosen so that as few as possible leave their device, then their host. */
export function newShards(
  moves: ReadonlyMap<string, TableMove>,
  old: readonly OldShard[],
  hostOf: (device: number) => number,
): readonly NewShard[] {
  const sent = new Array<number>(old.length).fill(0);
  const taken = new Set<number>();
  const shards = [...moves].flatMap(([table, move]) => {
    const { layout, devices, needs } = move;
    return layout.shards.map((shape, shard) => {
      const [device, need] = [devices[shard] as number, needs[shard] as ShardNeed];
      const made = { table, shard, device, need, shape, memory: layout.memory };
      const stays = move.old.find((index) => !taken.has(index) && isSame(old[index] as OldShard, made)) ?? null;
      if (stays !== null) taken.add(stays);
      return { ...made, stays, move };
    });
  });
  return shards.map(({ move, ...shard }) => ({ ...shard, reads: readsOf(shard, move, { taken, sent, hostOf }) }));
}

function isSame(old: OldShard, made: Pick<NewShard, "device" | "memory" | "shape">): boolean {
  const isShape = [0, 1].every(
    (axis) => old.shape.offsets[axis] === made.shape.offsets[axis] && old.shape.sizes[axis] === made.shape.sizes[axis],
  );
  return isShape && old.device === made.device && old.memory === made.memory;
}

interface Sources {
  /** Old shards that stay where they are. */
  readonly taken: ReadonlySet<number>;
  /** Bytes that every old shard sends so far. */
  readonly sent: number[];
  readonly hostOf: (device: number) => number;
}

function readsOf(
  { device, memory, shape, stays }: Omit<NewShard, "reads">,
  { layout: { now, kept }, old }: TableMove,
  { taken, sent, hostOf }: Sources,
): readonly Read[] {
  if (now === null || stays !== null) return [];
  const existing = common(shape, { offsets: [0, 0], sizes: [now.rows, now.dim] });
  const parts = now.parts.map((part, k) => ({ ...part, old: old[k] as number }));
  const linkFrom = (part: KeptPart) => linkOf(part, { device, memory }, hostOf);
  const order = (part: (typeof parts)[number]) => [
    LINKS.indexOf(linkFrom(part)),
    // In doubles, read: a yes or no, to sort by.
    Number(!taken.has(part.old)),
    sent[part.old] as number,
    part.old,
  ];
  const pieces = rowBands(existing, parts).flatMap((band) => {
    const columns = columnPieces(band, parts).map((piece) => {
      const sources = parts.filter((part) => cells(common(piece, part)) === cells(piece));
      const source = sources.reduce((best, part) => (isBefore(order(part), order(best)) ? part : best));
      return { piece, source, link: linkFrom(source) };
    });
    // The state of a row is whole where the device has all of its columns; else it comes with the first that it lacks.
    const first = columns.findIndex(({ link }) => link !== "local");
    return columns.map(({ piece, source, link }, k) => {
      const withState = first === -1 || k === first;
      // On a device that has the row's parts already their state is there too, at no bytes.
      const stateRows = first === -1 ? (k === 0 ? piece.sizes[0] : 0) : withState ? piece.sizes[0] : 0;
      const bytes = cells(piece) * kept.cellBytes + stateRows * kept.rowBytes;
      if (link !== "local") sent[source.old] = (sent[source.old] as number) + bytes;
      return { from: source.old, part: piece, withState: stateRows > 0, link, bytes };
    });
  });
  return joined(pieces);
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const k = a.findIndex((value, at) => value !== b[at]);
  return k !== -1 && (a[k] as number) < (b[k] as number);
}

/** The whole cut into bands of rows, between which no part begins or ends. */
function rowBands(whole: ShardShape, parts: readonly ShardShape[]): ShardShape[] {
  return ranges(whole, parts, 0).map(([from, size]) => ({
    offsets: [from, whole.offsets[1]],
    sizes: [size, whole.sizes[1]],
  }));
}

function columnPieces(band: ShardShape, parts: readonly ShardShape[]): ShardShape[] {
  const here = parts.filter((part) => cells(common(band, part)) > 0);
  return ranges(band, here, 1).map(([from, size]) => ({
    offsets: [band.offsets[0], from],
    sizes: [band.sizes[0], size],
  }));
}

function ranges(whole: ShardShape, parts: readonly ShardShape[], axis: 0 | 1): [from: number, size: number][] {
  if (cells(whole) === 0) return [];
  const start = whole.offsets[axis];
  const end = start + whole.sizes[axis];
  const cuts = new Set([start, end]);
  for (const { offsets, sizes } of parts) {
    for (const cut of [offsets[axis], offsets[axis] + sizes[axis]]) if (cut > start && cut < end) cuts.add(cut);
  }
  const order = [...cuts].sort((a, b) => a - b);
  return order.slice(1).map((to, k) => [order[k] as number, to - (order[k] as number)]);
}

/** Bands of rows, one below the other, that come from the same shard in the same way are one read. */
function joined(reads: readonly Read[]): readonly Read[] {
  const made: Read[] = [];
  for (const read of reads) {
    const at = made.findIndex(
      ({ from, part, withState }) =>
        from === read.from &&
        withState === read.withState &&
        part.offsets[1] === read.part.offsets[1] &&
        part.sizes[1] === read.part.sizes[1] &&
        part.offsets[0] + part.sizes[0] === read.part.offsets[0],
    );
    const above = made[at];
    if (above === undefined) made.push(read);
    else {
      const sizes = [above.part.sizes[0] + read.part.sizes[0], above.part.sizes[1]] as const;
      made[at] = { ...above, part: { ...above.part, sizes }, bytes: above.bytes + read.bytes };
    }
  }
  return made;
}

/** A place where rows are kept. */
export interface Place {
  readonly device: number;
  readonly memory: TableMemory | null;
}

/** What bytes go over from one place to another. */
export function linkOf(from: Place, to: Place, hostOf: (device: number) => number): Link {
  if (from.device !== to.device) return hostOf(from.device) === hostOf(to.device) ? "inside" : "between";
  if (from.memory === null) return "inside";
  return from.memory === to.memory ? "local" : "host";
}

/** Bytes of all reads by what they go over. */
export function bytesByLink(shards: readonly Pick<NewShard, "reads">[]): Readonly<Record<Link, number>> {
  const sums = { local: 0, host: 0, inside: 0, between: 0 };
  for (const { reads } of shards) for (const { link, bytes } of reads) sums[link] += bytes;
  return sums;
}
