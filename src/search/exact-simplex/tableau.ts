import { Rational } from "../../exact/rational.js";
import type { Box, View } from "../../proof/kernel/view.js";

/**
 * A simplex tableau in exact arithmetic over a view's linear relaxation. Variables are the view's columns (0 … n − 1)
 * and the activities of its rows (n … n + m − 1), all with bounds of their own; the tableau says every basic variable as
 * a combination of the nonbasic ones. Nonbasic variables sit at a bound (or at zero when they have none).
 */
export class Tableau {
  readonly columnCount: number;
  /** The program's index of each row. */
  readonly rowIds: readonly number[];
  readonly lower: (Rational | null)[];
  readonly upper: (Rational | null)[];
  readonly value: Rational[];
  /** Basic variable of each tableau row, and nonbasic variable of each tableau column. */
  readonly basic: number[];
  readonly nonbasic: number[];
  /** entries[i][k]: how much basic variable i moves per unit of nonbasic variable k. */
  readonly entries: Rational[][];
  /** Cost of each variable beyond the basis: the objective is Σ cost[k] · nonbasic[k] + offset. */
  readonly costs: Rational[];

  constructor(view: View, box: Box) {
    const n = view.columns.length;
    this.columnCount = n;
    const rows = [...view.rows];
    this.rowIds = rows.map(([id]) => id);
    this.lower = [...box.lower, ...rows.map(([, row]) => row.lower)];
    this.upper = [...box.upper, ...rows.map(([, row]) => row.upper)];
    this.nonbasic = Array.from({ length: n }, (_, j) => j);
    this.basic = rows.map((_, i) => n + i);
    this.entries = rows.map(([, { form }]) => {
      const dense: Rational[] = new Array(n).fill(Rational.zero);
      form.columns.forEach((j, k) => {
        dense[j] = Rational.of(form.coefficients[k] as bigint, form.denominator);
      });
      return dense;
    });
    this.costs = new Array(n).fill(Rational.zero);
    view.objective.columns.forEach((j, k) => {
      this.costs[j] = Rational.of(view.objective.coefficients[k] as bigint, view.objective.denominator);
    });
    this.value = this.nonbasic.map((j) => this.lower[j] ?? this.upper[j] ?? Rational.zero);
    for (let i = 0; i < rows.length; i++) this.value.push(this.activity(i));
  }

  /** The value that the nonbasic variables give to tableau row i. */
  activity(i: number): Rational {
    const row = this.entries[i] as Rational[];
    let sum = Rational.zero;
    for (let k = 0; k < row.length; k++) {
      const entry = row[k] as Rational;
      if (entry.sign() !== 0) sum = sum.add(entry.multiply(this.value[this.nonbasic[k] as number] as Rational));
    }
    return sum;
  }

  /** Moves a nonbasic variable by `step`, and the basic ones with it. */
  move(k: number, step: Rational): void {
    if (step.sign() === 0) return;
    const variable = this.nonbasic[k] as number;
    this.value[variable] = (this.value[variable] as Rational).add(step);
    this.basic.forEach((other, i) => {
      const entry = (this.entries[i] as Rational[])[k] as Rational;
      if (entry.sign() !== 0) this.value[other] = (this.value[other] as Rational).add(entry.multiply(step));
    });
  }

  /** Exchanges basic variable i with nonbasic variable k; values do not change. */
  pivot(i: number, k: number): void {
    const row = this.entries[i] as Rational[];
    const inverse = Rational.one.divide(row[k] as Rational);
    // x_k = (1/a)·x_i − Σ (a_l/a)·x_l
    const solved = row.map((entry, l) =>
      l === k ? inverse : entry.sign() === 0 ? entry : entry.multiply(inverse).negate(),
    );
    this.entries[i] = solved;
    const substitute = (target: Rational[]): void => {
      const factor = target[k] as Rational;
      if (factor.sign() === 0) return;
      target[k] = Rational.zero;
      solved.forEach((entry, l) => {
        if (entry.sign() !== 0) target[l] = (target[l] as Rational).add(factor.multiply(entry));
      });
    };
    this.entries.forEach((target, other) => {
      if (other !== i) substitute(target);
    });
    substitute(this.costs);
    const leaving = this.basic[i] as number;
    this.basic[i] = this.nonbasic[k] as number;
    this.nonbasic[k] = leaving;
  }
}
