import type { DeviceColumns, NeuralProgram } from "../../../../../../models/table-placement/learned/build.js";
import { doubleNear, Rational } from "../../../../../exact/rational.js";
import type { Program } from "../../../../../program/program.js";
import type { DecomposeStep, Step } from "../../../../../proof/certificate.js";
import type { Multipliers } from "../../../../../proof/kernel/bound.js";
import { type Block, decompose, layoutOf } from "../../../../../proof/kernel/decompose.js";
import { viewOf } from "../../../../../proof/kernel/view.js";
import { SearchSpace } from "../../../../../search/branch-and-bound/space.js";
import { type ReluSwitch, switchesOf } from "../relu-switch.js";

/** A ReLU that makes a device cheaper; columns are the block's. */
export interface BlockSwitch extends ReluSwitch {
  /** What one of the ReLU takes from the objective. */
  readonly weight: number;
}

/** Multipliers for the program's rows, and the rows that each of some devices keeps. */
export interface Pricing {
  readonly multipliers: Multipliers;
  readonly rows: readonly (readonly number[])[];
}

/** A column of a block that counts alike shards. */
export interface BlockShard {
  readonly column: number;
  /** Place of its table among those that have prices. */
  readonly table: number;
  /** How many shards its option has: one has such a part of the table's price. */
  readonly shards: number;
}

/**
 * One of many devices that are alike, as a program of its own: a k-th of what its tables cost, subject to its rows, with the
 * largest cost at the ceiling. The first device, which may have every table; what may be on others is less.
 *
 * Tables may come in several options, of one shard or more. A price for each table is enough: what the options of a table earn
 * counts as little as the cheapest of them earns, so that prices that make them all earn the same are the best.
 */
export class DeviceBlock {
  readonly #built: NeuralProgram;
  readonly #rows: readonly (readonly number[])[];
  readonly program: Program;
  readonly devices: number;
  /** How many tables there are: each has a price. */
  readonly tables: number;
  readonly shards: readonly BlockShard[];
  readonly switches: readonly BlockSwitch[];
  /** The table that costs most alone, where it may be on the first device only; `null`: all tables may be on all devices. */
  readonly costliest: number | null;
  /** More than any device costs below the ceiling, in milliseconds. */
  readonly ceiling: number;
  /** The binary that says that the device is empty, if there is one. */
  readonly empty: number | null;
  /** What all devices cost together where prices and columns are 0. */
  readonly fixed: number;
  /** The block's objective without prices. */
  readonly costs: Float64Array;
  /** The rows that put shards somewhere. */
  readonly #places: readonly Place[];

  /** Throws `RangeError` unless devices are alike. */
  constructor(built: NeuralProgram) {
    const { program, structure } = built;
    const [first] = structure.devices;
    const { ranks, isSymmetric } = structure.symmetry;
    if (first === undefined || !isSymmetric) throw new RangeError("the devices are not alike");
    this.#built = built;
    this.devices = structure.devices.length;
    this.#rows = structure.devices.map((device) => rowsOf(built, device));
    const names = [...new Set(first.shards.map(({ table }) => table))];
    this.tables = names.length;
    const placed = placesOf(first, names);
    this.#places = placed;
    const nothing = this.shared(names.map(() => Rational.zero));
    const { rest, device: block } = this.apart(nothing);
    if (rest === null) throw new RangeError("a column has no bounds");
    this.program = block;
    this.fixed = rest.toNumber();
    const local = new Map(block.columns.map(({ name }, j) => [name, j]));
    const here = (column: number) => local.get(program.columns[column]?.name as string) as number;
    this.shards = first.shards.map(({ column }, k) => {
      const { table, shards } = placed[k] as Place;
      return { column: here(column), table, shards };
    });
    this.costliest = ranks === null ? null : names.findIndex((table) => ranks[table] === 0);
    this.ceiling = program.columns[structure.largest]?.upper?.toNumber() ?? Number.POSITIVE_INFINITY;
    this.empty = first.empty === null ? null : here(first.empty);
    this.costs = new Float64Array(block.columns.length);
    const { columns, coefficients, denominator } = block.objective.form;
    for (const [k, j] of columns.entries()) this.costs[j] = doubleNear(coefficients[k] as bigint, denominator);
    this.switches = switchesOf(structure.head, first, here).map((own) => ({
      ...own,
      weight: -(this.costs[own.column] as number),
    }));
  }

  /** The largest cost is at least the mean of all devices', and tables have prices. */
  shared(prices: readonly Rational[]): Pricing {
    const share = Rational.of(-1n, BigInt(this.devices));
    const rows = this.#built.structure.devices.map(({ costRow }) => [costRow, share] as const);
    return { multipliers: new Map([...rows, ...this.#priced((table) => prices[table] as Rational)]), rows: this.#rows };
  }

  /** The largest cost is at least the first device's, and one table has a price. */
  alone(table: number, price: Rational): Pricing {
    const { costRow } = this.#built.structure.devices[0] as DeviceColumns;
    const priced = this.#priced((other) => (other === table ? price : Rational.zero));
    const multipliers = new Map([[costRow, Rational.one.negate()], ...priced]);
    return { multipliers, rows: this.#rows.slice(0, 1) };
  }

  /** By row that places shards, what one of them earns. */
  #priced(priceOf: (table: number) => Rational): (readonly [row: number, price: Rational])[] {
    return this.#places.map(({ row, table, shards }) => [row, priceOf(table).divide(Rational.of(BigInt(shards)))]);
  }

  /** By table, how much of it a point has. */
  placed(point: ArrayLike<number>): Float64Array {
    const placed = new Float64Array(this.tables);
    for (const { column, table, shards } of this.shards) {
      placed[table] = (placed[table] as number) + (point[column] as number) / shards;
    }
    return placed;
  }

  /** The program taken apart into devices: what is left outside of them, and the first one's own program. */
  apart({ multipliers, rows }: Pricing): { readonly rest: Rational | null; readonly device: Program } {
    const { program, structure } = this.#built;
    const { view, box } = viewOf(program);
    const { rest, blocks } = decompose(layoutOf(view, new Set([structure.largest]), rows), box, multipliers, "bound");
    return { rest: rest.bound, device: (blocks[0] as Block).program("block 0", program) };
  }

  /** The step that says so, with what its devices are shown to be worth at least and why. */
  step({ multipliers, rows }: Pricing, least: Rational, proof: readonly Step[]): DecomposeStep {
    const { program, structure } = this.#built;
    return {
      decompose: SearchSpace.of(program).named(multipliers),
      purpose: "bound",
      links: [program.columns[structure.largest]?.name as string],
      blocks: rows.map((own) => ({
        rows: own.map((row) => program.rows[row]?.name as string),
        least: least.toString(),
        proof: 0,
      })),
      proofs: [proof],
    };
  }
}

/** The rows that speak of one device alone, and of the largest cost. */
function rowsOf({ program, structure }: NeuralProgram, { shards, units, empty }: DeviceColumns): readonly number[] {
  const own = new Set(shards.map(({ column }) => column));
  for (const { column, on } of units) {
    own.add(column);
    if (on !== null) own.add(on);
  }
  if (empty !== null) own.add(empty);
  return program.rows.flatMap(({ form }, r) => {
    const isOwn = form.columns.every((j) => own.has(j) || j === structure.largest);
    return isOwn && form.columns.some((j) => own.has(j)) ? [r] : [];
  });
}

/** A row that places alike shards of a table's option. */
interface Place {
  readonly row: number;
  readonly table: number;
  /** How many shards the option has. */
  readonly shards: number;
}

/** By shard column of a device, the row in which it and those of all other devices add up to the shards that are wanted. */
function placesOf({ shards }: DeviceColumns, tables: readonly number[]): readonly Place[] {
  return shards.map(({ table, option, placeRow }) => {
    const alike = shards.filter((other) => other.table === table && other.option === option);
    return { row: placeRow, table: tables.indexOf(table), shards: alike.reduce((sum, { most }) => sum + most, 0) };
  });
}
