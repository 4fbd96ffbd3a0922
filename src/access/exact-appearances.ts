import { Rational } from "../exact/rational.js";
import type { RowClasses } from "./row-classes.js";

/** The appearances of row classes as integers, with their running sums: exact, in the order of the classes. */
export interface ExactAppearances {
  /** appearances[k] = integers[k] · 2^exponent. */
  readonly integers: readonly bigint[];
  /** Not positive. */
  readonly exponent: number;
  /** Rows before each class; one entry more than classes. */
  readonly rowsBefore: Float64Array;
  /** Σ rows · integers before each class; one entry more than classes. */
  readonly integersBefore: readonly bigint[];
}

/** See {@link ExactAppearances}; computed once for each set of classes. */
export function exactAppearances(classes: RowClasses): ExactAppearances {
  let known = computed.get(classes);
  if (known === undefined) {
    known = compute(classes);
    computed.set(classes, known);
  }
  return known;
}

/** Row classes do not change. */
const computed = new WeakMap<RowClasses, ExactAppearances>();

/** Index of a double's 32-bit word that holds sign, exponent and the first bits of the mantissa. */
const HIGH_WORD = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

function compute({ rows, appearances }: RowClasses): ExactAppearances {
  const words = new Uint32Array(appearances.buffer, appearances.byteOffset, appearances.length * 2);
  const exponentOf = (k: number) => Math.max(1, ((words[2 * k + HIGH_WORD] as number) >>> 20) & 0x7ff) - 1075;
  let exponent = 0;
  for (let k = 0; k < rows.length; k++) if (appearances[k] !== 0) exponent = Math.min(exponent, exponentOf(k));
  const integers: bigint[] = new Array(rows.length);
  const rowsBefore = new Float64Array(rows.length + 1);
  let count = 0;
  for (let k = 0; k < rows.length; k++) {
    const high = words[2 * k + HIGH_WORD] as number;
    const isSubnormal = ((high >>> 20) & 0x7ff) === 0;
    const mantissa =
      ((high & 0xf_ffff) + (isSubnormal ? 0 : 0x10_0000)) * 2 ** 32 + (words[2 * k + 1 - HIGH_WORD] as number);
    const integer = mantissa === 0 ? 0n : BigInt(mantissa) << BigInt(exponentOf(k) - exponent);
    integers[k] = integer;
    count += rows[k] as number;
    rowsBefore[k + 1] = count;
  }
  let integersBefore: readonly bigint[] | undefined;
  return {
    integers,
    exponent,
    rowsBefore,
    get integersBefore() {
      integersBefore ??= runningSums(rows, integers);
      return integersBefore;
    },
  };
}

function runningSums(rows: Float64Array, integers: readonly bigint[]): readonly bigint[] {
  const sums: bigint[] = new Array(rows.length + 1);
  let sum = 0n;
  sums[0] = sum;
  for (let k = 0; k < rows.length; k++) {
    sum += BigInt(rows[k] as number) * (integers[k] as bigint);
    sums[k + 1] = sum;
  }
  return sums;
}

/** Σ appearances over the rows from rank `from` up to (not including) rank `to`, hottest first. */
export function appearancesBetween(exact: ExactAppearances, from: number, to: number): Rational {
  const sum = integersBeforeRow(exact, to) - integersBeforeRow(exact, from);
  return Rational.of(sum, 1n << BigInt(-exact.exponent));
}

function integersBeforeRow({ integers, rowsBefore, integersBefore }: ExactAppearances, row: number): bigint {
  let low = 0;
  let high = integers.length;
  // The last class that begins at or before the row.
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((rowsBefore[middle] as number) <= row) low = middle;
    else high = middle;
  }
  const inside = row - (rowsBefore[low] as number);
  return (integersBefore[low] as bigint) + (inside === 0 ? 0n : BigInt(inside) * (integers[low] as bigint));
}
