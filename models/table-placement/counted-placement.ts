import type { Rational } from "../../src/exact/rational.js";
import type { CountedClass, CountedNeed } from "./counted-options.js";
import { kindOf, type OptionNeeds, type Taken } from "./counted-options.js";
import {
  deviceCount,
  type Placement,
  type PlacementOption,
  type PlacementProblem,
  type PlacementTable,
} from "./problem.js";

/** Shards that need the same, whatever their tables. */
export interface CountedShards {
  readonly need: CountedNeed;
  /** Σ over devices − Σ shards·tables = 0. */
  readonly row: number;
  /** By device, or by node for shards that fill one. */
  readonly columns: readonly number[];
}

/** What all devices of a node carry alike, in whole steps, rounded down. */
export interface CountedBase {
  readonly column: number;
  /** 0 ≤ base − step·column ≤ step − 1. */
  readonly row: number;
}

/** Which rows and columns of the counted program play which part; indices are the program's. */
export interface CountedStructure {
  readonly unit: Rational;
  /** The largest cost, in units. */
  readonly largest: number;
  readonly classes: readonly CountedClass[];
  /** By class and option, the column that counts its tables. */
  readonly chosen: readonly (readonly number[])[];
  /** By class, Σ over its options = tables. */
  readonly optionRows: readonly number[];
  /** Shards that may be on any device; the dearest first. */
  readonly free: readonly CountedShards[];
  /** Shards that are on every device of a node. */
  readonly filling: readonly CountedShards[];
  /** By node. */
  readonly bases: readonly CountedBase[];
  readonly step: bigint;
  /** By device: Σ free + base ≤ z. */
  readonly loadRows: readonly number[];
  /** By device: Σ free + step·column ≤ z. */
  readonly spareRows: readonly number[];
  /** By device: Σ bytes ≤ its memory; none where memory is set aside. */
  readonly hbmRows: readonly number[];
  /** Of a device. */
  readonly hbmBytes: number;
}

/** What is counted in a placement. */
export interface Counts {
  /** By class and option, tables. */
  readonly chosen: readonly (readonly number[])[];
  /** By kind and node, groups. */
  readonly filling: readonly (readonly number[])[];
  /** By kind and device, shards: as many as are wanted, or more. */
  readonly free: readonly (readonly number[])[];
}

/** The index of each kind. */
export function kindsAt(all: readonly CountedShards[]): ReadonlyMap<string, number> {
  return new Map(all.map(({ need }, kind) => [kindOf(need), kind]));
}

/** Shards of a table that go to one place together: one, or those of a group. */
interface Part {
  readonly table: number;
  readonly first: number;
  readonly kind: number;
  readonly bytes: number;
}

/**
 * A placement with these counts: the parts with most bytes first, each where there is room for one of its kind and the fewest bytes are.
 * It may need more memory than there is.
 */
export function placementOf(problem: PlacementProblem, structure: CountedStructure, counts: Counts): Placement {
  const { gpusPerNode } = problem;
  const { classes, free, filling } = structure;
  const [freeAt, fillingAt] = [kindsAt(free), kindsAt(filling)];
  const bytes = new Array<number>(deviceCount(problem)).fill(0);
  const choices = new Array<{ readonly option: number; readonly devices: number[] }>(problem.tables.length);
  const shards: Part[] = [];
  const groups: Part[] = [];
  classes.forEach(({ tables, options, taken, own }, c) => {
    const left = [...(counts.chosen[c] as readonly number[])];
    for (const table of tables) {
      const k = left.findIndex((count) => count > 0);
      left[k] = (left[k] as number) - 1;
      const option = own.get(table)?.[k] as number;
      const needs = options[k] as OptionNeeds;
      const of = taken.get(table)?.get(option) as Taken;
      const all = ((problem.tables[table] as PlacementTable).options[option] as PlacementOption).shards;
      const bytesOf = (shard: number) => all[shard]?.hbmBytes ?? 0;
      // Those of an option on every device are there, in order; others that need nothing go round the devices.
      const devices = all.map((_, shard) => shard % bytes.length);
      choices[table] = { option, devices };
      if (needs.free.length + needs.filling.length === 0) {
        for (const [shard, device] of devices.entries()) bytes[device] = (bytes[device] as number) + bytesOf(shard);
      }
      needs.free.forEach((need, j) => {
        const first = of.free[j] as number;
        shards.push({ table, first, kind: freeAt.get(kindOf(need)) as number, bytes: bytesOf(first) });
      });
      needs.filling.forEach((need, j) => {
        const first = of.filling[j] as number;
        groups.push({ table, first, kind: fillingAt.get(kindOf(need)) as number, bytes: bytesOf(first) });
      });
    }
  });
  deal(
    groups,
    counts.filling,
    (node) => bytes[node * gpusPerNode] as number,
    ({ table, first, bytes: own }, node) => {
      for (let slot = 0; slot < gpusPerNode; slot++) {
        const device = node * gpusPerNode + slot;
        (choices[table]?.devices as number[])[first + slot] = device;
        bytes[device] = (bytes[device] as number) + own;
      }
    },
  );
  deal(
    shards,
    counts.free,
    (device) => bytes[device] as number,
    ({ table, first, bytes: own }, device) => {
      (choices[table]?.devices as number[])[first] = device;
      bytes[device] = (bytes[device] as number) + own;
    },
  );
  return { choices };
}

function deal(
  parts: readonly Part[],
  room: readonly (readonly number[])[],
  bytesAt: (place: number) => number,
  put: (part: Part, place: number) => void,
): void {
  const left = room.map((own) => [...own]);
  for (const part of parts.toSorted((a, b) => b.bytes - a.bytes || a.kind - b.kind)) {
    const own = left[part.kind] as number[];
    let best = -1;
    own.forEach((count, place) => {
      if (count > 0 && (best === -1 || bytesAt(place) < bytesAt(best))) best = place;
    });
    // Counts in doubles may be one short.
    const place = Math.max(0, best);
    own[place] = (own[place] as number) - 1;
    put(part, place);
  }
}
