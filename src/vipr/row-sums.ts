import { Rational } from "../exact/rational.js";
import type { Program } from "../program/program.js";
import type { Multipliers } from "../proof/kernel/bound.js";
import { formLattice } from "../proof/kernel/lattice.js";
import type { View, ViewRow } from "../proof/kernel/view.js";
import { type Coefficients, Combination, type Fact } from "./combination.js";
import { type IntegralPart, integralPart } from "./integral-part.js";
import type { Node } from "./node.js";
import { negated, type Problem, type Side } from "./problem.js";
import {
  addBrokenGroup,
  addGroup,
  type Bounds,
  brokenSide,
  difference,
  type GroupFact,
  groupPrice,
  reach,
} from "./sums.js";

/** A row's side rounded to what its integers can reach: `±Z ≥ rhs`. `null`: rounding changes nothing. */
interface RoundedSide {
  /** `null` for a row of one value: its groups alone say it. */
  readonly fact: Fact | null;
  readonly part: IntegralPart;
}

/** When and in which node a view was made. */
export interface Origin {
  readonly time: number;
  readonly owner: Node;
}

/** What is stated while rows are added up. */
interface Making {
  /** The bounds as they were before a moment. */
  readonly before: (time: number) => Bounds;
  /** States `part ≥ rhs` (side `lower`) or `part ≤ −rhs`, where the sum says so of integers. */
  readonly rounded: (origin: Origin, part: IntegralPart, sum: Combination, rhs: Rational, side: Side) => Fact;
  /** What a cut states. */
  readonly cut: (index: number) => Fact;
}

/** Sums of the rows of views: rows as the checker has them, rounded to what their integers can reach, and groups. */
export class RowSums {
  readonly groups: readonly GroupFact[];
  readonly #program: Program;
  readonly #rowsOf: readonly (readonly number[])[];
  readonly #facts: Pick<Problem, "rows">;
  readonly #make: Making;
  readonly #groupOf: ReadonlyMap<number, GroupFact>;
  readonly #origins = new WeakMap<View, Origin>();
  readonly #rounded = new WeakMap<View, Map<string, RoundedSide | null>>();

  constructor(
    program: Program,
    rowsOf: readonly (readonly number[])[],
    facts: Pick<Problem, "rows">,
    root: View,
    make: Making,
  ) {
    this.#program = program;
    this.#rowsOf = rowsOf;
    this.#facts = facts;
    this.#make = make;
    this.groups = root.groups.map(({ members, total }) => this.#groupFact(members, total));
    this.#groupOf = new Map(this.groups.flatMap((group) => group.members.map((j) => [j, group] as const)));
  }

  introduce(view: View, origin: Origin): void {
    this.#origins.set(view, origin);
  }

  groupOf(member: number): GroupFact {
    return this.#groupOf.get(member) as GroupFact;
  }

  /** The inequality behind `lagrangianBound`: wanted · x ≥ its bound. `absurd`: a group is broken instead. */
  lagrangian(view: View, multipliers: Multipliers, wanted: Coefficients, bounds: Bounds, except = -1) {
    const sum = new Combination();
    for (const [r, y] of multipliers) {
      if (y.sign() === 0 || !(view.rows.has(r) || view.cuts.has(r))) continue;
      this.addRow(sum, view, r, y.sign() > 0 ? "lower" : "upper", y.absolute());
    }
    for (const group of this.groups) {
      const side = brokenSide(group, bounds);
      if (side !== null) return { sum: addBrokenGroup(new Combination(), group, side, bounds), absurd: true };
    }
    const costs = difference(wanted, sum.coefficients);
    for (const group of this.groups) addGroup(sum, group, groupPrice(group, costs, bounds));
    return { sum: reach(sum, wanted, bounds, except), absurd: false };
  }

  /** The most by which a row's side can be kept, the column `except` left out; `null`: no limit, or no such side. */
  slack(view: View, row: ViewRow, side: Side, bounds: Bounds, except = -1): Rational | null {
    const rhs = row[side];
    if (rhs === null) return null;
    let most = Rational.zero;
    for (let k = 0; k < row.form.columns.length; k++) {
      const column = view.columns[row.form.columns[k] as number] as number;
      if (column === except) continue;
      const coefficient = row.form.coefficients[k] as bigint;
      const bound = bounds.value(column, coefficient > 0n === (side === "lower") ? "upper" : "lower");
      if (bound === null) return null;
      most = most.add(bound.multiply(Rational.of(coefficient)));
    }
    const slack = most.divide(Rational.of(row.form.denominator)).subtract(rhs);
    return side === "lower" ? slack : slack.negate();
  }

  /** Adds a side of a view's row: over the view's columns it is exactly the view's, others are left to their bounds. */
  addRow(sum: Combination, view: View, r: number, side: Side, multiplier: Rational): void {
    if (r >= this.#program.rows.length) {
      sum.add(this.#make.cut(r), multiplier);
      return;
    }
    const rounded = this.#roundedSide(view, r, side);
    if (rounded === null) {
      sum.add(this.#facts.rows[side][r] as Fact, multiplier);
      return;
    }
    if (rounded.fact !== null) sum.add(rounded.fact, rounded.part.step.multiply(multiplier));
    this.#addCommons(sum, rounded.part, side === "lower" ? multiplier : multiplier.negate());
  }

  #addCommons(sum: Combination, { commons }: IntegralPart, multiplier: Rational): void {
    for (const { member, common } of commons) {
      addGroup(sum, this.groupOf(member), common.multiply(multiplier));
    }
  }

  #roundedSide(view: View, r: number, side: Side): RoundedSide | null {
    const known = this.#rounded.get(view) ?? new Map<string, RoundedSide | null>();
    this.#rounded.set(view, known);
    const key = `${side}${r}`;
    let rounded = known.get(key);
    if (rounded === undefined) {
      rounded = this.#round(view, r, side);
      known.set(key, rounded);
    }
    return rounded;
  }

  #round(view: View, r: number, side: Side): RoundedSide | null {
    const row = view.rows.get(r) as ViewRow;
    const part = integralPart(row.form, view);
    if (part === null) return null;
    if (part.step.sign() === 0) {
      const only = formLattice(row.form, view.integer, view.groups, view.groupOf);
      return only !== null && row[side]?.equals(only.offset) === true ? { fact: null, part } : null;
    }
    const origin = this.#origins.get(view) as Origin;
    const form = side === "lower" ? part.coefficients : negated(part.coefficients);
    const share = Rational.one.divide(part.step);
    const sum = new Combination().add(this.#facts.rows[side][r] as Fact, share);
    this.#addCommons(sum, part, side === "lower" ? share.negate() : share);
    reach(sum, form, this.#make.before(origin.time));
    if (sum.rhs.isInteger()) return null;
    const rhs = Rational.of(sum.rhs.ceil());
    return { fact: this.#make.rounded(origin, part, sum, rhs, side), part };
  }

  #groupFact(members: readonly number[], total: bigint): GroupFact {
    const sum = Rational.of(total);
    const r = (this.#rowsOf[members[0] as number] as readonly number[]).find((index) => {
      const row = this.#program.rows[index];
      return (
        row?.lower?.equals(sum) === true &&
        row.upper?.equals(sum) === true &&
        row.form.denominator === 1n &&
        row.form.coefficients.every((coefficient) => coefficient === 1n) &&
        row.form.columns.length === members.length &&
        row.form.columns.every((column, k) => column === members[k])
      );
    }) as number;
    const { lower, upper } = this.#facts.rows;
    return { members, total: sum, atLeast: lower[r] as Fact, atMost: upper[r] as Fact };
  }
}

/** Multipliers with so many binary digits behind the point, towards 0. */
export function rounded(multipliers: Multipliers, digits: bigint): Multipliers {
  const one = Rational.of(1n << digits);
  const cut = (value: Rational) => (value.sign() < 0 ? value.ceil() : value.floor());
  return new Map([...multipliers].map(([r, y]) => [r, Rational.of(cut(y.multiply(one))).divide(one)] as const));
}
