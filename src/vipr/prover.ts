import { Rational } from "../exact/rational.js";
import type { Program } from "../program/program.js";
import { lagrangianBound, type Multipliers } from "../proof/kernel/bound.js";
import type { Box, View } from "../proof/kernel/view.js";
import { type Coefficients, Combination, Disjunction, type Fact, unit } from "./combination.js";
import { Cuts, type StatedCut } from "./cuts.js";
import type { Derivations } from "./derivations.js";
import { ImpliedIntegers } from "./implied.js";
import { type IntegralPart, integralPart } from "./integral-part.js";
import type { StatedKnapsack } from "./knapsack-cuts.js";
import { type BoundEntry, BoundHistory, type Node } from "./node.js";
import { negated, objectiveOf, oppositeOf, type Problem, type Side } from "./problem.js";
import { type Origin, RowSums, rounded } from "./row-sums.js";
import {
  addBrokenGroup,
  addGroup,
  type Bounds,
  boundsBy,
  brokenSide,
  difference,
  reach,
  replaceBound,
} from "./sums.js";

const NOTHING: Coefficients = new Map();
const SIDES = ["lower", "upper"] as const;

/** How many binary digits behind the point multipliers are tried with before all of their own. */
const BINARY_DIGITS = [8n, 20n];

/**
 * Puts what the steps of a certificate conclude into lines of the file, when a proof first needs them.
 *
 * A bound that follows from inequalities between columns alone is one line (`lin`, or `rnd` for an integer). One that
 * needs the target (reduced-cost fixing and all that rests on it) cannot be stated so: an integer's is assumed and its
 * opposite shown to reach the goal (`uns`); a continuous column's is stated with a weight on the objective.
 */
export class Prover {
  readonly history = new BoundHistory();
  readonly #program: Program;
  readonly #facts: Pick<Problem, "bounds" | "rows">;
  readonly #implied: ImpliedIntegers;
  readonly #objective: Coefficients;
  /** Declared integer, or taken as such: see implied-integers.ts. */
  readonly #integer: readonly boolean[];
  readonly #derivations: Derivations;
  readonly #target: Rational | null;
  readonly #sums: RowSums;
  readonly #cuts: Cuts;
  /** Every column is bounded on both sides: then any multipliers bound the objective. */
  readonly #isBoxed: boolean;
  readonly #rowsOf: readonly number[][];

  constructor(
    program: Program,
    facts: Pick<Problem, "bounds" | "rows">,
    derivations: Derivations,
    target: Rational | null,
    root: View,
  ) {
    this.#program = program;
    this.#facts = facts;
    this.#objective = objectiveOf(program);
    this.#integer = root.integer;
    this.#derivations = derivations;
    const implied = program.columns.flatMap(({ integer }, j) => (root.integer[j] === true && !integer ? [j] : []));
    const nameOf = (column: number) => program.columns[column]?.name as string;
    this.#implied = new ImpliedIntegers(new Set(implied), this.#objective, facts, derivations, nameOf);
    this.#target = target;
    this.#rowsOf = program.columns.map(() => []);
    program.rows.forEach(({ form }, r) => {
      for (const column of form.columns) this.#rowsOf[column]?.push(r);
    });
    this.#isBoxed = program.columns.every(({ lower, upper }) => lower !== null && upper !== null);
    this.#cuts = new Cuts(derivations, this.#implied);
    this.#sums = new RowSums(program, this.#rowsOf, facts, root, {
      before: (time) => this.#before(time),
      rounded: (origin, part, sum, rhs, side) => this.#roundedRow(origin, part, sum, rhs, side),
      cut: (index) => this.#cuts.fact(index, this.#sums),
    });
  }

  /** Says when and in which node a view was made: its substituted columns have the bounds of that moment. */
  introduce(view: View, owner: Node): void {
    this.#sums.introduce(view, { time: this.history.tick(), owner });
  }

  /**
   * Says what a cut states, and that it rests on the bounds of this moment: those of continuous columns as they were before
   * any was fixed, because what the target gives of them cannot be stated without it.
   */
  introduceCut(index: number, cut: StatedCut | StatedKnapsack): void {
    const time = this.history.tick();
    const fixed = this.history.firstOf("fix");
    const [now, unfixed] = [this.#before(time), this.#before(Math.min(time, fixed))];
    this.#cuts.state(
      index,
      cut,
      boundsBy((column) => (this.#program.columns[column]?.integer ? now : unfixed)),
    );
  }

  /** Resolves the case distinctions of a node, latest first: a later one may rest on earlier ones. */
  discharge(node: Node, goal: number): number {
    let line = goal;
    for (;;) {
      const latest = node.splits.reduce((best, { time }, k) => (time > (node.splits[best]?.time ?? -1) ? k : best), -1);
      if (latest === -1) return line;
      const [split] = node.splits.splice(latest, 1);
      if (split !== undefined) line = split.discharge(line);
    }
  }

  /** The side that the half of a branching bounds whose bound can be assumed before the other half is walked. */
  assumedSide(column: number): Side {
    return this.#implied.has(column) && !this.#implied.canAssume(column, "upper") ? "lower" : "upper";
  }

  /** An assumption of a branching's half that a goal rests on, and its opposite where that is not yet to be assumed. */
  openCase({ assumption }: Node, goal: number): { readonly line: number; readonly opposite: Fact | null } | null {
    if (assumption === null) return null;
    const { line, source } = assumption;
    if (!(source instanceof Disjunction)) {
      return this.#derivations.restsOn(goal, line) ? { line, opposite: null } : null;
    }
    const [found] = this.#implied.casesOf(source, goal);
    return found === undefined
      ? null
      : { line: found.assumption.line, opposite: this.#implied.opposite(source, found) };
  }

  /** The goal from a column's bounds that cross. */
  crossing(column: number): number {
    const bounds = this.#now();
    const sum = new Combination().add(bounds.fact(column, "lower"), Rational.one);
    return this.#goal(sum.add(bounds.fact(column, "upper"), Rational.one));
  }

  /** The goal from bounds that cross or a group or row of the view that they break; `null` where there is none. */
  contradiction(view: View, broad: boolean): number | null {
    const bounds = this.#now();
    for (const j of view.columns) {
      const lower = bounds.value(j, "lower");
      const upper = bounds.value(j, "upper");
      if (lower !== null && upper !== null && lower.compare(upper) > 0) return this.crossing(j);
    }
    for (const group of this.#sums.groups) {
      const side = brokenSide(group, bounds);
      if (side !== null) return this.#goal(addBrokenGroup(new Combination(), group, side, bounds));
    }
    if (!broad) return null;
    const box: Box = { lower: [], upper: [] };
    for (const j of view.columns) {
      box.lower.push(bounds.value(j, "lower"));
      box.upper.push(bounds.value(j, "upper"));
    }
    const breaks = (alone: Multipliers): boolean => {
      const { bound } = lagrangianBound({ ...view, crossed: false }, box, alone, "infeasibility");
      return bound !== null && bound.sign() > 0;
    };
    for (const [r, row] of view.rows) {
      const isGrouped = row.form.columns.some((j) => view.groupOf[j] !== -1);
      for (const side of SIDES) {
        if (this.#facts.rows[side][r] === null) continue;
        const slack = this.#sums.slack(view, row, side, bounds);
        if (slack === null) continue;
        const alone: Multipliers = new Map([[r, Rational.of(side === "lower" ? 1n : -1n)]]);
        // Without groups the slack says all that the multiplier does, from the row's own columns.
        if (slack.sign() < 0 || (isGrouped && breaks(alone))) {
          return this.#goal(this.#sums.lagrangian(view, alone, NOTHING, bounds).sum);
        }
      }
      const isRange = SIDES.every((side) => this.#facts.rows[side][r] !== null);
      if (isRange && row.lower !== null && row.upper !== null && row.lower.compare(row.upper) > 0) {
        const sum = new Combination();
        for (const side of SIDES) this.#sums.addRow(sum, view, r, side, Rational.one);
        return this.#goal(reach(sum, NOTHING, bounds));
      }
    }
    return null;
  }

  /** The goal from multipliers that show the node infeasible. */
  closeByInfeasibility(view: View, multipliers: Multipliers): number {
    const found = this.contradiction(view, false);
    return found ?? this.#goal(this.#sums.lagrangian(view, multipliers, NOTHING, this.#now()).sum);
  }

  /** The goal from multipliers whose bound, or the objective's next value above it, reaches the target. */
  closeByBound(view: View, multipliers: Multipliers): number {
    const found = this.contradiction(view, false);
    if (found !== null) return found;
    const bounds = this.#now();
    const objective = this.#objective;
    const target = this.#target as Rational;
    const { sum } = this.#sums.lagrangian(view, multipliers, objective, bounds);
    sum.absorbObjective(objective, target);
    const part = integralPart(view.objective, view);
    if (sum.rhs.sign() >= 0 || part === null) return this.#goal(sum);
    if (part.step.sign() === 0) {
      // One value of the objective is left. It reaches the target; or it is below its own bound, and nothing is feasible.
      const alone = this.#sums.lagrangian(view, new Map(), objective, bounds).sum.absorbObjective(objective, target);
      if (alone.rhs.sign() >= 0) return this.#goal(alone);
      return this.#goal(this.#sums.lagrangian(view, multipliers, NOTHING, bounds).sum);
    }
    const scaled = new Map([...multipliers].map(([r, y]) => [r, y.divide(part.step)] as const));
    const { sum: integral } = this.#sums.lagrangian(view, scaled, part.coefficients, bounds);
    const least = Rational.of(integral.rhs.ceil());
    const conclude = (rounded: Fact): number => {
      const whole = new Combination().add(rounded, part.step);
      for (const { member, common } of part.commons) addGroup(whole, this.#sums.groupOf(member), common);
      return this.#goal(reach(whole, objective, bounds).absorbObjective(objective, target));
    };
    if (this.#implied.isIn(part.coefficients)) {
      const below = new Disjunction(negated(part.coefficients), Rational.one.subtract(least));
      const goal = this.#goal(integral.add(below.fact, Rational.one));
      return this.#implied.discharge(below, goal, conclude);
    }
    if (integral.weight.sign() === 0) return conclude(this.#derive("rnd", integral, least, "lower"));
    const above = this.#derivations.assume(part.coefficients, least, "lower");
    const below = this.#derivations.assume(part.coefficients, least.subtract(Rational.one), "upper");
    const first = conclude(above);
    const second = this.#goal(integral.add(below, Rational.one));
    return this.#derivations.unsplit(first, above.line, second, below.line);
  }

  #goal(sum: Combination): number {
    return this.#derivations.goal(this.#implied.settled(sum));
  }

  #derive(rule: "lin" | "rnd", sum: Combination, rhs: Rational, side: Side): Fact {
    return this.#derivations.derive(rule, this.#implied.settled(sum), rhs, side);
  }

  #now(): Bounds {
    return this.#before(Number.POSITIVE_INFINITY);
  }

  #before(time: number): Bounds {
    return {
      value: (column, side) => this.history.before(time, column, side).value,
      fact: (column, side) => {
        const entry = this.history.before(time, column, side);
        entry.fact ??= this.#explain(entry, column, side);
        return entry.fact;
      },
    };
  }

  #explain(entry: BoundEntry, column: number, side: Side): Fact {
    const { value, cause, time, owner } = entry;
    if (value === null || cause.kind === "given") {
      throw new Error(`"${this.#program.columns[column]?.name}" has no ${side} bound that a proof could use`);
    }
    const one = unit(column, Rational.one);
    if (cause.kind === "branch") {
      owner.assumption = this.#implied.has(column)
        ? this.#implied.bound(column, value, side).fact
        : this.#derivations.assume(one, value, side);
      return owner.assumption;
    }
    const bounds = this.#before(time);
    const signed = side === "lower" ? value : value.negate();
    if (cause.kind === "rounded") {
      const given = new Combination().add(bounds.fact(column, side), Rational.one);
      return this.#derive("rnd", given, signed, side);
    }
    const integer = this.#integer[column] === true;
    if (cause.kind === "propagate") {
      const { sum, row } = this.#propagated(cause.view, column, side, value, bounds);
      if (this.#implied.has(column)) return this.#besideRow(entry, column, side, row, bounds);
      if (!integer) return this.#derive("lin", sum, signed, side);
      if (sum.weight.sign() === 0) return this.#derive("rnd", sum, signed, side);
      return this.#split(entry, one, value, side, (other) => this.#goal(sum.add(other, Rational.one)));
    }
    const { view, multipliers } = cause;
    const objective = this.#objective;
    if (integer) {
      const close = (other: Fact): number => {
        const opposite = oppositeOf(value, side);
        const beyond = replaceBound(bounds, column, opposite.side, opposite.value, other);
        const target = this.#target as Rational;
        // Most of what is fixed is fixed with room to spare: multipliers of few digits show it as well.
        for (const digits of this.#isBoxed ? BINARY_DIGITS : []) {
          const coarse = this.#sums.lagrangian(view, rounded(multipliers, digits), objective, beyond);
          if (coarse.absurd) return this.#goal(coarse.sum);
          if (coarse.sum.absorbObjective(objective, target).rhs.sign() >= 0) return this.#goal(coarse.sum);
        }
        const { sum, absurd } = this.#sums.lagrangian(view, multipliers, objective, beyond);
        return this.#goal(absurd ? sum : sum.absorbObjective(objective, target));
      };
      return this.#implied.has(column)
        ? this.#splitImplied(entry, column, value, side, close)
        : this.#split(entry, one, value, side, close);
    }
    const { sum } = this.#sums.lagrangian(view, multipliers, objective, bounds, column);
    sum.absorbObjective(objective, this.#target as Rational);
    const cost = sum.coefficients.get(column) as Rational;
    return this.#derive("lin", sum.scaled(Rational.one.divide(cost.absolute())), signed, side);
  }

  /** Assumes `form ≥ value` (side `lower`; `upper`: ≤), to be discharged by closing the opposite when the owner closes. */
  #split(
    { time, owner }: { readonly time: number; readonly owner: Node },
    form: Coefficients,
    value: Rational,
    side: Side,
    close: (opposite: Fact) => number,
  ): Fact {
    const assumed = this.#derivations.assume(form, value, side);
    owner.splits.push({
      time,
      discharge: (goal) => {
        if (!this.#derivations.restsOn(goal, assumed.line)) return goal;
        const opposite = oppositeOf(value, side);
        const other = this.#derivations.assume(form, opposite.value, opposite.side);
        return this.#derivations.unsplit(goal, assumed.line, close(other), other.line);
      },
    });
    return assumed;
  }

  /** The same of an implied integer. */
  #splitImplied(
    { time, owner }: BoundEntry,
    column: number,
    value: Rational,
    side: Side,
    close: (opposite: Fact) => number,
  ): Fact {
    const implied = this.#implied;
    if (implied.canAssume(column, side)) {
      const assumed = implied.bound(column, value, side);
      owner.splits.push({ time, discharge: (goal) => implied.discharge(assumed, goal, close) });
      return assumed.fact;
    }
    const opposite = oppositeOf(value, side);
    const other = implied.bound(column, opposite.value, opposite.side);
    const closed = close(other.fact);
    const [found, ...more] = implied.casesOf(other, closed);
    if (found === undefined || more.length > 0) throw implied.unsupported(column);
    const fact = implied.opposite(other, found);
    const discharge = (goal: number) => this.#derivations.unsplit(goal, fact.line, closed, found.assumption.line);
    owner.splits.push({ time, discharge });
    return fact;
  }

  /** An implied integer's bound: the rest of a row is an integer form of integers, which can be rounded. */
  #besideRow(entry: BoundEntry, column: number, side: Side, row: Combination, bounds: Bounds): Fact {
    const value = entry.value as Rational;
    const [sign, signed] = side === "lower" ? ([1n, value] as const) : ([-1n, value.negate()] as const);
    const form = difference(unit(column, Rational.of(sign)), row.coefficients);
    const sum = reach(new Combination(), form, bounds);
    const rhs = signed.subtract(row.rhs);
    const rest =
      sum.weight.sign() === 0
        ? this.#derive("rnd", sum, rhs, "lower")
        : this.#split(entry, form, rhs, "lower", (other) => this.#goal(sum.add(other, Rational.one)));
    return this.#implied.beside(column, signed, side, rest, row);
  }

  /** States `part ≥ rhs` (side `lower`) or `part ≤ −rhs`, which a row says of its integers. */
  #roundedRow(origin: Origin, part: IntegralPart, sum: Combination, rhs: Rational, side: Side): Fact {
    if (sum.weight.sign() === 0) return this.#derive("rnd", sum, rhs, side);
    const value = side === "lower" ? rhs : rhs.negate();
    return this.#split(origin, part.coefficients, value, side, (opposite) =>
      this.#goal(sum.add(opposite, Rational.one)),
    );
  }

  /** A row of the view whose other columns leave this one no more than the bound. */
  #propagated(
    view: View,
    column: number,
    side: Side,
    value: Rational,
    bounds: Bounds,
  ): { readonly sum: Combination; readonly row: Combination } {
    const integer = this.#integer[column] === true;
    for (const r of this.#rowsOf[column] as readonly number[]) {
      const viewRow = view.rows.get(r);
      const k = viewRow?.form.columns.findIndex((j) => view.columns[j] === column) ?? -1;
      if (viewRow === undefined || k === -1) continue;
      const coefficient = Rational.of(viewRow.form.coefficients[k] as bigint, viewRow.form.denominator);
      const rowSide = coefficient.sign() > 0 === (side === "lower") ? "lower" : "upper";
      const slack = this.#sums.slack(view, viewRow, rowSide, bounds, column);
      if (slack === null) continue;
      // side lower: x ≥ −slack / |a|; side upper: x ≤ slack / |a|.
      const limit = slack.divide(coefficient.absolute());
      const reached = integer ? Rational.of(limit.floor()) : limit;
      if (reached.compare(side === "lower" ? value.negate() : value) > 0) continue;
      const row = new Combination();
      this.#sums.addRow(row, view, r, rowSide, Rational.one.divide(coefficient.absolute()));
      return { row, sum: reach(row.copy(), unit(column, Rational.of(side === "lower" ? 1n : -1n)), bounds) };
    }
    throw new Error(`no row explains a propagated bound of "${this.#program.columns[column]?.name}"`);
  }
}
