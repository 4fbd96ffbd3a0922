import type { Rational } from "../../exact/rational.js";
import type { LinearForm } from "../../program/program.js";
import type { Box, View, ViewRow } from "./view.js";

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
  /** Columns whose bounds have changed since the last `update`. */
  readonly changed: number[] = [];

  constructor({ columns, integer }: View, box: Box) {
    this.#integer = integer;
    this.#box = box;
    this.#lower = new Float64Array(columns.length);
    this.#upper = new Float64Array(columns.length);
    this.#isExact = new Uint8Array(columns.length);
    for (let j = 0; j < columns.length; j++) this.#read(j);
  }

  update(): void {
    for (const j of this.changed) this.#read(j);
    this.changed.length = 0;
  }

  /** Whether a side of a row, the lower one with sign −1, may tighten a bound or be broken by the bounds. */
  mayTighten({ form, lower, upper }: ViewRow, sign: 1n | -1n): boolean {
    const values = coefficientsOf(form);
    const factor = Number(sign);
    const rational = sign === 1n ? upper : lower;
    const side = factor * toDouble(rational, 0) * Number(form.denominator);
    let least = 0;
    // The most that a term can move whose column has a bound to be tightened.
    let widest = 0;
    // Only the one column without a bound may then be tightened.
    let endless = false;
    let size = Math.abs(side);
    let isExact = isInteger(rational) && form.denominator <= MOST;
    for (let k = 0; k < values.length; k++) {
      const j = form.columns[k] as number;
      const value = factor * (values[k] as number);
      const isPositive = value > 0;
      const near = value * ((isPositive ? this.#lower[j] : this.#upper[j]) as number);
      const far = value * ((isPositive ? this.#upper[j] : this.#lower[j]) as number);
      const isOpen = this.#integer[j] === true || far === Number.POSITIVE_INFINITY;
      if (near === Number.NEGATIVE_INFINITY) {
        if (endless || !isOpen) return false;
        endless = true;
      } else {
        least += near;
        size += Math.abs(near);
      }
      if (far !== Number.POSITIVE_INFINITY) size += Math.abs(far);
      if (isOpen && far - near > widest) widest = far - near;
      if (this.#isExact[j] === 0 || Math.abs(value) > EXACT) isExact = false;
    }
    if (endless) return true;
    const error = isExact && size <= EXACT ? 0 : EPSILON * (values.length + 4) * size;
    // In this way round, as what is no number is to be tried.
    return !(widest <= side - least - error);
  }

  #read(j: number): void {
    const [lower, upper] = [this.#box.lower[j] ?? null, this.#box.upper[j] ?? null];
    this.#lower[j] = toDouble(lower, Number.NEGATIVE_INFINITY);
    this.#upper[j] = toDouble(upper, Number.POSITIVE_INFINITY);
    this.#isExact[j] = isInteger(lower) && isInteger(upper) ? 1 : 0;
  }
}

const MOST = BigInt(EXACT);

function toDouble(value: Rational | null, absent: number): number {
  return value === null ? absent : value.toNumber();
}

function isInteger(value: Rational | null): boolean {
  return value === null || (value.denominator === 1n && value.numerator <= MOST && value.numerator >= -MOST);
}

const remembered = new WeakMap<LinearForm, Float64Array>();

function coefficientsOf(form: LinearForm): Float64Array {
  let values = remembered.get(form);
  if (values === undefined) {
    values = Float64Array.from(form.coefficients, Number);
    remembered.set(form, values);
  }
  return values;
}
