import type { SetCost } from "../../../src/cost/neural/set-cost.js";
import { Rational } from "../../../src/exact/rational.js";
import { integerForm, makeProgram } from "../../../src/program/program.js";
import type { PlacementProgram } from "../direct-program.js";
import { dominatedOptions } from "../dominated-options.js";
import { grouped } from "../grouped.js";
import { needKey, type ShardColumn } from "../option-site.js";
import { addMemoryRows, draftPlacement } from "../placement-draft.js";
import type { PlacementProblem, ShardNeed } from "../problem.js";
import { type IntegerTerms, type ProgramDraft, sumOf } from "../program-draft.js";
import { type DeviceSymmetry, deviceSymmetry, inDeviceOrder } from "./devices.js";
import { type HeadUnit, headValue, type NeuralHead } from "./head.js";
import { type Contents, type UnitRange, unitRanges } from "./ranges.js";

/** Which rows and columns of the program play which part; indices are the program's. */
export interface NeuralStructure {
  /** The largest device cost, in milliseconds. */
  readonly largest: number;
  /** By device. */
  readonly devices: readonly DeviceColumns[];
  readonly symmetry: DeviceSymmetry;
  /** The rows "where a device has nothing, the next one has nothing", by device but the last; empty without need or symmetry. */
  readonly orderRows: readonly number[];
  /** The head where nothing is added up, in units of 1 / denominator: what an empty device would cost if it were not empty. */
  readonly idle: bigint;
  readonly head: NeuralHead;
}

/** What the program knows of one device. */
export interface DeviceColumns {
  /** Shards that it may have. */
  readonly shards: readonly PartColumn[];
  /** 1 where the device is empty; `null` where that needs no saying. */
  readonly empty: number | null;
  /** The row that ties {@link empty} to the shards: Σ x + n·empty ≤ n. */
  readonly emptyRow: number | null;
  /** The row "the device's cost is at most the largest". */
  readonly costRow: number;
  /** The ReLUs that may be on or off. */
  readonly units: readonly UnitColumns[];
  /** By shard column, what the ReLUs add that are always on, in units of 1 / denominator. */
  readonly slopes: readonly bigint[];
}

/** Table placement under a cost network as an explicit program. README.md beside this file has the mathematics. */
export interface NeuralProgram extends PlacementProgram {
  readonly structure: NeuralStructure;
}

/**
 * The program of a placement problem whose device costs are a network's, every number exact. With a ceiling it is that of the
 * placements in which no device costs more, and tighter for it: where there is such a placement, the least cost is the same.
 * `checkTime` is called between parts of the work, which takes seconds where there are many tables and devices; what it throws
 * ends it. Throws `RangeError` when bytes are not integers.
 */
export function neuralProgram(
  problem: PlacementProblem,
  head: NeuralHead,
  ceiling: Rational | null = null,
  checkTime: () => void = () => {},
): NeuralProgram {
  const setCost = problem.setCost as SetCost;
  const symmetry = deviceSymmetry(problem);
  const placed = draftPlacement(problem, dominatedOptions(problem));
  const { draft } = placed;
  const perDevice = placed.perDevice.map((here) =>
    here.map((shard) => ({ ...shard, part: partOf(problem, setCost, shard) })),
  );
  forbidByRank(draft, perDevice, symmetry);
  addMemoryRows(placed, problem);
  const idle = headValue(head, []);
  // Devices that are alike have the same ranges, though some have been forbidden tables: what holds for one holds for all.
  const own = perDevice.map((here) => contentsOf(draft, here));
  const contents = symmetry.isSymmetric ? own.map(() => own[0] as Contents) : own;
  const { perDevice: ranges, canBeEmpty } = unitRanges(head, contents, ceiling, symmetry.ranks !== null, checkTime);
  const empties = canBeEmpty && idle !== 0n ? addEmpties(draft, perDevice, idle, symmetry) : null;
  const { lower, upper } = rangeOf(head, ranges);
  const largest = draft.addAmount("z", ceiling ?? upper, lower);
  const devices = perDevice.map((shards, d) => {
    checkTime();
    const { empty, emptyRow } = empties?.columns[d] ?? { empty: null, emptyRow: null };
    const own = { d, idle, largest, ranges: ranges[d] as readonly UnitRange[] };
    return { empty, emptyRow, shards, ...addCostRow(draft, head, { shards, empty }, own) };
  });
  const program = makeProgram({
    name: problem.name,
    columns: draft.columns,
    rows: draft.rows,
    objective: { name: "largest", form: integerForm([largest], [1n], 1n) },
  });
  return {
    program,
    name: "network",
    structure: { largest, devices, symmetry, orderRows: empties?.orderRows ?? [], idle, head },
    ...(ceiling === null ? {} : { ceiling }),
    recover: placed.recover,
    pointOf: (placement) => {
      const counts = placed.write(inDeviceOrder(problem, symmetry, placement), program.columns.length);
      const point = counts.map((count) => Rational.of(count));
      let most: Rational | null = null;
      for (const { shards, empty, units } of devices) {
        // In doubles, exact: a number of shards.
        const parts = shards.flatMap(({ column, part }) => new Array<number>(Number(counts[column])).fill(part));
        const isEmpty = parts.length === 0;
        if (empty !== null) point[empty] = isEmpty ? Rational.one : Rational.zero;
        for (const unit of units) unit.write(parts, point);
        const cost = isEmpty && empty !== null ? Rational.zero : Rational.of(headValue(head, parts), head.denominator);
        if (most === null || cost.compare(most) > 0) most = cost;
      }
      point[largest] = most ?? Rational.zero;
      return point;
    },
  };
}

/** The part that a column's shards are: alike shards are of one width. */
function partOf({ tables }: PlacementProblem, setCost: SetCost, { table, option, need }: ShardColumn): number {
  const shards = tables[table]?.options[option]?.shards as readonly ShardNeed[];
  const key = needKey(need);
  return setCost.partOf(
    table,
    option,
    shards.findIndex((shard) => needKey(shard) === key),
  );
}

/** What a device may have, by table and option. */
function contentsOf({ columns }: ProgramDraft, here: readonly PartColumn[]): Contents {
  const open = here.filter(({ column }) => columns[column]?.upper?.sign() !== 0);
  const tables = [...grouped(open, ({ table }) => table).values()];
  return tables.map((own) => [...grouped(own, ({ option }) => option).values()]);
}

/** A table of rank r is on one of the devices 0 … r. */
function forbidByRank(
  { columns }: ProgramDraft,
  perDevice: readonly (readonly ShardColumn[])[],
  { ranks }: DeviceSymmetry,
): void {
  if (ranks === null) return;
  for (const { column, table, device } of perDevice.flat()) {
    const own = columns[column];
    if (own !== undefined && device > (ranks[table] as number)) columns[column] = { ...own, upper: Rational.zero };
  }
}

/**
 * Columns that say which devices are empty, where the head is not 0 there. Where it is above 0 the program gains by saying so,
 * and rows forbid it to devices with shards; where it is below 0, rows demand it of those without.
 */
function addEmpties(
  draft: ProgramDraft,
  perDevice: readonly (readonly ShardColumn[])[],
  idle: bigint,
  { isSymmetric }: DeviceSymmetry,
): { columns: readonly { empty: number; emptyRow: number }[]; orderRows: readonly number[] } {
  const columns = perDevice.map((here, d) => {
    const empty = draft.addCount(`empty_${d}`);
    const most = BigInt(here.reduce((sum, shard) => sum + shard.most, 0));
    const counts = sumOf(here.map(({ column }) => column));
    const emptyRow =
      idle > 0n
        ? draft.addLimit(`empty_${d}`, [...counts, [empty, most]], most)
        : draft.addRow(`empty_${d}`, [...counts, [empty, 1n]], 1n, null);
    return { empty, emptyRow };
  });
  if (!isSymmetric) return { columns, orderRows: [] };
  const orderRows = columns.slice(1).map(({ empty }, d) =>
    draft.addLimit(`order_${d}`, [
      [columns[d]?.empty as number, 1n],
      [empty, -1n],
    ]),
  );
  return { columns, orderRows };
}

/** The device's own columns and rows: h(S) − h(∅)·empty ≤ z. */
function addCostRow(
  draft: ProgramDraft,
  { constant, units, denominator }: NeuralHead,
  { shards, empty }: Pick<DeviceColumns, "shards" | "empty">,
  { d, idle, largest, ranges }: { d: number; idle: bigint; largest: number; ranges: readonly UnitRange[] },
): Pick<DeviceColumns, "costRow" | "units" | "slopes"> {
  const slopes = new Array<bigint>(shards.length).fill(0n);
  let fixed = constant;
  const open: UnitColumns[] = [];
  for (const [j, unit] of units.entries()) {
    const own = shards.map(({ part }) => unit.slopes[part] as bigint);
    const { least, most } = ranges[j] as UnitRange;
    if (most <= 0n) continue;
    if (least >= 0n) {
      fixed += unit.sign * unit.offset;
      for (const [k, slope] of own.entries()) slopes[k] = (slopes[k] as bigint) + unit.sign * slope;
      continue;
    }
    open.push(addUnit(draft, `${d}_${j}`, { unit, least, most }, shards, denominator));
  }
  const terms: (readonly [number, bigint])[] = shards.map(({ column }, k) => [column, slopes[k] as bigint]);
  if (empty !== null) terms.push([empty, -idle]);
  for (const { column, sign } of open) terms.push([column, sign * denominator]);
  terms.push([largest, -denominator]);
  return { costRow: draft.addRow(`cost_${d}`, terms, null, -fixed, denominator), units: open, slopes };
}

/** No device costs less than the head with every ReLU as it is cheapest within its range, or more than as it is dearest; an empty one 0. */
function rangeOf(
  { constant, units, denominator }: NeuralHead,
  perDevice: readonly (readonly UnitRange[])[],
): { lower: Rational; upper: Rational } {
  let [lowest, highest] = [0n, 0n];
  for (const ranges of perDevice) {
    let [lower, upper] = [constant, constant];
    for (const [j, { sign }] of units.entries()) {
      const { least, most } = ranges[j] as UnitRange;
      const [off, on] = [least > 0n ? least : 0n, most > 0n ? most : 0n];
      lower += sign > 0n ? off : -on;
      upper += sign > 0n ? on : -off;
    }
    if (lower < lowest) lowest = lower;
    if (upper > highest) highest = upper;
  }
  return { lower: Rational.of(lowest, denominator), upper: Rational.of(highest, denominator) };
}

/** A column that counts shards, with the part that they are. */
export interface PartColumn extends ShardColumn {
  readonly part: number;
}

/** A ReLU of a device in the program: p stands for |w|·max(0, a). */
export interface UnitColumns {
  readonly unit: HeadUnit;
  readonly sign: 1n | -1n;
  /** p, from 0 on. */
  readonly column: number;
  /** δ, 1 where the ReLU is on; `null` for ReLUs that make the device dearer, which need none. */
  readonly on: number | null;
  /** The row p ≥ |w|·a. */
  readonly reluRow: number;
  /** The rows p ≤ |w|·a − least·(1 − δ) and p ≤ most·δ; `null` without δ. */
  readonly activeRow: number | null;
  readonly offRow: number | null;
  /** The least and the most that |w|·a can be, of different signs, in units of 1 / denominator. */
  readonly least: bigint;
  readonly most: bigint;
  /** Sets p and δ for a device with these parts. */
  write(parts: readonly number[], point: Rational[]): void;
}

/**
 * Adds a ReLU that may be on or off on a device. One that makes the device dearer is as small as its rows allow in any best
 * point, so that p ≥ a and p ≥ 0 say all; one that makes it cheaper is as large, and a binary says on which side of 0 it is.
 */
function addUnit(
  draft: ProgramDraft,
  name: string,
  { unit, least, most }: Pick<UnitColumns, "unit" | "least" | "most">,
  shards: readonly PartColumn[],
  denominator: bigint,
): UnitColumns {
  const isDearer = unit.sign > 0n;
  const on = isDearer ? null : draft.addCount(`on_${name}`);
  const column = draft.addAmount(`p_${name}`, Rational.of(most, denominator));
  const addRow = (row: string, terms: IntegerTerms, lower: bigint | null, upper: bigint | null) =>
    draft.addRow(row, terms, lower, upper, denominator);
  const input = shards.map(({ column: at, part }) => [at, -(unit.slopes[part] as bigint)] as const);
  const own = [column, denominator] as const;
  const reluRow = addRow(`relu_${name}`, [...input, own], unit.offset, null);
  const sided =
    on === null
      ? { reluRow, activeRow: null, offRow: null }
      : {
          reluRow,
          activeRow: addRow(`active_${name}`, [...input, own, [on, -least]], null, unit.offset - least),
          offRow: addRow(`off_${name}`, [own, [on, -most]], null, 0n),
        };
  return {
    ...{ unit, sign: unit.sign, column, on, ...sided, least, most },
    write: (parts, point) => {
      let sum = unit.offset;
      for (const part of parts) sum += unit.slopes[part] as bigint;
      point[column] = sum > 0n ? Rational.of(sum, denominator) : Rational.zero;
      if (on !== null) point[on] = sum > 0n ? Rational.one : Rational.zero;
    },
  };
}
