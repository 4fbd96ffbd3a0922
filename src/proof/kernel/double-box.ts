import type { Rational } from "../../exact/rational.js";
import type { LinearForm } from "../../program/program.js";
import type { Box, View } from "./view.js";

/** Up to here, doubles that are integers are added, and multiplied by them, without rounding. */
const EXACT = 2 ** 51;

/** Of each rounding of a double, generously. */
const EPSILON = 2 ** -50;

/**
 * A box in doubles, to leave out rows that certainly tighten nothing: exact arithmetic would come to the same, only later. Where
 * all numbers of a row are integers and small nothing is rounded at all.
 */
export class DoubleBox {
  readonly #integer: readonly boolean[];
  readonly #box: Box;
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  /** Whether both bounds are what their doubles say. */
  readonly #isExact: Uint8Array;
  /** By column: the update in which its bounds changed last. */
  readonly #changes: Int32Array;
  #time = 0;
  /** Columns whose bounds have changed since the last `update`. */
  readonly changed: number[] = [];

  constructor({ columns, integer }: View, box: Box) {
    this.#integer = integer;
    this.#box = box;
    this.#lower = new Float64Array(columns.length);
    this.#upper = new Float64Array(columns.length);
    this.#isExact = new Uint8Array(columns.length);
    this.#changes = new Int32Array(columns.length);
    for (let j = 0; j < columns.length; j++) this.#read(j);
  }

  /** Counts updates. */
  get time(): number {
    return this.#time;
  }

  update(): void {
    this.#time++;
    for (const j of this.changed) {
      this.#read(j);
      this.#changes[j] = this.#time;
    }
    this.changed.length = 0;
  }

  /** Whether one of some columns was changed by an update after that time; before all of them it is −1. */
  hasChangedSince(time: number, columns: readonly number[]): boolean {
    if (time === -1) return true;
    for (let k = 0; k < columns.length; k++) if ((this.#changes[columns[k] as number] as number) > time) return true;
    return false;
  }

  /** Whether sign · form ≤ sign · side, a row's side, may tighten a bound or be broken by the bounds. */
  mayTighten(form: LinearForm, side: Rational, sign: 1 | -1): boolean {
    const values = inDoubles(form);
    let [least, size] = [0, 0];
    // The most that a term can move whose column is an integer.
    let widest = 0;
    // Terms without a least value: only the one column without a bound may then be tightened.
    let endless = 0;
    // One of them is of a continuous column that is bounded on the other side, which is all that is asked of those.
    let isSettled = false;
    let hasGreatest = true;
    let isExact = form.denominator <= MOST;
    for (let k = 0; k < values.length; k++) {
      const j = form.columns[k] as number;
      const value = sign * (values[k] as number);
      const near = value * ((value > 0 ? this.#lower[j] : this.#upper[j]) as number);
      const far = value * ((value > 0 ? this.#upper[j] : this.#lower[j]) as number);
      const isInteger = this.#integer[j] === true;
      if (near === Number.NEGATIVE_INFINITY) {
        endless++;
        if (!isInteger && far !== Number.POSITIVE_INFINITY) isSettled = true;
      } else {
        least += near;
        size += Math.abs(near);
      }
      if (far === Number.POSITIVE_INFINITY) hasGreatest = false;
      else size += Math.abs(far);
      if (isInteger && far - near > widest) widest = far - near;
      if (this.#isExact[j] === 0 || Math.abs(value) > EXACT) isExact = false;
    }
    if (endless > 0) return endless === 1 && !isSettled;
    if (!hasGreatest) return true;
    const most = sign * side.toNumber() * Number(form.denominator);
    const all = size + Math.abs(most);
    const error = isExact && isSmallInteger(side) && all <= EXACT ? 0 : EPSILON * (values.length + 4) * all;
    // In this way round, as what is no number is to be tried.
    return !(widest <= most - least - error);
  }

  #read(j: number): void {
    const [lower, upper] = [this.#box.lower[j] ?? null, this.#box.upper[j] ?? null];
    this.#lower[j] = toDouble(lower, Number.NEGATIVE_INFINITY);
    this.#upper[j] = toDouble(upper, Number.POSITIVE_INFINITY);
    this.#isExact[j] = isSmallInteger(lower) && isSmallInteger(upper) ? 1 : 0;
  }
}

const MOST = BigInt(EXACT);

function toDouble(value: Rational | null, absent: number): number {
  return value === null ? absent : value.toNumber();
}

function isSmallInteger(value: Rational | null): boolean {
  return value === null || (value.denominator === 1n && value.numerator <= MOST && value.numerator >= -MOST);
}

/** By the coefficients of forms, which views share where nothing of a row is substituted. */
const remembered = new WeakMap<LinearForm["coefficients"], readonly number[]>();

function inDoubles({ coefficients }: LinearForm): readonly number[] {
  let values = remembered.get(coefficients);
  if (values === undefined) {
    values = coefficients.map(Number);
    remembered.set(coefficients, values);
  }
  return values;
}
