import type { ShardShape } from "../../src/cost/torchrec/shards.js";
import type { Incoming, Placement, PlacementOption, PlacementProblem } from "./problem.js";

/** A part of a table that a device holds now. */
export interface HeldPart extends ShardShape {
  readonly device: number;
}

/** What is kept of a table's shards, in bytes. */
export interface KeptBytes {
  /** For each element: the parameter, and the optimizer's state for it. */
  readonly cellBytes: number;
  /** For each row of each shard: the optimizer's state for the row. */
  readonly rowBytes: number;
}

/** A table as it is now, without the parts that are kept in another memory than the shards asked about. */
export interface HeldTable {
  readonly rows: number;
  readonly dim: number;
  readonly parts: readonly HeldPart[];
}

/**
 * What the device of a shard has to receive, wherever that is: the shard's elements that exist now, less those that the device
 * holds already in the memory where the shard is kept. Rows and columns that the table did not have are made where they are
 * needed. The optimizer's state of a row belongs to a shard's columns of it: a device has it where it holds all the columns of
 * the shard that exist.
 *
 * The parts of a device do not overlap. Integers, as long as a table has less than 2^53 bytes.
 */
export function incomingOf(shard: ShardShape, { rows, dim, parts }: HeldTable, kept: KeptBytes): Incoming {
  const existing = common(shard, { offsets: [0, 0], sizes: [rows, dim] });
  const here = new Map<number, ShardShape[]>();
  for (const part of parts) {
    const shared = common(existing, part);
    if (cells(shared) > 0) here.set(part.device, [...(here.get(part.device) ?? []), shared]);
  }
  const bytesOf = (own: readonly ShardShape[]) =>
    own.reduce((sum, part) => sum + cells(part), 0) * kept.cellBytes +
    wholeRows(own, existing.sizes[1]) * kept.rowBytes;
  const held = [...here].map(([device, own]) => [device, bytesOf(own)] as const);
  return { bytes: cells(existing) === 0 ? 0 : bytesOf([existing]), held: held.sort(([a], [b]) => a - b) };
}

/** Rows of which disjoint parts have so many columns together. */
function wholeRows(parts: readonly ShardShape[], columns: number): number {
  const cuts = new Set(parts.flatMap(({ offsets: [row], sizes: [rows] }) => [row, row + rows]));
  const bands = [...cuts].sort((a, b) => a - b);
  return bands.reduce((sum, from, k) => {
    const to = bands[k + 1] ?? from;
    const there = parts.filter(({ offsets: [row], sizes: [rows] }) => row <= from && to <= row + rows);
    return there.reduce((width, { sizes }) => width + sizes[1], 0) === columns ? sum + to - from : sum;
  }, 0);
}

/** The elements that two parts of a table share; without sizes where there are none. */
export function common(a: ShardShape, b: ShardShape): ShardShape {
  const range = (axis: 0 | 1) => {
    const from = Math.max(a.offsets[axis], b.offsets[axis]);
    const to = Math.min(a.offsets[axis] + a.sizes[axis], b.offsets[axis] + b.sizes[axis]);
    return { from, size: Math.max(0, to - from) };
  };
  const [rows, columns] = [range(0), range(1)];
  return { offsets: [rows.from, columns.from], sizes: [rows.size, columns.size] };
}

/** How many elements a part of a table has. */
export function cells({ sizes: [rows, columns] }: ShardShape): number {
  return rows * columns;
}

/** Bytes that a device has to receive to have a shard of an option; 0 where the instance does not say where tables are now. */
export function receivedBytes({ incoming }: PlacementOption, shard: number, device: number): number {
  return receivedOf(incoming?.[shard], device);
}

/** The same of one shard. */
export function receivedOf(incoming: Incoming | undefined, device: number): number {
  if (incoming === undefined) return 0;
  return incoming.bytes - (incoming.held.find(([holder]) => holder === device)?.[1] ?? 0);
}

/** Bytes that all devices receive for a placement: Σ over its shards; `null` where the instance does not say where tables are. */
export function movedBytes({ tables }: PlacementProblem, { choices }: Placement): number | null {
  if (tables.every(({ options }) => options.every(({ incoming }) => incoming === undefined))) return null;
  return choices.reduce((sum, { option, devices }, t) => {
    const chosen = tables[t]?.options[option] as PlacementOption;
    return sum + devices.reduce((bytes, device, k) => bytes + receivedBytes(chosen, k, device), 0);
  }, 0);
}
