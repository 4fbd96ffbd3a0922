import type { DirectProgram } from "./direct-program.js";
import { grouped } from "./grouped.js";
import type { ShardColumn } from "./option-site.js";
import { type OptionDemand, optionDemands } from "./pattern-demand.js";
import { deviceCount, type PlacementProblem, type ShardNeed } from "./problem.js";

/** What a device may hold of one table: shards of one option. */
export interface Part {
  readonly option: number;
  /** Indices into {@link PatternModel.orbits}, and how many shards of each. */
  readonly orbits: readonly number[];
  readonly counts: readonly number[];
  readonly cost: number;
  readonly hbm: number;
  readonly host: number;
}

/** Devices that may hold the same patterns: at most one part of each table, within memory and cost. */
export interface DeviceClass {
  readonly devices: readonly number[];
  /** By table; a table may have none. */
  readonly parts: readonly (readonly Part[])[];
  readonly hbm: number;
  /** Infinity where host memory is aggregated or does not limit. */
  readonly host: number;
}

/** Place rows of the program that get one price, because exchanging alike devices carries each into the others. */
export interface Orbit {
  readonly table: number;
  readonly option: number;
  readonly rows: readonly number[];
  readonly cost: number;
  readonly hbm: number;
  readonly host: number;
  readonly within: ShardNeed["within"];
}

/** A placement problem in terms of what devices may hold: what column generation works on. */
export interface PatternModel {
  readonly classes: readonly DeviceClass[];
  readonly orbits: readonly Orbit[];
  /** What each option that can be placed wants, by table. */
  readonly tables: readonly (readonly OptionDemand[])[];
  /** Tables of which a device may hold only one. */
  readonly apart: readonly (readonly number[])[];
}

/** The most parts that one option may offer a device. */
const MAX_PARTS = 256;

/**
 * Finds the classes of alike devices and what each may hold of the options that count (all without `open`); `null`
 * where there are too many ways to hold a table. `leftOut`: columns of shards that are no items of patterns.
 */
export function patternModel(
  problem: PlacementProblem,
  direct: DirectProgram,
  open?: readonly (readonly boolean[])[],
  leftOut: ReadonlySet<number> = new Set(),
): PatternModel | null {
  const perDevice: ShardColumn[][] = Array.from({ length: deviceCount(problem) }, () => []);
  const isCounted = (table: number, option: number) => open?.[table]?.[option] ?? true;
  const counted = direct.structure.shards.filter(
    ({ table, option, column }) => isCounted(table, option) && !leftOut.has(column),
  );
  for (const shard of counted) perDevice[shard.device]?.push(shard);
  const members = alikeDevices(problem, perDevice);
  const classOf: number[] = [];
  members.forEach((devices, c) => {
    for (const d of devices) classOf[d] = c;
  });
  const { orbits, orbitOf } = orbitsOf(counted, classOf);
  const tables = optionDemands(direct, orbitOf, isCounted);
  const classes: DeviceClass[] = [];
  for (const devices of members) {
    const first = devices[0] as number;
    const parts = partsOf(perDevice[first] as ShardColumn[], problem.tables.length, orbitOf);
    if (parts === null) return null;
    const host = problem.hostIsPooled ? undefined : problem.hostBytes?.[first];
    classes.push({
      ...{ devices, parts, hbm: problem.hbmBytes[first] as number, host: host ?? Number.POSITIVE_INFINITY },
    });
  }
  return {
    classes,
    orbits,
    tables,
    apart: problem.apart,
  };
}

function needKey({ table, option, most, need }: ShardColumn): string {
  const { cost, hbmBytes, hostBytes, within } = need;
  return `${table} ${option} ${most} ${cost} ${hbmBytes} ${hostBytes} ${within?.least} ${within?.most}`;
}

/**
 * Devices with the same memory and the same shards, which in turn share their place rows with alike devices: what a
 * device of one class holds of an orbit, any other of it may hold of the same.
 */
function alikeDevices(problem: PlacementProblem, perDevice: readonly (readonly ShardColumn[])[]): number[][] {
  const placesOf = grouped(perDevice.flat(), ({ placeRow }) => placeRow);
  let classOf: readonly number[] = perDevice.map(() => 0);
  let alike: number[][] = [];
  for (;;) {
    // Short names for long texts: there may be a thousand devices in a row.
    const names = new Map<string, number>();
    const nameOf = (text: string) => names.get(text) ?? names.set(text, names.size).size - 1;
    const sharing = new Map([...placesOf].map(([row, shards]) => [row, nameOf(classesOf(shards, classOf))] as const));
    const byKey = grouped(perDevice.keys(), (d) => {
      const host = problem.hostIsPooled ? "" : problem.hostBytes?.[d];
      const shards = (perDevice[d] ?? []).map((shard) => `${needKey(shard)} ${sharing.get(shard.placeRow)}`);
      return [problem.hbmBytes[d], host, classOf[d], ...shards].join("|");
    });
    const isStable = byKey.size === alike.length;
    alike = [...byKey.values()];
    if (isStable) return alike;
    const next = new Array<number>(perDevice.length);
    alike.forEach((devices, c) => {
      for (const d of devices) next[d] = c;
    });
    classOf = next;
  }
}

/** The classes of the devices of shards, as text. */
function classesOf(shards: readonly ShardColumn[], classOf: { readonly [device: number]: number | undefined }): string {
  return shards
    .map(({ device }) => classOf[device] as number)
    .sort((a, b) => a - b)
    .join();
}

function orbitsOf(
  counted: readonly ShardColumn[],
  classOf: readonly number[],
): { orbits: Orbit[]; orbitOf: Map<number, number> } {
  const byRow = grouped(counted, ({ placeRow }) => placeRow);
  const alike = grouped(byRow, ([, shards]) => `${needKey(shards[0] as ShardColumn)}|${classesOf(shards, classOf)}`);
  const orbits = [...alike.values()].map((own): Orbit => {
    const [[, [first]]] = own as [[number, [ShardColumn]]];
    const { table, option, need } = first;
    const { cost, hbmBytes: hbm, hostBytes: host, within } = need;
    return { table, option, rows: own.map(([row]) => row), cost, hbm, host, within };
  });
  return { orbits, orbitOf: new Map(orbits.flatMap(({ rows }, orbit) => rows.map((row) => [row, orbit]))) };
}

/** By table, the ways in which a device may hold some of its shards; `null` where there are too many. */
export function partsOf(
  here: readonly ShardColumn[],
  tableCount: number,
  orbitOf: ReadonlyMap<number, number>,
): Part[][] | null {
  const byOption = grouped(here, ({ table, option }) => `${table} ${option}`);
  const parts: Part[][] = Array.from({ length: tableCount }, () => []);
  for (const shards of byOption.values()) {
    const { table, option } = shards[0] as ShardColumn;
    const ways = shards.reduce((product, { most, isDistinct }) => (isDistinct ? product : product * (most + 1)), 1);
    const distinct = shards.filter(({ isDistinct }) => isDistinct).length;
    if (ways * (distinct + 1) > MAX_PARTS) return null;
    type Draft = { orbits: number[]; counts: number[]; cost: number; hbm: number; host: number; isTaken: boolean };
    let drafts: Draft[] = [{ orbits: [], counts: [], cost: 0, hbm: 0, host: 0, isTaken: false }];
    for (const { most, need, placeRow, isDistinct = false } of shards) {
      drafts = drafts.flatMap((draft) =>
        Array.from({ length: isDistinct && draft.isTaken ? 1 : most + 1 }, (_, count) =>
          count === 0
            ? draft
            : {
                orbits: [...draft.orbits, orbitOf.get(placeRow) as number],
                counts: [...draft.counts, count],
                cost: draft.cost + count * need.cost,
                hbm: draft.hbm + count * need.hbmBytes,
                host: draft.host + count * need.hostBytes,
                isTaken: draft.isTaken || isDistinct,
              },
        ),
      );
    }
    for (const { isTaken: _isTaken, ...draft } of drafts) {
      if (draft.orbits.length > 0) parts[table]?.push({ option, ...draft });
    }
  }
  return parts;
}
