import { Rational } from "../../exact/rational.js";
import { type Column, coefficientAt, type LinearForm, linearForm, type Row } from "../program.js";

/** Rounds numbers to doubles and keeps account of what that changed. */
export class Rounding {
  /** How many numbers there were, how many of them are no doubles, and how many of those are bounds of columns. */
  numbers = 0;
  rounded = 0;
  roundedBounds = 0;
  /** The largest change of a number, as a part of it. */
  most = 0;

  nearest(value: Rational): Rational {
    return this.#kept(value, value.toNumber());
  }

  down(value: Rational): Rational {
    return this.#kept(value, value.toNumberDown());
  }

  up(value: Rational): Rational {
    return this.#kept(value, value.toNumberUp());
  }

  #kept(value: Rational, double: number): Rational {
    this.numbers++;
    const kept = Rational.fromNumber(double);
    if (kept.equals(value)) return value;
    this.rounded++;
    this.most = Math.max(this.most, kept.subtract(value).divide(value).absolute().toNumberUp());
    return kept;
  }

  form(form: LinearForm): LinearForm {
    return linearForm(form.columns.map((column, k) => [column, this.nearest(coefficientAt(form, k))] as const));
  }

  /** Bounds of a column, moved outwards. */
  columnBounds(bounds: Pick<Column, "lower" | "upper">): Pick<Column, "lower" | "upper"> {
    const before = this.rounded;
    const moved = this.#sides(bounds);
    this.roundedBounds += this.rounded - before;
    return moved;
  }

  #sides({ lower, upper }: Pick<Row, "lower" | "upper">): Pick<Row, "lower" | "upper"> {
    return {
      lower: lower === null ? null : this.down(lower),
      upper: upper === null ? null : this.up(upper),
    };
  }

  /**
   * A row whose rounding lets every point through that the row does: sides move outwards, coefficients to where they make
   * the row looser. That is possible on one side at a time, so that a row with two becomes two. Coefficients of columns
   * that may have either sign, and all of a `priced` row (one that a column of the objective can make up for), go to
   * the nearest double.
   */
  row({ name, form, lower, upper }: Row, columns: readonly Column[], isPriced: boolean): readonly Row[] {
    const isRange = lower !== null && upper !== null && !lower.equals(upper);
    const isExact = form.columns.every((_, k) => isDouble(coefficientAt(form, k)));
    if (!isRange && (isPriced || isExact)) {
      return [{ name, form: this.form(form), ...this.#sides({ lower, upper }) }];
    }
    const loosened = (side: "lower" | "upper") =>
      linearForm(
        form.columns.map((column, k) => {
          const coefficient = coefficientAt(form, k);
          const sign = signOf(columns[column] as Column);
          if (sign === 0 || isPriced) return [column, this.nearest(coefficient)] as const;
          return [column, sign > 0 === (side === "upper") ? this.down(coefficient) : this.up(coefficient)] as const;
        }),
      );
    const sides = this.#sides({ lower, upper });
    return [
      ...(lower === null ? [] : [{ name, form: loosened("lower"), lower: sides.lower, upper: null }]),
      ...(upper === null
        ? []
        : [{ name: lower === null ? name : `${name}.most`, form: loosened("upper"), lower: null, upper: sides.upper }]),
    ];
  }
}

function isDouble(value: Rational): boolean {
  return Rational.fromNumber(value.toNumber()).equals(value);
}

/** Of the values that a column may have: 1, −1, or 0 where it may have either sign. */
function signOf({ lower, upper }: Column): -1 | 0 | 1 {
  if (lower !== null && lower.sign() >= 0) return 1;
  return upper !== null && upper.sign() <= 0 ? -1 : 0;
}
