import type { DeviceBlocks } from "../../../../../models/table-placement/goal-program.js";
import { Rational } from "../../../../exact/rational.js";
import { evaluate } from "../../../../program/evaluate.js";
import { coefficientAt, linearForm, makeProgram, type Program } from "../../../../program/program.js";

/** A row of what a device may cost or hold, in doubles. */
interface LimitRow {
  readonly name: string;
  readonly device: number;
  readonly columns: readonly number[];
  readonly coefficients: readonly number[];
  readonly upper: number;
}

/** A general solver keeps to rows with a tolerance: limits are lower for it by such a share, so that what it finds keeps to them. */
const TOLERANCE = 2e-7;

/** One unit of what is broken, as a share of a limit. */
const STEP = 1e-3;

/** What devices may cost and hold, as rows that a point may break at a price. */
export class DeviceLimits {
  readonly #rows: readonly LimitRow[];
  readonly #devices: number;
  readonly #program: Program;

  constructor(program: Program, { capRows, hbmRows, hostRows }: DeviceBlocks) {
    const limitsOf = (rows: readonly (number | null)[]) =>
      rows.flatMap((index, device): LimitRow[] => {
        const row = index === null ? undefined : program.rows[index];
        if (row === undefined || row.upper === null) return [];
        const coefficients = row.form.columns.map((_, k) => coefficientAt(row.form, k).toNumber());
        return [{ name: row.name, device, columns: row.form.columns, coefficients, upper: row.upper.toNumber() }];
      });
    this.#rows = [capRows, hbmRows, hostRows].flatMap(limitsOf);
    this.#devices = capRows.length;
    this.#program = program;
  }

  /** Whether a point breaks limits of devices, and nothing else. */
  areAllThatBreaks(point: readonly Rational[]): boolean {
    const names = new Set(this.#rows.map(({ name }) => name));
    const { violations } = evaluate(this.#program, point);
    return violations.length > 0 && violations.every(({ kind, name }) => kind === "row-upper" && names.has(name));
  }

  /** By device, Σ of what a point has above limits, as shares of them. */
  excess(point: readonly Rational[]): Float64Array {
    const excess = new Float64Array(this.#devices);
    for (const row of this.#rows) excess[row.device] = (excess[row.device] as number) + excessOf(row, point);
    return excess;
  }

  /**
   * A program over columns of this one, with the rows of devices as limits that may be broken: a share of a limit costs `price`.
   * Its last columns are what is broken; `values` are theirs at the point.
   */
  elastic(
    program: Program,
    point: readonly Rational[],
    price: number,
  ): { program: Program; values: readonly number[] } {
    const limits = new Map(this.#rows.map((row) => [row.name, row]));
    const columns = program.columns.slice();
    const paid: [number, Rational][] = [];
    const values: number[] = [];
    const rows = program.rows.map((row) => {
      const limit = limits.get(row.name);
      if (limit === undefined || row.upper === null || limit.upper <= 0) return row;
      const own = columns.length;
      columns.push({ name: `over_${row.name}`, lower: Rational.zero, upper: null, integer: false });
      paid.push([own, Rational.fromNumber(Math.ceil(price * STEP))]);
      const share = excessOf(limit, point) + TOLERANCE;
      values.push(share / STEP);
      const least = Rational.fromNumber(limit.upper * TOLERANCE);
      const form = linearForm([...termsOf(row.form), [own, Rational.fromNumber(-limit.upper * STEP)]]);
      return { ...row, form, upper: row.upper.subtract(least) };
    });
    const { objective } = program;
    const form = linearForm([...termsOf(objective.form), ...paid]);
    return {
      program: makeProgram({ name: program.name, columns, rows, objective: { ...objective, form } }),
      values,
    };
  }
}

function termsOf(form: Program["objective"]["form"]): readonly (readonly [number, Rational])[] {
  return form.columns.map((column, k) => [column, coefficientAt(form, k)] as const);
}

function excessOf({ columns, coefficients, upper }: LimitRow, point: readonly Rational[]): number {
  let load = 0;
  for (let k = 0; k < columns.length; k++) {
    const value = point[columns[k] as number] as Rational;
    if (value.sign() !== 0) load += (coefficients[k] as number) * value.toNumber();
  }
  return load > upper ? (load - upper) / (upper || 1) : 0;
}
