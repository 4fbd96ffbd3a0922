import type { Rational } from "../../src/exact/rational.js";
import { grouped } from "./grouped.js";
import { needKey, type ShardColumn } from "./option-site.js";
import { largestOf, leastOf, MOST_STEPS, type PlacementDraft } from "./placement-draft.js";
import type { PlacementProblem, ShardNeed } from "./problem.js";
import type { IntegerTerms, ProgramDraft } from "./program-draft.js";

/**
 * An option (or one group of its shards on this host) that puts a shard on each device of a host: what it adds to the
 * host's base.
 */
export interface BaseSwitch {
  readonly table: number;
  readonly option: number;
  /** The column that is 1 where the shards are there; `null` where they always are. */
  readonly column: number | null;
  /** What each device of the host has of it at least, in parts: one, or several where groups of shards share the host. */
  readonly needs: readonly ShardNeed[];
}

/** A host's base as the program counts it. */
export interface CountedBase {
  /** The base in whole steps, rounded down. */
  readonly column: number;
  /** 0 ≤ base − step·column ≤ step − 1. */
  readonly row: number;
}

/** A sum over the shards of a device, of cost or of bytes, taken apart into the host's base and the free shards. */
export interface BaseRows {
  /** `null` where no option makes a base: it is 0. */
  readonly counted: CountedBase | null;
  /** A step, in the sum's own units (of cost, bytes). */
  readonly step: bigint;
  /** By device of the host: Σ free + base ≤ what the device may have. */
  readonly overRows: readonly number[];
  /** By device of the host: Σ free + step·column ≤ what the device may have. */
  readonly deviceRows: readonly number[];
  /** What switch `k` adds, in the sum's units. */
  readonly added: readonly bigint[];
  /** Sets the column to what the switches of a point say. */
  write(point: bigint[]): void;
}

/** A row of the device that has most of a table's shard. */
export interface PeakRow {
  readonly table: number;
  readonly row: number;
}

/** What all devices of a host carry alike, and rows that speak of it. */
export interface HostBase {
  readonly devices: readonly number[];
  readonly switches: readonly BaseSwitch[];
  /** The columns of the shards that make it. */
  readonly shards: ReadonlySet<number>;
  readonly load: BaseRows;
  /** `null` where memory does not limit. */
  readonly hbm: BaseRows | null;
  /** By device of the host, the rows that leave it one option of a table, of free options alone. */
  readonly sideRows: readonly (readonly number[])[];
  /** Where hosts stand for their devices: by host, rows of the device that has most of a table's shard. */
  readonly peakRows: readonly (readonly PeakRow[])[];
  /**
   * The host after it, and the row "its base is no less", which holds where none of the columns `unlike` is chosen; `null`
   * where the two are not alike.
   */
  readonly next: { readonly host: number; readonly row: number; readonly unlike: readonly number[] } | null;
}

/** The columns that count a host's base. */
export function baseColumns({ load, hbm }: HostBase): number[] {
  return [load.counted, hbm?.counted].flatMap((counted) => counted?.column ?? []);
}

/** A step is this part of a device's memory, or of what a device costs on average at least. */
const FINENESS = 1n << 20n;

/**
 * Adds, for every host ν, the base B_ν = Σ c·y over the options with a shard on every device and Σ c·h over the groups
 * of shards that choose the host, as a column b_ν of whole steps k, and
 *
 *   base_ν   0 ≤ B_ν − k·b_ν ≤ k − 1
 *   over_d   Σ_{free shards on d} c·n + B_ν ≤ z
 *   spare_d  Σ_{free shards on d} c·n + k·b_ν ≤ z
 *
 * and the same of bytes. Shards of a group that differ count with the least of them. All follow from the other rows; a
 * proof branches on b_ν, and a device looked at alone then knows what its host's base leaves. Of hosts that are alike
 * each has a base no less than the one before: order_ν  b_ν ≤ b_{ν+1}, which some placement of the same value keeps.
 * Where no option makes a base, the rows of loads and bytes of the program say the same, and where no table has a choice either there
 * is nothing to decide.
 */
export function addHostBases(
  placed: PlacementDraft,
  problem: PlacementProblem,
  load: { readonly units: (need: ShardNeed) => bigint; readonly largest: number },
  known: { readonly loadRows: readonly number[]; readonly hbmRows: readonly (number | null)[] },
): HostBase[] {
  const { draft, perDevice } = placed;
  const { nodes, gpusPerNode } = problem;
  const placesOf = new Map<number, number>();
  for (const { placeRow } of placed.shards) placesOf.set(placeRow, (placesOf.get(placeRow) ?? 0) + 1);
  const switchOf = (shard: ShardColumn) => {
    if (placesOf.get(shard.placeRow) !== 1) return undefined;
    const { columns } = (draft.rows[shard.placeRow] as ProgramDraft["rows"][number]).form;
    return columns.find((column) => column !== shard.column) ?? null;
  };
  const hosts = Array.from({ length: nodes }, (_, node) => {
    const devices = Array.from({ length: gpusPerNode }, (__, slot) => node * gpusPerNode + slot);
    return { node, devices, ...split(devices, perDevice, switchOf) };
  });
  const hasBases = hosts.some(({ switches }) => switches.length > 0);
  if (!hasBases && problem.tables.every(({ options }) => options.length === 1)) return [];
  const average = leastTotal(problem, load.units) / BigInt(nodes * gpusPerNode);
  const named = new Map(draft.rows.map(({ name }, row) => [name, row]));
  const bases = hosts.map(({ node, devices, switches, shards, free }) => {
    const rowsOf = (kind: "" | "hbm_", units: (need: ShardNeed) => bigint, limits: readonly number[]): BaseRows => {
      if (!hasBases) {
        const own = devices.map((d) => (kind === "" ? known.loadRows : known.hbmRows)[d] as number);
        return { counted: null, step: 1n, overRows: own, deviceRows: own, added: [], write: () => undefined };
      }
      const added = switches.map(({ needs }) => needs.reduce((sum, need) => sum + units(need), 0n));
      // A limit is a column (the largest cost) or a number of bytes.
      const isColumn = kind === "";
      const fixed = switches.reduce((sum, { column }, k) => (column === null ? sum + (added[k] as bigint) : sum), 0n);
      const terms = switches.flatMap((one, k) =>
        one.column === null ? [] : [[one.column, added[k] as bigint] as const],
      );
      const most = mostOf(switches, added);
      const whole = isColumn ? average : BigInt(Math.min(...limits));
      const step = largestOf([1n, whole / FINENESS, most / MOST_STEPS]);
      const column = draft.addCount(`b_${kind}${node}`, largestOf([1n, most / step]));
      const row = draft.addRow(`base_${kind}${node}`, [...terms, [column, -step]], -fixed, step - 1n - fixed);
      const freeTerms = free.map((here) => here.map((shard) => [shard.column, units(shard.need)] as const));
      const largest: IntegerTerms = isColumn ? [[load.largest, -1n]] : [];
      const limitOf = (slot: number) => (isColumn ? 0n : BigInt(limits[slot] as number));
      const rows = (name: string, base: IntegerTerms, lessBy: bigint) =>
        devices.map((d, slot) => {
          const sum = [...(freeTerms[slot] as IntegerTerms), ...base, ...largest];
          return draft.addLimit(`${name}_${kind}${d}`, sum, limitOf(slot) - lessBy);
        });
      const [overRows, deviceRows] = [rows("over", terms, fixed), rows("spare", [[column, step]], 0n)];
      return {
        ...{ counted: { column, row }, step, overRows, deviceRows, added },
        write: (point) => {
          const base = switches.reduce(
            (total, one, k) => (one.column === null || point[one.column] === 1n ? total + (added[k] as bigint) : total),
            0n,
          );
          point[column] = base / step;
        },
      };
    };
    const bytes = devices.map((d) => problem.hbmBytes[d] as number);
    const isLimited = bytes.every(Number.isFinite);
    return {
      devices,
      switches,
      shards,
      load: rowsOf("", load.units, []),
      hbm: isLimited ? rowsOf("hbm_", ({ hbmBytes }) => BigInt(hbmBytes), bytes.map(Math.floor)) : null,
      sideRows: devices.map((d, slot) => addAlone(placed, d, free[slot] as readonly ShardColumn[], named)),
      peakRows: [],
    };
  });
  return bases.map((base, host): HostBase => ({ ...base, next: addOrder(placed, problem, bases, host) }));
}

/**
 * Where a host and the one after it have the same memory, they may be exchanged in placements of options that put the
 * same on both: of these, the base of the first is no more than that of the second. Large multiples of the other
 * options (row-wise shards that differ, say) leave their placements as they are.
 */
function addOrder(
  { draft, perDevice, tables }: PlacementDraft,
  { hbmBytes, hostBytes, ssdBytes }: PlacementProblem,
  bases: readonly Omit<HostBase, "next">[],
  host: number,
): HostBase["next"] {
  const [own, after] = [bases[host], bases[host + 1]];
  const [ownBase, afterBase] = [own?.load.counted ?? null, after?.load.counted ?? null];
  if (own === undefined || after === undefined || ownBase === null || afterBase === null) return null;
  // Whole steps are compared, which have to be the same.
  if (own.load.step !== after.load.step) return null;
  const memoryOf = (d: number) => `${hbmBytes[d]} ${hostBytes?.[d]} ${ssdBytes?.[d]}`;
  if (own.devices.some((d, slot) => memoryOf(d) !== memoryOf(after.devices[slot] as number))) return null;
  const putBy = ({ devices }: Omit<HostBase, "next">) => {
    const put = new Map<string, string>();
    devices.forEach((d, slot) => {
      for (const { table, option, most, need } of perDevice[d] ?? []) {
        const key = `${table} ${option}`;
        put.set(key, `${put.get(key) ?? ""}|${slot} ${most} ${needKey(need)}`);
      }
    });
    return put;
  };
  const [here, there] = [putBy(own), putBy(after)];
  const unlike: number[] = [];
  for (const [table, { chosen, options }] of tables.entries()) {
    const differs = options.map(({ option }) => here.get(`${table} ${option}`) !== there.get(`${table} ${option}`));
    if (!differs.includes(false)) return null;
    for (const [k, differ] of differs.entries()) if (differ) unlike.push(chosen[k] as number);
  }
  const { upper } = draft.columns[ownBase.column] as ProgramDraft["columns"][number];
  const most = (upper as Rational).numerator;
  const terms: IntegerTerms = [
    [ownBase.column, 1n],
    [afterBase.column, -1n],
    ...unlike.map((column) => [column, -most] as const),
  ];
  return { host: host + 1, row: draft.addLimit(`order_${host}`, terms), unlike };
}

/**
 * Where the devices of a point's placement go so that the bases of hosts rise, as far as that is as good a placement;
 * `null` where they do.
 */
export function exchangedHosts(
  point: readonly bigint[],
  bases: readonly HostBase[],
): ReadonlyMap<number, number> | null {
  const baseOf = (host: number) => point[bases[host]?.load.counted?.column as number] as bigint;
  const moved = new Map<number, number>();
  for (let first = 0; first < bases.length; ) {
    let end = first + 1;
    while (bases[end - 1]?.next?.unlike.every((column) => point[column] === 0n)) end++;
    const run = bases.slice(first, end).map((_, k) => first + k);
    // In doubles, read: a yes or no, to sort by.
    const sorted = [...run].sort((a, b) => Number(baseOf(a) > baseOf(b)) - Number(baseOf(a) < baseOf(b)) || a - b);
    sorted.forEach((host, k) => {
      if (host === run[k]) return;
      const to = (bases[run[k] as number] as HostBase).devices;
      bases[host]?.devices.forEach((device, slot) => {
        moved.set(device, to[slot] as number);
      });
    });
    first = end;
  }
  return moved.size === 0 ? null : moved;
}

/** The switches of a host, the columns of their shards, and on each of its devices the shards that are of none. */
function split(
  devices: readonly number[],
  perDevice: PlacementDraft["perDevice"],
  switchOf: (shard: ShardColumn) => number | null | undefined,
): { switches: BaseSwitch[]; shards: ReadonlySet<number>; free: ShardColumn[][] } {
  const keyOf = (shard: ShardColumn) => `${shard.table} ${shard.option} ${switchOf(shard)}`;
  const all = devices.flatMap((d) => perDevice[d] as readonly ShardColumn[]);
  const found = grouped(
    all.filter((shard) => switchOf(shard) !== undefined),
    keyOf,
  );
  const whole = [...found].filter(([, shards]) => new Set(shards.map(({ device }) => device)).size === devices.length);
  const switches = whole.map(([, shards]): BaseSwitch => {
    const { table, option } = shards[0] as ShardColumn;
    const perDevice = [...grouped(shards, ({ device }) => device).values()];
    const parts = Math.min(...perDevice.map(({ length }) => length));
    const needs = Array.from({ length: parts }, (_, k): ShardNeed => {
      const least = (read: (need: ShardNeed) => number) =>
        Math.min(...perDevice.map((here) => read((here[k] as ShardColumn).need)));
      return {
        cost: least(({ cost }) => cost),
        hbmBytes: least(({ hbmBytes }) => hbmBytes),
        hostBytes: least(({ hostBytes }) => hostBytes),
      };
    });
    return { table, option, column: switchOf(shards[0] as ShardColumn) ?? null, needs };
  });
  const inBase = new Set(whole.flatMap(([, shards]) => shards.map(({ column }) => column)));
  const isFree = ({ column }: ShardColumn) => !inBase.has(column);
  return {
    switches,
    shards: inBase,
    free: devices.map((d) => (perDevice[d] as readonly ShardColumn[]).filter(isFree)),
  };
}

/** What all shards come to at least. */
function leastTotal({ tables }: PlacementProblem, units: (need: ShardNeed) => bigint): bigint {
  return tables.reduce((total, { options }) => {
    const sums = options.map(({ shards }) => shards.reduce((sum, need) => sum + units(need), 0n));
    return total + leastOf(sums);
  }, 0n);
}

/** The most that a base can come to: of each table the option that adds most. */
function mostOf(switches: readonly BaseSwitch[], added: readonly bigint[]): bigint {
  const options = new Map<string, { table: number; sum: bigint }>();
  switches.forEach(({ table, option }, k) => {
    const key = `${table} ${option}`;
    options.set(key, { table, sum: (options.get(key)?.sum ?? 0n) + (added[k] as bigint) });
  });
  const tables = new Map<number, bigint>();
  for (const { table, sum } of options.values()) tables.set(table, largestOf([tables.get(table) ?? 0n, sum]));
  return [...tables.values()].reduce((total, sum) => total + sum, 0n);
}

/** At most one free option of each table on a device: new rows where those of all options, `named`, have others too. */
function addAlone(
  { draft, perDevice, uses }: PlacementDraft,
  device: number,
  free: readonly ShardColumn[],
  named: ReadonlyMap<string, number>,
): number[] {
  const rows: number[] = [];
  const here = grouped(perDevice[device] ?? [], (shard) => shard.table);
  for (const [table, own] of grouped(free, (shard) => shard.table)) {
    const options = [...grouped(own, ({ option }) => option)];
    if (options.length < 2) continue;
    const all = new Set(here.get(table)?.map(({ option }) => option));
    const terms = options.map(([option, shards]) => {
      const counted = uses.get(`${table} ${option} ${device}`);
      if (counted === undefined) return [(shards[0] as ShardColumn).column, 1n] as const;
      rows.push(counted.row);
      return [counted.column, 1n] as const;
    });
    rows.push(
      all.size === options.length
        ? (named.get(`one_${table}_${device}`) as number)
        : draft.addLimit(`alone_${table}_${device}`, terms, 1n),
    );
  }
  return rows;
}
