import { Rational } from "../exact/rational.js";
import { Combination, type Fact, unit } from "./combination.js";
import { Narrowed } from "./narrowed.js";
import type { Fixing } from "./node.js";
import { negated, oppositeOf, type Side } from "./problem.js";
import type { RowSums } from "./row-sums.js";
import { addGroup, type Bounds, type GroupFact, groupPrice, reach } from "./sums.js";

/** Why reduced-cost fixing may move bounds: what the step's sum says of one column, the others at the bounds they had. */
export class Fixings {
  readonly #sums: RowSums;
  readonly #integer: readonly boolean[];
  readonly #before: (time: number) => Bounds;
  readonly #shared = new WeakMap<Fixing, Fact>();
  readonly #narrowed = new WeakMap<Fixing, { readonly of: Fact; readonly narrowed: Narrowed }>();

  constructor(sums: RowSums, integer: readonly boolean[], before: (time: number) => Bounds) {
    this.#sums = sums;
    this.#integer = integer;
    this.#before = before;
  }

  /** `±column ≥ …` by the multipliers of a fixing; of a group's member by the group alone where that says no less. */
  explained(step: Fixing, column: number, side: Side, value: Rational, bounds: Bounds): Combination {
    const one = Rational.of(side === "lower" ? 1n : -1n);
    const signed = value.multiply(one);
    const group = this.#sums.groupOf(column);
    if (group !== undefined && leftByGroup(group, column, side, bounds).multiply(one).compare(signed) >= 0) {
      return reach(addGroup(new Combination(), group, one), unit(column, one), bounds);
    }
    const start = this.#before(step.since);
    const { value: beyond } = oppositeOf(value, side);
    const pinned = { ...start, value: (j: number, s: Side) => (j === column ? beyond : start.value(j, s)) };
    for (const fact of this.#sumsOf(step, column, start)) {
      const sum = new Combination().add(this.#narrowedBy(step, fact).at(column), Rational.one);
      if (group !== undefined) addGroup(sum, group, groupPrice(group, negated(sum.coefficients), pinned));
      const own = sum.coefficients.get(column);
      if (own === undefined || own.sign() !== one.sign()) continue;
      const found = reach(sum, unit(column, own), start).scaled(Rational.one.divide(own.absolute()));
      if ((this.#integer[column] === true ? upTo(found) : found.rhs).compare(signed) >= 0) return found;
    }
    throw new Error(`no reduced cost explains a fixed bound of column ${column}`);
  }

  /** The step's sum with a column in it, first as the step had it before. */
  *#sumsOf(step: Fixing, column: number, bounds: Bounds): Generator<Fact> {
    const known = this.#shared.get(step);
    if (known?.coefficients.has(column) === true) yield known;
    for (const fact of this.#sums.based(step, bounds, [column, ...step.fixed])) {
      this.#shared.set(step, fact);
      yield fact;
    }
  }

  /** What a step's sum says of each of its units. */
  #narrowedBy(step: Fixing, sum: Fact): Narrowed {
    const known = this.#narrowed.get(step);
    if (known?.of === sum) return known.narrowed;
    const bounds = this.#before(step.since);
    const narrowed = new Narrowed(this.#sums.unitsIn(step.view, sum), sum, (fact, isKept) =>
      this.#sums.without(fact, isKept, bounds, true),
    );
    this.#narrowed.set(step, { of: sum, narrowed });
    return narrowed;
  }
}

/** What an integer is at least that a sum bounds alone: below the target, where that is what the sum rests on. */
function upTo({ rhs, weight }: Combination): Rational {
  return Rational.of(weight.sign() === 0 ? rhs.ceil() : rhs.floor() + 1n);
}

/** What a group leaves a member, the others at their bounds. */
function leftByGroup({ members, total }: GroupFact, member: number, side: Side, bounds: Bounds): Rational {
  const other = side === "lower" ? "upper" : "lower";
  return members.reduce((left, j) => (j === member ? left : left.subtract(bounds.value(j, other) as Rational)), total);
}
