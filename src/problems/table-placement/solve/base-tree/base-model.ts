import { costNear } from "../../../../../models/table-placement/cost-unit.js";
import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import { grouped } from "../../../../../models/table-placement/grouped.js";
import type { BaseRows } from "../../../../../models/table-placement/host-base.js";
import { type Part, type PatternModel, patternModel } from "../../../../../models/table-placement/pattern-model.js";
import { isOneShard } from "../../../../../models/table-placement/peak-rows.js";
import type {
  PlacementOption,
  PlacementProblem,
  PlacementTable,
  ShardNeed,
} from "../../../../../models/table-placement/problem.js";
import type { Rational } from "../../../../exact/rational.js";
import { distinctOptions } from "../bounds/reduction.js";

/** A column that branching may decide: an option, or a host for a group of shards. */
export interface Switch {
  readonly table: number;
  readonly option: number;
  /** The program's column; `null` where nothing is to be decided. */
  readonly column: number | null;
  /** Index into the option's groups of hosts; −1 for the option itself. */
  readonly group: number;
  /** Shards of each orbit that it wants of devices. */
  readonly demand: readonly (readonly [orbit: number, shards: number])[];
  /** What it adds to the base of each host, cost and bytes in shares of the model's scales. */
  readonly bases: readonly { readonly host: number; readonly load: number; readonly hbm: number }[];
  /** Its share of all there is of cost and of bytes, about: what matters most is decided first. */
  readonly size: number;
}

/** The hosts that a group of an option's shards may choose, one switch each, `count` of which are taken. */
export interface HomeGroup {
  readonly option: number;
  readonly count: number;
  readonly homes: readonly number[];
  readonly row: number;
}

/** What a device may hold of a table beside the base, cost and bytes as shares. */
export interface FreePart extends Omit<Part, "host"> {
  /** Where hosts stand for their devices: what every device of a host has of it, and one device more; otherwise 0. */
  readonly least: number;
  readonly over: number;
}

/** Devices of one host that may hold the same patterns. */
export interface DeviceGroup {
  readonly host: number;
  readonly devices: readonly number[];
  /** By table. */
  readonly parts: readonly (readonly FreePart[])[];
  readonly hbm: number;
}

/** Steps of a base as the program counts them. */
export interface BaseScale {
  readonly rows: BaseRows;
  /** A step as a share. */
  readonly step: number;
  /** What a base may be more than its steps say. */
  readonly rest: number;
  readonly most: number;
  /** What tables without a choice add. */
  readonly fixed: number;
}

export interface HostModel {
  readonly size: number;
  readonly load: BaseScale;
  readonly hbm: BaseScale | null;
  /** Bytes of all its devices, as a share. */
  readonly memory: number;
  /** A host with a base of cost no less where none of the switches is on, by a row; `null` where there is none. */
  readonly next: { readonly host: number; readonly row: number; readonly unlike: readonly number[] } | null;
}

/** A placement problem as hosts' bases and patterns of free shards: what the tree works on, in doubles. */
export interface BaseModel {
  readonly tables: readonly {
    /** Switches of its options. */
    readonly options: readonly number[];
    readonly groups: readonly HomeGroup[];
  }[];
  readonly switches: readonly Switch[];
  /** By host, what each switch adds to its base, where it is to be decided. */
  readonly added: readonly { readonly load: Float64Array; readonly hbm: Float64Array }[];
  readonly hosts: readonly HostModel[];
  readonly groups: readonly DeviceGroup[];
  readonly orbits: PatternModel["orbits"];
  /** Powers of two that costs and bytes are shares of. */
  readonly scale: number;
  readonly byteScale: number;
}

/** The model of the options that count, `null` where the program says nothing of bases or hosts differ too much. */
export function baseModel(
  problem: PlacementProblem,
  direct: DirectProgram,
  open: readonly (readonly boolean[])[],
  value: number,
): BaseModel | null {
  const { bases, tables: columns, unit } = direct.structure;
  if (bases.length === 0) return null;
  const patterns = patternModel(problem, direct, open, new Set(bases.flatMap(({ shards }) => [...shards])));
  if (patterns === null) return null;
  const scale = 2 ** Math.ceil(Math.log2(value));
  const byteScale = 2 ** Math.ceil(Math.log2(Math.max(1, ...problem.hbmBytes.filter(Number.isFinite))));
  const loadShare = (units: bigint) => costNear(units, unit) / scale;
  const hostOf = ({ devices, load, hbm, switches, next }: (typeof bases)[number]): HostModel => {
    const scaled = (rows: BaseRows, shareOf: (units: bigint) => number): BaseScale => ({
      rows,
      step: shareOf(rows.step),
      rest: shareOf(rows.step - 1n),
      most: direct.program.columns[rows.counted?.column ?? -1]?.upper?.toNumber() ?? 0,
      fixed: switches.reduce(
        (sum, { column }, k) => (column === null ? sum + shareOf(rows.added[k] as bigint) : sum),
        0,
      ),
    });
    return {
      size: devices.length,
      load: scaled(load, loadShare),
      hbm: hbm === null ? null : scaled(hbm, (bytes) => Number(bytes) / byteScale),
      memory: devices.reduce((sum, d) => sum + Math.floor(problem.hbmBytes[d] as number), 0) / byteScale,
      next: next === null ? null : { ...next, unlike: next.unlike.flatMap((column) => optionAt.get(column) ?? []) },
    };
  };
  const every = bases.flatMap(({ switches }, host) => switches.map((one) => ({ ...one, host })));
  const basesOf = new Map(
    [...grouped(every, ({ table, option }) => `${table} ${option}`)].map(([key, own]) => [
      key,
      own.map(({ host, column, needs }) => {
        const sum = (read: (need: ShardNeed) => number) => needs.reduce((total, need) => total + read(need), 0);
        return {
          host,
          column,
          load: sum(({ cost }) => cost / scale),
          hbm: sum(({ hbmBytes }) => hbmBytes / byteScale),
        };
      }),
    ]),
  );
  const all = problem.hbmBytes.reduce((sum, bytes) => sum + bytes, 0);
  const sizeOf = (table: number, option: number) => {
    const { shards } = (problem.tables[table] as PlacementTable).options[option] as PlacementOption;
    return shards.reduce((sum, need) => sum + need.cost / (value * problem.hbmBytes.length) + need.hbmBytes / all, 0);
  };
  const switches: Switch[] = [];
  let isKnown = true;
  const tables = columns.map(({ chosen, options: own }, table) => {
    const groups: HomeGroup[] = [];
    const options = own.flatMap(({ option, nodeRows }, k) => {
      if (open[table]?.[option] !== true) return [];
      const column = chosen[k] ?? null;
      const base = basesOf.get(`${table} ${option}`);
      const size = sizeOf(table, option);
      const isInside = base?.some((one) => one.column !== column) === true;
      // An option may have both: copies of hot rows on every device, and shards of the other rows on some.
      const wanted = patterns.tables[table]?.find((one) => one.option === option);
      const demand = [...(wanted?.direct ?? [])];
      for (const { count, ways } of wanted?.groups ?? []) {
        if (ways.length > 1 || (ways.length === 1 && isInside)) isKnown = false;
        for (const [orbit, shards] of ways[0] ?? []) demand.push([orbit, count * shards]);
      }
      const at = switches.length;
      const plain = { table, option, column, group: -1, size };
      switches.push({ ...plain, demand, bases: (base ?? []).filter((one) => one.column === column) });
      if (base !== undefined && isInside) {
        for (const row of nodeRows) {
          const { form, lower } = direct.program.rows[row] as DirectProgram["program"]["rows"][number];
          const homes = base.flatMap((one) => {
            if (one.column === null || one.column === column || !form.columns.includes(one.column)) return [];
            switches.push({ ...plain, column: one.column, group: groups.length, demand: [], bases: [one] });
            return [switches.length - 1];
          });
          // Σ hosts − count·chosen = 0, or Σ hosts = count.
          const own = column === null ? -1 : form.columns.indexOf(column);
          const count = own === -1 ? (lower as Rational).toNumber() : -Number(form.coefficients[own]);
          groups.push({ option: at, count, homes, row });
        }
      }
      return [at];
    });
    return { options, groups };
  });
  if (!isKnown) return null;
  const optionAt = new Map(switches.flatMap(({ column, group }, at) => (group === -1 ? [[column, at] as const] : [])));
  const hosts = bases.map(hostOf);
  const hasPeaks = bases.some(({ peakRows }) => peakRows.length > 0);
  const withinHost = ({ option, orbits, counts }: Part): Pick<FreePart, "least" | "over"> => {
    const whole = orbits.map((orbit) => patterns.orbits[orbit] as PatternModel["orbits"][number]);
    const leastOf = (k: number) => (whole[k]?.within?.least ?? 0) / scale;
    const least = hasPeaks ? counts.reduce((sum, count, k) => sum + count * leastOf(k), 0) : 0;
    const [first] = whole;
    if (!hasPeaks || first === undefined || !isOneShard(problem, first.table, option)) return { least, over: 0 };
    return { least, over: (first.within?.most ?? 0) / scale - least };
  };
  const deviceGroups = patterns.classes.flatMap(({ devices, parts, hbm }) =>
    bases.flatMap(({ devices: onHost }, host): DeviceGroup[] => {
      const here = devices.filter((d) => onHost.includes(d));
      if (here.length === 0) return [];
      const shares = parts.map((own) =>
        own.map((part) => ({ ...part, ...withinHost(part), cost: part.cost / scale, hbm: part.hbm / byteScale })),
      );
      return [{ host, devices: here, parts: shares, hbm: Math.floor(hbm) / byteScale }];
    }),
  );
  const added = bases.map((_, host) => {
    const of = (kind: "load" | "hbm") =>
      Float64Array.from(switches, ({ column, bases: own }) =>
        column === null ? 0 : (own.find((one) => one.host === host)?.[kind] ?? 0),
      );
    return { load: of("load"), hbm: of("hbm") };
  });
  return { tables, switches, added, hosts, groups: deviceGroups, orbits: patterns.orbits, scale, byteScale };
}

/** What one device of a host has of a pattern, where the host stands for its devices: what all have, and the most beyond. */
export function peakOf(parts: readonly Pick<FreePart, "least" | "over">[]): number {
  let [least, over] = [0, 0];
  for (const part of parts) {
    least += part.least;
    over = Math.max(over, part.over);
  }
  return least + over;
}

/**
 * The model of one host of like devices, with memory that is given, and nothing that all of them hold; it stands for no other. `null` for
 * other problems. `value`: about what a device costs.
 */
export function likeDevicesModel(problem: PlacementProblem, direct: DirectProgram, value: number): BaseModel | null {
  const model = baseModel(problem, direct, distinctOptions(problem), value);
  if (model === null || model.hosts.length > 1 || model.hosts[0]?.hbm == null || model.groups.length !== 1) return null;
  const hasPeaks = model.groups[0]?.parts.some((own) => own.some(({ over }) => over > 0)) === true;
  return !hasPeaks && model.switches.every(({ bases, group }) => group === -1 && bases.length === 0) ? model : null;
}
