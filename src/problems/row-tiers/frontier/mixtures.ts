import { Rational } from "../../../exact/rational.js";
import { formValue } from "../../../program/evaluate.js";
import { type Interval, TierSums } from "../../../program/ladder/interval.js";
import type { Ladder } from "../../../program/ladder/ladder.js";
import { type Column, linearForm, makeProgram, type Program } from "../../../program/program.js";
import { ladderBound } from "../../../proof/kernel/ladder/bound.js";
import { rootNode } from "../../../proof/kernel/ladder/node.js";
import { viewOf } from "../../../proof/kernel/view.js";
import { solveExactLinear } from "../../../search/exact-simplex/solve.js";

/** Every unit in one tier: what that comes to in each row of a ladder, and in its objective. */
export interface Filling {
  readonly rows: readonly Rational[];
  readonly cost: Rational;
}

export function fillingOf(ladder: Ladder, intervals: readonly Interval[]): Filling {
  const sums = new TierSums(ladder, intervals);
  return { rows: ladder.rows.map(({ form }) => sums.valueOf(form)), cost: sums.valueOf(ladder.objective.form) };
}

/** The optimum of a ladder's relaxation, exactly. */
export interface Mixture {
  readonly value: Rational;
  /** Of the ladder's rows, none above zero: what proves the value. */
  readonly multipliers: ReadonlyMap<number, Rational>;
  /** What the optimum is a mixture of. */
  readonly fillings: readonly Filling[];
}

/**
 * Solves the relaxation of a ladder under several capacities and sums by mixing fillings (Dantzig and Wolfe 1960): the
 * best mixture of those at hand is a linear program with one row for each of the ladder's, solved by an exact simplex;
 * with its multipliers the best filling of all is found at once, since units fall apart (`ladderBound`), and joins the
 * others until none is better. Exact throughout: no weight or price is rounded.
 *
 * `start` must hold a mixture within the capacities; otherwise throws `RangeError`.
 */
export function bestMixture(ladder: Ladder, start: readonly Filling[]): Mixture {
  let fillings = [...start];
  let before: Rational | null = null;
  for (;;) {
    const master = masterProgram(ladder, fillings);
    const { view, box } = viewOf(master);
    const answer = solveExactLinear(view, box);
    if (answer?.kind !== "optimal") throw new RangeError("no mixture of the fillings at hand keeps to the capacities");
    const multipliers = new Map([...answer.multipliers].filter(([row]) => row < ladder.rows.length));
    const value = formValue(master.objective.form, answer.point);
    const mixed = fillings.filter((_, j) => (answer.point[j] as Rational).sign() > 0);
    const { bound, cheapest } = ladderBound(ladder, rootNode(ladder), multipliers);
    if (bound !== null && bound.compare(value) >= 0) return { value, multipliers, fillings: mixed };
    // The simplex takes longer with each filling. Those out of use may go where the value has fallen: it cannot come
    // back.
    if (before === null || value.compare(before) < 0) fillings = mixed;
    fillings.push(fillingOf(ladder, cheapest));
    before = value;
  }
}

/** The best mixture of some fillings: their shares, which add up to one, and the ladder's auxiliary columns. */
function masterProgram({ rows, auxiliaries, objective }: Ladder, fillings: readonly Filling[]): Program {
  const shares = fillings.map(
    (_, j): Column => ({ name: `share_${j}`, lower: Rational.zero, upper: null, integer: false }),
  );
  // The only one left is the slowest channel, which its rows bound from below.
  const others = auxiliaries.map((column): Column => ({ ...column, lower: null, upper: null, integer: false }));
  const form = (ofShares: readonly Rational[], ofOthers: readonly Rational[]) =>
    linearForm([...ofShares, ...ofOthers].map((value, j) => [j, value] as const));
  return makeProgram({
    name: "mixture",
    columns: [...shares, ...others],
    rows: [
      ...rows.map((row, k) => ({
        name: row.name,
        form: form(
          fillings.map((filling) => filling.rows[k] as Rational),
          row.form.auxiliaries,
        ),
        lower: null,
        upper: row.upper,
      })),
      {
        name: "shares",
        form: form(
          fillings.map(() => Rational.one),
          auxiliaries.map(() => Rational.zero),
        ),
        lower: Rational.one,
        upper: Rational.one,
      },
    ],
    objective: {
      name: objective.name,
      form: form(
        fillings.map(({ cost }) => cost),
        objective.form.auxiliaries,
      ),
    },
  });
}
