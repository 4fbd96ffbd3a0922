import type { DeviceColumns, NeuralProgram } from "../../../../models/neural-placement/build.js";
import { Rational } from "../../../exact/rational.js";
import type { Program } from "../../../program/program.js";
import type { Multipliers } from "../../../proof/bound.js";
import type { DecomposeStep, Step } from "../../../proof/certificate.js";
import { type Decomposition, decompose } from "../../../proof/decompose.js";
import { viewOf } from "../../../proof/view.js";
import { SearchSpace } from "../../branch-and-bound/space.js";

/** A ReLU that makes a device cheaper, with the binary that says whether it is on; columns are the block's. */
export interface BlockSwitch {
  readonly on: number;
  readonly column: number;
  /** What one of the ReLU takes from the objective. */
  readonly weight: number;
  /** Its input, offset + Σ slope · column. */
  readonly offset: number;
  readonly terms: readonly (readonly [column: number, slope: number])[];
}

/** Multipliers for the program's rows, and the rows that each of some devices keeps. */
export interface Pricing {
  readonly multipliers: Multipliers;
  readonly rows: readonly (readonly number[])[];
}

/**
 * One of many devices that are alike, as a program of its own: a k-th of what its tables cost, subject to its rows, with the
 * largest cost at the ceiling. The first device, which may have every table; what may be on others is less.
 */
export class DeviceBlock {
  readonly #built: NeuralProgram;
  readonly #rows: readonly (readonly number[])[];
  readonly program: Program;
  readonly devices: number;
  /** By table, the block's column that puts it on the device. */
  readonly tables: readonly number[];
  readonly switches: readonly BlockSwitch[];
  /** The table that costs most alone: it may be on the first device only. */
  readonly costliest: number;
  /** More than any device costs below the ceiling, in milliseconds. */
  readonly ceiling: number;
  /** The binary that says that the device is empty, if there is one. */
  readonly empty: number | null;
  /** What all devices cost together where prices and columns are 0. */
  readonly fixed: number;
  /** The block's objective without prices. */
  readonly costs: Float64Array;
  /** By table, the row that puts it somewhere. */
  readonly #placeRows: readonly number[];

  /** Throws `RangeError` unless tables are whole and devices alike. */
  constructor(built: NeuralProgram) {
    const { program, structure } = built;
    const [first] = structure.devices;
    if (first === undefined || structure.symmetry.ranks === null) throw new RangeError("the devices are not alike");
    this.#built = built;
    this.devices = structure.devices.length;
    this.#rows = structure.devices.map((device) => rowsOf(built, device));
    this.#placeRows = placeRowsOf(built, first);
    const nothing = this.shared(this.#placeRows.map(() => Rational.zero));
    const { rest, blocks } = this.apart(nothing);
    const [block] = blocks;
    if (block === undefined || rest === null) throw new RangeError("a column has no bounds");
    this.program = block;
    this.fixed = rest.toNumber();
    const local = new Map(block.columns.map(({ name }, j) => [name, j]));
    const here = (column: number) => local.get(program.columns[column]?.name as string) as number;
    this.tables = first.shards.map(({ column }) => here(column));
    this.costliest = first.shards.findIndex(({ table }) => structure.symmetry.ranks?.[table] === 0);
    this.ceiling = program.columns[structure.largest]?.upper?.toNumber() ?? Number.POSITIVE_INFINITY;
    this.empty = first.empty === null ? null : here(first.empty);
    this.costs = new Float64Array(block.columns.length);
    const { columns, coefficients, denominator } = block.objective.form;
    for (const [k, j] of columns.entries()) this.costs[j] = Number(coefficients[k]) / Number(denominator);
    const scale = Number(structure.head.denominator);
    this.switches = first.units.flatMap(({ on, column, unit }): BlockSwitch[] =>
      on === null
        ? []
        : [
            {
              on: here(on),
              column: here(column),
              weight: -(this.costs[here(column)] as number),
              offset: Number(unit.offset) / scale,
              terms: first.shards.map((shard) => [here(shard.column), Number(unit.slopes[shard.part]) / scale]),
            },
          ],
    );
  }

  /** The largest cost is at least the mean of all devices', and tables have prices. */
  shared(prices: readonly Rational[]): Pricing {
    const share = Rational.of(-1n, BigInt(this.devices));
    const rows = this.#built.structure.devices.map(({ costRow }) => [costRow, share] as const);
    const placed = this.#placeRows.map((row, t) => [row, prices[t] as Rational] as const);
    return { multipliers: new Map([...rows, ...placed]), rows: this.#rows };
  }

  /** The largest cost is at least the first device's, and one table has a price. */
  alone(table: number, price: Rational): Pricing {
    const { costRow } = this.#built.structure.devices[0] as DeviceColumns;
    const multipliers = new Map([
      [costRow, Rational.one.negate()],
      [this.#placeRows[table] as number, price],
    ]);
    return { multipliers, rows: this.#rows.slice(0, 1) };
  }

  /** The program taken apart into devices. */
  apart({ multipliers, rows }: Pricing): Decomposition {
    const { program, structure } = this.#built;
    const { view, box } = viewOf(program);
    const names = {
      row: (index: number) => program.rows[index]?.name as string,
      column: (index: number) => program.columns[index]?.name as string,
    };
    return decompose(view, box, multipliers, new Set([structure.largest]), rows, "bound", names);
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

/** By shard of a device, the row in which its columns on all devices add up to 1. */
function placeRowsOf({ program, structure }: NeuralProgram, first: DeviceColumns): readonly number[] {
  const tableOf = new Map(
    structure.devices.flatMap(({ shards }) => shards.map(({ column, table }) => [column, table])),
  );
  const rowOf = new Map<number, number>();
  for (const [r, { form, lower, upper }] of program.rows.entries()) {
    const tables = new Set(form.columns.map((j) => tableOf.get(j)));
    const [table] = tables;
    if (tables.size === 1 && table !== undefined && lower !== null && upper !== null && lower.equals(upper))
      rowOf.set(table, r);
  }
  return first.shards.map(({ table }) => {
    const row = rowOf.get(table);
    if (row === undefined) throw new RangeError(`table ${table} has no row that places it`);
    return row;
  });
}
