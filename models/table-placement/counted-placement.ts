import type { Rational } from "../../src/exact/rational.js";
import { type CountedClass, type CountedNeed, kindOf, type OptionNeeds, type Taken } from "./counted-options.js";
import type { CountedBase } from "./host-base.js";
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

/** What is counted by place: shards by device, groups by node, each on as many devices. */
export const COUNTED = ["filling", "free"] as const;

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
  const kindAt = { free: kindsAt(structure.free), filling: kindsAt(structure.filling) };
  const bytes = new Array<number>(deviceCount(problem)).fill(0);
  const choices = new Array<{ readonly option: number; readonly devices: number[] }>(problem.tables.length);
  const parts = { free: [] as Part[], filling: [] as Part[] };
  structure.classes.forEach(({ tables, options, taken, own }, c) => {
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
      for (const counted of COUNTED) {
        needs[counted].forEach((need, j) => {
          const [first, kind] = [of[counted][j] as number, kindAt[counted].get(kindOf(need)) as number];
          parts[counted].push({ table, first, kind, bytes: bytesOf(first) });
        });
      }
    }
  });
  for (const counted of COUNTED) {
    const size = counted === "free" ? 1 : problem.gpusPerNode;
    const left = counts[counted].map((own) => [...own]);
    for (const { table, first, kind, bytes: each } of parts[counted].sort(
      (a, b) => b.bytes - a.bytes || a.kind - b.kind,
    )) {
      const room = left[kind] as number[];
      const bytesAt = (place: number) => bytes[place * size] as number;
      let best = -1;
      room.forEach((count, place) => {
        if (count > 0 && (best === -1 || bytesAt(place) < bytesAt(best))) best = place;
      });
      // Counts in doubles may be one short.
      const place = Math.max(0, best);
      room[place] = (room[place] as number) - 1;
      for (let slot = 0; slot < size; slot++) {
        const device = place * size + slot;
        (choices[table]?.devices as number[])[first + slot] = device;
        bytes[device] = (bytes[device] as number) + each;
      }
    }
  }
  return { choices };
}
