import type { SetCost } from "../../../src/cost/neural/set-cost.js";
import { Rational } from "../../../src/exact/rational.js";
import { integerForm, makeProgram } from "../../../src/program/program.js";
import type { PlacementProgram } from "../direct-program.js";
import { dominatedOptions } from "../dominated-options.js";
import { needKey, type ShardColumn } from "../option-site.js";
import { addMemoryRows, draftPlacement } from "../placement-draft.js";
import type { PlacementProblem, ShardNeed } from "../problem.js";
import { type ProgramDraft, sumOf } from "../program-draft.js";
import { addUnit, type PartColumn, type UnitColumns } from "./device-unit.js";
import { type DeviceSymmetry, deviceSymmetry, inDeviceOrder } from "./devices.js";
import { headValue, type NeuralHead } from "./head.js";
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
    const own = { d, shards, empty, idle, largest, ranges: ranges[d] as readonly UnitRange[] };
    return { empty, emptyRow, shards, ...addCostRow(draft, head, own) };
  });
  const program = makeProgram({
    name: problem.name,
    columns: draft.columns,
    rows: draft.rows,
    objective: { name: "largest", form: integerForm([largest], [1n], 1n) },
  });
  return {
    program,
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
  const tables = new Map<number, Map<number, PartColumn[]>>();
  for (const shard of here) {
    if (columns[shard.column]?.upper?.sign() === 0) continue;
    const options = tables.get(shard.table) ?? new Map<number, PartColumn[]>();
    options.set(shard.option, [...(options.get(shard.option) ?? []), shard]);
    tables.set(shard.table, options);
  }
  return [...tables.values()].map((options) => [...options.values()]);
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
  {
    d,
    shards,
    empty,
    idle,
    largest,
    ranges,
  }: {
    readonly d: number;
    readonly shards: readonly PartColumn[];
    readonly empty: number | null;
    readonly idle: bigint;
    readonly largest: number;
    readonly ranges: readonly UnitRange[];
  },
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
    open.push(addUnit(draft, { name: `${d}_${j}`, unit, shards, denominator, least, most }));
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
