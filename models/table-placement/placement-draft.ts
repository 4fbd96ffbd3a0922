import { Rational } from "../../src/exact/rational.js";
import { allowedDevices } from "./constraints.js";
import type { DominatedOptions } from "./dominated-options.js";
import { addOption, isPlaceable } from "./option-columns.js";
import { MisplacedError, type OptionColumns, type ShardColumn } from "./option-site.js";
import { deviceCount, type Placement, type PlacementOption, type PlacementProblem, type ShardNeed } from "./problem.js";
import { ProgramDraft, sumOf } from "./program-draft.js";
import { shardRunsOf } from "./shard-runs.js";
import { addSideRows, type DeviceRow, type SideRows } from "./side-rows.js";
import { addStayRows, writeStays } from "./stay-rows.js";

/** A table in the program. */
export interface TableColumns {
  /** The column that chooses each of {@link options}; `null` where there is only one. */
  readonly chosen: readonly (number | null)[];
  /** The options that can be placed, memory aside; none that another one dominates. */
  readonly options: readonly OptionColumns[];
  /** The row "one option", where there are several (or none). */
  readonly optionRow: number | null;
}

/** Columns and rows that say what a placement is; the goal's and those of memory come after. */
export interface PlacementDraft {
  readonly draft: ProgramDraft;
  readonly tables: readonly TableColumns[];
  /** The columns that count shards, in the program's order. */
  readonly shards: readonly ShardColumn[];
  /** The same by device. */
  readonly perDevice: readonly (readonly ShardColumn[])[];
  readonly deviceRows: readonly DeviceRow[];
  readonly uses: SideRows["uses"];
  readonly sides: SideRows["columns"];
  /** The placement of a feasible point. */
  recover(point: readonly Rational[]): Placement;
  /**
   * A point of so many columns in which all but the goal's stand for the placement. Throws `RangeError` where a shard is
   * in a place that it may not have.
   */
  write(placement: Placement, columns: number): bigint[];
}

/** `left`: the options that the program leaves out; `checkTime` is called with every row, and may throw. */
export function draftPlacement(
  problem: PlacementProblem,
  left: DominatedOptions,
  checkTime?: () => void,
): PlacementDraft {
  const draft = new ProgramDraft(checkTime);
  const tables = problem.tables.map((_, t) => addTable(draft, problem, t, left[t] as DominatedOptions[number]));
  const shards = tables.flatMap(({ options }) => options.flatMap((option) => option.shards));
  shards.sort((a, b) => a.column - b.column);
  const side = addSideRows(draft, problem, shards);
  const stay = problem.stay === undefined ? [] : addStayRows(draft, problem.stay, tables);
  const perDevice: ShardColumn[][] = Array.from({ length: deviceCount(problem) }, () => []);
  for (const shard of shards) perDevice[shard.device]?.push(shard);
  return {
    ...{ draft, tables, shards, perDevice },
    deviceRows: side.deviceRows,
    uses: side.uses,
    sides: side.columns,
    recover: (point) => recover(tables, point),
    write: (placement, columns) => {
      const point: bigint[] = new Array(columns).fill(0n);
      writeChoices(tables, left, placement, point);
      for (const { column, follows } of side.columns) {
        if (follows.some((other) => point[other] !== 0n)) point[column] = 1n;
      }
      writeStays(stay, point);
      return point;
    },
  };
}

/** Adds a table's options but those that are left out. */
function addTable(
  draft: ProgramDraft,
  problem: PlacementProblem,
  t: number,
  left: DominatedOptions[number],
): TableColumns {
  const table = problem.tables[t] as PlacementProblem["tables"][number];
  const allowed = allowedDevices(problem, table);
  const isNeeded = (option: PlacementOption, o: number) => !left.has(o) && isPlaceable(problem, option, allowed);
  const placeable = table.options.flatMap((option, o) => (isNeeded(option, o) ? [o] : []));
  const isSingle = placeable.length === 1;
  const chosen = placeable.map((o) => (isSingle ? null : draft.addCount(`y_${t}_${o}`)));
  // With no option that can be placed the row reads 0 = 1: the program is infeasible, as it should be.
  const optionRow = isSingle ? null : draft.addEquation(`option_${t}`, sumOf(chosen as readonly number[]), 1n);
  const options = placeable.map((option, k) =>
    addOption({ draft, problem, table: t, option, chosen: chosen[k] as number | null, allowed }),
  );
  return { chosen, options, optionRow };
}

/**
 * The rows of memory: bytes on every device and its SSD, and of host memory for every device or node; `null` where it does
 * not limit.
 */
export function addMemoryRows(
  { draft, perDevice }: PlacementDraft,
  problem: PlacementProblem,
): Record<"hbmRows" | "hostRows" | "ssdRows", readonly (number | null)[]> {
  const { hbmBytes, hostBytes, hostIsPooled, ssdBytes, gpusPerNode } = problem;
  type Memory = "hbmBytes" | "hostBytes" | "ssdBytes";
  // Each device its own part, or so many devices one pool.
  const rowsOf = (name: string, memory: Memory, limits: readonly number[] | null | undefined, size = 1) =>
    Array.from({ length: (limits ? perDevice.length : 0) / size }, (_, k) => {
      const members = Array.from({ length: size }, (__, slot) => k * size + slot);
      const limit = members.reduce((sum, d) => sum + (limits?.[d] as number), 0);
      if (!Number.isFinite(limit)) return null;
      const here = members.flatMap((d) => perDevice[d] as readonly ShardColumn[]);
      const terms = here.map(({ column, need }) => [column, BigInt(need[memory] ?? 0)] as const);
      return draft.addLimit(`${name}_${k}`, terms, BigInt(Math.floor(limit)));
    });
  return {
    hbmRows: rowsOf("hbm", "hbmBytes", hbmBytes),
    hostRows: rowsOf("host", "hostBytes", hostBytes, hostIsPooled ? gpusPerNode : 1),
    ssdRows: rowsOf("ssd", "ssdBytes", ssdBytes),
  };
}

function recover(tables: readonly TableColumns[], point: readonly Rational[]): Placement {
  const counts = point.map(({ numerator, denominator }) => (denominator === 1n ? numerator : -1n));
  return {
    choices: tables.map(({ chosen, options }) => {
      const k = chosen.findIndex((column) => column === null || counts[column] === 1n);
      const columns = options[k] as OptionColumns;
      return { option: columns.option, devices: columns.read(counts) };
    }),
  };
}

function writeChoices(
  tables: readonly TableColumns[],
  left: DominatedOptions,
  { choices }: Placement,
  point: bigint[],
): void {
  tables.forEach(({ chosen, options }, t) => {
    const { option: own, devices } = choices[t] as Placement["choices"][number];
    const dominating = left[t]?.get(own);
    const option = dominating?.option ?? own;
    const k = options.findIndex((columns) => columns.option === option);
    const columns = options[k];
    if (columns === undefined) throw new MisplacedError(`option ${option} of table ${t} cannot be placed`);
    const choice = chosen[k] as number | null;
    if (choice !== null) point[choice] = 1n;
    const places: number[] = [];
    devices.forEach((device, shard) => {
      places[dominating?.shards[shard] ?? shard] = device;
    });
    columns.write(places, point);
  });
}

/** Σ of something over the shards on each device. */
export function deviceSums(
  { perDevice }: Pick<PlacementDraft, "perDevice">,
  point: readonly bigint[],
  unitsOf: (shard: ShardColumn) => bigint,
): bigint[] {
  return perDevice.map((here) =>
    here.reduce((sum, shard) => {
      const count = point[shard.column] as bigint;
      return count === 0n ? sum : sum + count * unitsOf(shard);
    }, 0n),
  );
}

/** What the shards on each device come to, of dominated options too, whose point has less. */
export function loadsOf(
  problem: PlacementProblem,
  { choices }: Placement,
  unitsOf: (need: ShardNeed) => bigint,
): bigint[] {
  const loads: bigint[] = new Array(deviceCount(problem)).fill(0n);
  choices.forEach(({ option, devices }, t) => {
    for (const { need, from, count } of shardRunsOf(problem.tables[t]?.options[option] as PlacementOption)) {
      const units = unitsOf(need);
      for (const device of devices.slice(from, from + count)) loads[device] = (loads[device] as bigint) + units;
    }
  });
  return loads;
}

/** Of no placement is more on one device: every table's option of most. */
export function mostOnOne({ tables }: PlacementProblem, unitsOf: (need: ShardNeed) => bigint): bigint {
  return tables.reduce((sum, { options }) => {
    const totals = options.map(({ shards }) => shards.reduce((total, need) => total + unitsOf(need), 0n));
    return sum + largestOf(totals);
  }, 0n);
}

/** A base is no more steps than this, so that doubles count them: what placements cost at least may be next to nothing. */
export const MOST_STEPS = 1n << 53n;

export function largestOf(values: readonly bigint[]): bigint {
  return values.reduce((most, value) => (value > most ? value : most), 0n);
}

export function leastOf(values: readonly bigint[]): bigint {
  return values.reduce((least, value) => (value < least ? value : least), values[0] ?? 0n);
}

/** A point of integers as the program's rationals. */
export function rationalPoint(point: readonly bigint[]): readonly Rational[] {
  return point.map((value) => (value === 0n ? Rational.zero : Rational.of(value)));
}
