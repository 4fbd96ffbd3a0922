import { type Random, seededRandom } from "../../../src/exact/random.js";
import { Rational } from "../../../src/exact/rational.js";
import { type Column, linearForm, makeProgram, type Program, type Row } from "../../../src/program/program.js";

/** Random choices for making programs; the same seed makes the same program everywhere. */
export interface Draw {
  /** An integer in [from, to]. */
  int(from: number, to: number): number;
  /** True with probability one in `n`. */
  oneIn(n: number): boolean;
  /** One of the values. */
  of<T>(values: readonly T[]): T;
  /** The values in another order. */
  shuffled<T>(values: readonly T[]): T[];
}

export function drawFrom(seed: number): Draw {
  return drawOf(seededRandom(seed));
}

/** The choices that a generator of random numbers makes next. */
export function drawOf(random: Random): Draw {
  const int = (from: number, to: number) => from + random.integer(to - from + 1);
  return {
    int,
    oneIn: (n) => random.integer(n) === 0,
    of: <T>(values: readonly T[]) => values[random.integer(values.length)] as T,
    shuffled: <T>(values: readonly T[]) => {
      const copy = values.slice();
      for (let k = copy.length - 1; k > 0; k--) {
        const other = random.integer(k + 1);
        [copy[k], copy[other]] = [copy[other] as T, copy[k] as T];
      }
      return copy;
    },
  };
}

/** A number as programs are written here: integers, and fractions by their denominator. */
export function ratio(numerator: number, denominator = 1): Rational {
  return Rational.of(BigInt(numerator), BigInt(denominator));
}

/** A program in short: `null` is no bound; names are given by position. */
export interface Sketch {
  readonly columns: readonly (readonly [lower: Rational | null, upper: Rational | null, integer: boolean])[];
  readonly rows: readonly SketchRow[];
  readonly costs: readonly Rational[];
  readonly maximise?: boolean;
  readonly constant?: Rational;
}

/** Coefficients by column, zeros allowed, and the row's sides. */
export type SketchRow = readonly [coefficients: readonly Rational[], lower: Rational | null, upper: Rational | null];

export function programOf({ columns, rows, costs, maximise, constant }: Sketch): Program {
  const form = (coefficients: readonly Rational[]) => linearForm(coefficients.map((value, j) => [j, value] as const));
  return makeProgram({
    columns: columns.map(([lower, upper, integer], j): Column => ({ name: `x${j}`, lower, upper, integer })),
    rows: rows.map(
      ([coefficients, lower, upper], r): Row => ({ name: `r${r}`, form: form(coefficients), lower, upper }),
    ),
    objective: {
      sense: maximise === true ? "maximize" : "minimize",
      form: form(costs),
      constant: constant ?? Rational.zero,
    },
  });
}
