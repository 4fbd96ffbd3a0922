import { Rational } from "../exact/rational.js";
import type { Multipliers } from "../proof/kernel/bound.js";
import type { HalfProof } from "../proof/kernel/split.js";
import type { View } from "../proof/kernel/view.js";
import { blockFact } from "./blocks.js";
import { accumulate, type Coefficients, Combination, type Fact } from "./combination.js";
import type { Derivations } from "./derivations.js";
import type { ImpliedIntegers } from "./implied.js";
import { cutUnsupported, statePlainly } from "./plain-lines.js";
import { negated } from "./problem.js";
import type { RowSums } from "./row-sums.js";
import type { Bounds } from "./sums.js";

/** A cut of a certificate, form ≥ least, over the walked columns, and the view in which it was stated. */
export interface StatedCut {
  readonly form: Coefficients;
  readonly least: Rational;
  readonly split: Coefficients;
  readonly at: Rational;
  readonly below: HalfProof;
  readonly above: HalfProof;
  readonly view: View;
}

/** A cut, form ≥ least, over the walked columns, that is shown by the knapsack of a sum of rows. */
export interface StatedKnapsack {
  readonly form: Coefficients;
  readonly least: Rational;
  readonly knapsack: Multipliers;
  readonly view: View;
}

/**
 * Puts cuts into lines when a proof first needs them: each half of the split is assumed, the cut is a line of either, and the
 * two together are a line without assumptions (`asm`, `lin`, `uns`). Those of knapsacks are shown by branching.
 */
export class Cuts {
  readonly #derivations: Derivations;
  readonly #implied: ImpliedIntegers;
  readonly #stated = new Map<
    number,
    { readonly cut: StatedCut | StatedKnapsack; readonly bounds: Bounds; fact: Fact | null }
  >();

  constructor(derivations: Derivations, implied: ImpliedIntegers) {
    this.#derivations = derivations;
    this.#implied = implied;
  }

  /** `bounds`: those of the moment. */
  state(index: number, cut: StatedCut | StatedKnapsack, bounds: Bounds): void {
    this.#stated.set(index, { cut, bounds, fact: null });
  }

  fact(index: number, sums: RowSums): Fact {
    const entry = this.#stated.get(index);
    if (entry === undefined) throw new Error("a checked certificate prices a cut that it does not state");
    entry.fact ??= this.#derive(entry.cut, entry.bounds, sums);
    return entry.fact;
  }

  #derive(cut: StatedCut | StatedKnapsack, bounds: Bounds, sums: RowSums): Fact {
    if ("knapsack" in cut) {
      if (this.#implied.isIn(cut.form))
        throw cutUnsupported("is over a column that is an integer at some optimum only");
      return this.#byKnapsack(cut, bounds, sums);
    }
    const { split, at, below, above } = cut;
    if (this.#implied.isIn(split)) throw cutUnsupported("splits a column that is an integer at some optimum only");
    const assumedBelow = this.#derivations.assume(split, at, "upper");
    const assumedAbove = this.#derivations.assume(split, at.add(Rational.one), "lower");
    const first = this.#half(cut, below, negated(split), assumedBelow, bounds, sums);
    const second = this.#half(cut, above, split, assumedAbove, bounds, sums);
    return this.#derivations.unsplitFact(first, assumedBelow.line, second, assumedAbove.line);
  }

  /** The sum of rows over the form's columns, the others at their bounds, is what the points of the cut's other side break. */
  #byKnapsack({ form, least, knapsack, view }: StatedKnapsack, bounds: Bounds, sums: RowSums): Fact {
    const own = sums.without(sums.priced(view, knapsack).asFact(), (column) => form.has(column), bounds, false);
    const row = statePlainly(this.#derivations, new Combination().add(own, Rational.one), own.coefficients, own.rhs);
    return blockFact(this.#derivations, { form, least, rows: [row], bounds });
  }

  /** The cut under the assumption `half ≥ …`. */
  #half(
    { form, least, view }: StatedCut,
    { side, rows }: HalfProof,
    half: Coefficients,
    assumed: Fact,
    bounds: Bounds,
    sums: RowSums,
  ): Fact {
    const wanted = new Map(form);
    for (const [column, coefficient] of half) accumulate(wanted, column, coefficient.multiply(side).negate());
    const { sum, absurd } = sums.lagrangian(view, rows, wanted, bounds);
    if (!absurd) sum.add(assumed, side);
    return statePlainly(this.#derivations, sum, form, least);
  }
}
