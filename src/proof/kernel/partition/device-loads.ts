import { leastCommonMultiple, Rational } from "../../../exact/rational.js";
import { coefficientAt } from "../../../program/program.js";
import type { Box, View, ViewRow } from "../view.js";
import type { LoadUnit, SetCondition, SetLoad } from "./set-load.js";

/** A program seen as the placing of whole tables on devices. */
export interface DeviceLoads {
  readonly tables: number;
  /** The column that puts a table on a device, by device and table, by local index; `null`: it may not be there. */
  readonly columns: readonly (readonly (number | null)[])[];
  /** By device: it may have a set that one of these allows. */
  readonly loads: readonly (readonly SetLoad[])[];
}

/** Integer columns of a device, other than those of its tables, that may be set either way. */
const MAX_SWITCHES = 3;

/**
 * Reads a view as devices that tables are placed on. Groups of non-negative integers with a total of 1 are the tables;
 * the rows named are the devices' loads, Σ ≤ upper side, and say with the other rows that a device alone has, which
 * sets of tables it may have below `target` (`null`: at all):
 *
 * - integer columns of groups put a table on the device;
 * - the objective's only column stands on the other side, below what the target and its bounds allow;
 * - a continuous column that adds to the load is at least its lower bound and what a row in tables alone says, p ≥ a(S);
 * - one that takes from it is, by the two rows of a binary δ, p ≤ b − M·δ and p ≤ a(S) − L·δ, at most the greater of the
 *   one at δ = 0 and the other at δ = 1;
 * - with every value of the load's other integer columns, rows in these and tables alone are conditions.
 *
 * All else is left out, which allows more sets, never less; so are bounds of the tables' columns, as those that only break
 * symmetry would make devices differ. Throws `RangeError` where the rows are not of this form.
 */
export function deviceLoads(view: View, box: Box, loadRows: readonly number[], target: Rational | null): DeviceLoads {
  return new Reader(view, box, target).read(loadRows);
}

/** An affine function of tables, by local column. */
interface Affine {
  readonly constant: Rational;
  readonly slopes: ReadonlyMap<number, Rational>;
}

interface Term {
  readonly column: number;
  readonly factor: Rational;
}

class Reader {
  readonly #view: View;
  readonly #box: Box;
  /** The greatest value of the objective's column; with a target it is not reached. */
  readonly #objective: { readonly column: number; readonly most: Rational; readonly isReached: boolean };
  /** By local column: 1 where it is in a group. */
  readonly #isGrouped: Uint8Array;
  readonly #rowsOf: readonly (readonly number[])[];

  constructor(view: View, box: Box, target: Rational | null) {
    this.#view = view;
    this.#box = box;
    this.#objective = objectiveOf(view, box, target);
    this.#isGrouped = new Uint8Array(view.columns.length);
    for (const { members, total } of view.groups) {
      if (total !== 1n) throw new RangeError("a group is not of one table");
      for (const j of members) {
        // Integers that add up to 1 are one 1 and zeros only where none is negative.
        if ((box.lower[j] as Rational).sign() < 0) throw new RangeError("a table's column may be negative");
        this.#isGrouped[j] = 1;
      }
    }
    const rowsOf: number[][] = view.columns.map(() => []);
    for (const [r, { form }] of view.rows) for (const j of form.columns) rowsOf[j]?.push(r);
    this.#rowsOf = rowsOf;
  }

  read(loadRows: readonly number[]): DeviceLoads {
    const devices = loadRows.map((r) => this.#device(r));
    const deviceOf = new Int32Array(this.#view.columns.length).fill(-1);
    for (const [d, { members }] of devices.entries()) {
      for (const j of members) {
        if (deviceOf[j] !== -1) throw new RangeError("a table's column is of two devices");
        deviceOf[j] = d;
      }
    }
    // Groups that no load knows are none of tables.
    const groups = this.#view.groups.filter(({ members }) => members.some((j) => deviceOf[j] !== -1));
    const columns = devices.map((): (number | null)[] => groups.map(() => null));
    for (const [t, { members }] of groups.entries()) {
      for (const j of members) {
        const own = columns[deviceOf[j] as number];
        if (own === undefined || own[t] !== null) throw new RangeError("a table has not one column for each device");
        own[t] = j;
      }
    }
    return {
      tables: groups.length,
      columns,
      loads: devices.map((device, d) => this.#loads(device, columns[d] as (number | null)[])),
    };
  }

  /** A load row with what its continuous columns are made of. */
  #device(r: number): Device {
    const row = this.#row(r);
    if (row.upper === null) throw new RangeError("the row of a load has no upper side");
    const terms = termsOf(row);
    const linear = terms.filter(({ column }) => this.#isGrouped[column] === 1);
    const others = terms.filter(({ column }) => this.#isGrouped[column] === 0 && column !== this.#objective.column);
    const switches = others.filter(({ column }) => this.#view.integer[column] === true);
    if (switches.length > MAX_SWITCHES) throw new RangeError("a load has too many integer columns of its own");
    const units = others
      .filter(({ column }) => this.#view.integer[column] !== true)
      .map((term) => ({ factor: term.factor, ...this.#unit(term, r) }));
    const members = new Set(linear.map(({ column }) => column));
    for (const { affine } of units) for (const j of affine?.slopes.keys() ?? []) members.add(j);
    const objective = terms.find(({ column }) => column === this.#objective.column);
    if (objective !== undefined && objective.factor.sign() > 0) {
      throw new RangeError("the objective is not on the other side of the load");
    }
    const limit =
      objective === undefined ? row.upper : row.upper.subtract(objective.factor.multiply(this.#objective.most));
    const isReached = objective === undefined || this.#objective.isReached;
    return { row: r, linear, switches, units, members, limit, isReached };
  }

  /** What a continuous column of a load is at its cheapest: max(floor, affine). */
  #unit({ column, factor }: Term, load: number): Omit<Unit, "factor"> {
    const isDearer = factor.sign() > 0;
    const bound = (isDearer ? this.#box.lower : this.#box.upper)[column] ?? null;
    const sides = (this.#rowsOf[column] as readonly number[])
      .filter((r) => r !== load)
      .flatMap((r) => this.#sidesOf(this.#row(r), column, isDearer));
    if (isDearer) {
      const affine = sides.find(({ binary }) => binary === null)?.at(0n);
      if (bound === null) throw new RangeError("a column that adds to a load has no lower bound");
      return { floor: bound, affine: affine ?? null };
    }
    const on = sides.find(({ binary, slopes }) => binary !== null && slopes.size > 0);
    const off = sides.find(({ binary, slopes }) => binary === on?.binary && slopes.size === 0);
    if (on !== undefined && off !== undefined) return { floor: off.at(0n).constant, affine: on.at(1n) };
    if (bound === null) throw new RangeError("a column that takes from a load has no upper bound");
    return { floor: bound, affine: null };
  }

  /** What a row says of a column from below (or above), if it has besides tables one binary at most. */
  #sidesOf(row: ViewRow, column: number, fromBelow: boolean): Side[] {
    const terms = termsOf(row);
    const own = terms.find((term) => term.column === column) as Term;
    const side = own.factor.sign() > 0 === fromBelow ? row.lower : row.upper;
    const rest = terms.filter((term) => term.column !== column);
    const others = rest.filter((term) => this.#isGrouped[term.column] === 0);
    if (side === null || others.length > 1 || !others.every((other) => this.#isBinary(other.column))) return [];
    const [binary] = others;
    const slopes = new Map(
      rest
        .filter((term) => this.#isGrouped[term.column] === 1)
        .map((term) => [term.column, term.factor.negate().divide(own.factor)] as const),
    );
    const at = (value: bigint): Affine => {
      const taken = binary === undefined ? Rational.zero : binary.factor.multiply(Rational.of(value));
      return { constant: side.subtract(taken).divide(own.factor), slopes };
    };
    return [{ binary: binary?.column ?? null, slopes, at }];
  }

  /** One load for each way to set the device's switches. */
  #loads(device: Device, columns: readonly (number | null)[]): SetLoad[] {
    let ways: ReadonlyMap<number, bigint>[] = [new Map()];
    for (const { column } of device.switches) {
      if (!this.#isBinary(column)) throw new RangeError("an integer column of a load is not 0 or 1");
      const values = [0n, 1n].filter(
        (value) =>
          value >= (this.#box.lower[column] as Rational).ceil() &&
          value <= (this.#box.upper[column] as Rational).floor(),
      );
      ways = ways.flatMap((way) => values.map((value) => new Map([...way, [column, value]])));
    }
    return ways.map((way) => ({
      ...wholeLoad(device, columns, way),
      // None of the tables that may not be on the device.
      conditions: [
        ...this.#conditions(device, columns, way),
        { slopes: columns.map((j) => (j === null ? 1n : 0n)), most: 0n },
      ],
    }));
  }

  /** Rows over the device's tables and switches alone. */
  #conditions({ row, members }: Device, columns: readonly (number | null)[], way: ReadonlyMap<number, bigint>) {
    const rows = new Set([...members, ...way.keys()].flatMap((j) => this.#rowsOf[j] as readonly number[]));
    rows.delete(row);
    const own = columns.filter((j) => j !== null);
    return [...rows].flatMap((r): SetCondition[] => {
      const { form, lower, upper } = this.#row(r);
      if (!form.columns.every((j) => own.includes(j) || way.has(j))) return [];
      let taken = 0n;
      const slopes = new Array<bigint>(columns.length).fill(0n);
      form.columns.forEach((j, k) => {
        const coefficient = form.coefficients[k] as bigint;
        const value = way.get(j);
        if (value !== undefined) taken += coefficient * value;
        else slopes[columns.indexOf(j)] = coefficient;
      });
      const denominator = Rational.of(form.denominator);
      const atMost = upper === null ? null : upper.multiply(denominator).floor() - taken;
      const atLeast = lower === null ? null : lower.multiply(denominator).ceil() - taken;
      return [
        ...(atMost === null ? [] : [{ slopes, most: atMost }]),
        ...(atLeast === null ? [] : [{ slopes: slopes.map((slope) => -slope), most: -atLeast }]),
      ];
    });
  }

  #row(r: number): ViewRow {
    const row = this.#view.rows.get(r);
    if (row === undefined) throw new RangeError("a row is left out here");
    return row;
  }

  #isBinary(j: number): boolean {
    const [lower, upper] = [this.#box.lower[j] ?? null, this.#box.upper[j] ?? null];
    if (this.#view.integer[j] !== true || lower === null || upper === null) return false;
    return lower.sign() >= 0 && upper.compare(Rational.one) <= 0;
  }
}

interface Unit {
  readonly factor: Rational;
  readonly floor: Rational;
  readonly affine: Affine | null;
}

interface Side {
  /** The row's column that is 0 or 1, if it has one. */
  readonly binary: number | null;
  readonly slopes: ReadonlyMap<number, Rational>;
  /** What it says where the binary has a value. */
  readonly at: (value: bigint) => Affine;
}

interface Device {
  readonly row: number;
  readonly linear: readonly Term[];
  readonly switches: readonly Term[];
  readonly units: readonly Unit[];
  readonly members: ReadonlySet<number>;
  readonly limit: Rational;
  readonly isReached: boolean;
}

function objectiveOf({ objective, constant }: View, box: Box, target: Rational | null) {
  const [column] = objective.columns;
  const [coefficient] = objective.coefficients;
  if (column === undefined || coefficient === undefined || objective.columns.length > 1 || coefficient < 0n) {
    throw new RangeError("the objective is not the greatest load");
  }
  const upper = box.upper[column] ?? null;
  const below = target?.subtract(constant).divide(Rational.of(coefficient, objective.denominator)) ?? null;
  if (below !== null && (upper === null || below.compare(upper) <= 0)) return { column, most: below, isReached: false };
  if (upper === null) throw new RangeError("the objective's column has no upper bound");
  return { column, most: upper, isReached: true };
}

function termsOf({ form }: ViewRow): Term[] {
  return form.columns.map((column, k) => ({
    column,
    factor: coefficientAt(form, k),
  }));
}

/** The load with its switches set, in whole numbers. */
function wholeLoad(
  { linear, switches, units, limit, isReached }: Device,
  columns: readonly (number | null)[],
  way: ReadonlyMap<number, bigint>,
): Omit<SetLoad, "conditions"> {
  const byTable = (slopes: ReadonlyMap<number, Rational>) =>
    columns.map((j) => (j === null ? undefined : slopes.get(j)) ?? Rational.zero);
  const slopes = byTable(new Map(linear.map(({ column, factor }) => [column, factor])));
  const constant = switches.reduce(
    (sum, { column, factor }) => sum.add(factor.multiply(Rational.of(way.get(column) as bigint))),
    Rational.zero,
  );
  const scaled = units.map(({ factor, floor, affine }) => {
    const size = factor.absolute();
    const own = affine ?? { constant: floor, slopes: new Map<number, Rational>() };
    return {
      sign: factor.sign() > 0 ? (1n as const) : (-1n as const),
      numbers: [floor, own.constant, ...byTable(own.slopes)].map((value) => value.multiply(size)),
    };
  });
  let scale = limit.denominator;
  for (const value of [constant, ...slopes, ...scaled.flatMap(({ numbers }) => numbers)]) {
    scale = leastCommonMultiple(scale, value.denominator);
  }
  const whole = (value: Rational) => value.numerator * (scale / value.denominator);
  return {
    constant: whole(constant),
    slopes: slopes.map(whole),
    units: scaled.map(({ sign, numbers }): LoadUnit => {
      const [floor, offset, ...own] = numbers.map(whole);
      return { sign, floor: floor as bigint, offset: offset as bigint, slopes: own };
    }),
    limit: whole(limit) + (isReached ? 1n : 0n),
  };
}
