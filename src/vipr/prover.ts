import { Rational } from "../exact/rational.js";
import { coefficientAt, type Program } from "../program/program.js";
import { type BoundResult, lagrangianBound, type Multipliers } from "../proof/kernel/bound.js";
import type { Box, View } from "../proof/kernel/view.js";
import { blockFact, blockLemma, blockUnsupported, type ClaimedBlock } from "./blocks.js";
import { type Coefficients, Combination, Disjunction, type Fact, unit } from "./combination.js";
import { Cuts, type StatedCut, type StatedKnapsack } from "./cuts.js";
import type { Derivations } from "./derivations.js";
import { Fixings } from "./fixings.js";
import { ImpliedIntegers } from "./implied.js";
import { type BoundEntry, BoundHistory, type Node } from "./node.js";
import { negated, objectiveOf, oppositeOf, type Problem, type Side } from "./problem.js";
import { RowSums, type Since } from "./row-sums.js";
import { type Bounds, boundsBy, difference, reach } from "./sums.js";

const NOTHING: Coefficients = new Map();
const SIDES = ["lower", "upper"] as const;

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
  /** That the objective is below the target, as an inequality of weight 1; `null` where infeasibility is to be shown. */
  readonly #cutoff: Fact | null;
  readonly #root: View;
  readonly #sums: RowSums;
  readonly #cuts: Cuts;
  /** By column: the rows that it is in, with its coefficient. */
  readonly #rowsOf: readonly (readonly [row: number, coefficient: Rational])[][];
  readonly #fixings: Fixings;

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
    this.#root = root;
    const below = { coefficients: negated(this.#objective), weight: Rational.one, line: -1, negated: false };
    const source = { multipliers: new Map(), sources: [] };
    this.#cutoff = target === null ? null : { ...below, rhs: target.negate(), source };
    this.#rowsOf = program.columns.map(() => []);
    program.rows.forEach(({ form }, r) => {
      form.columns.forEach((column, k) => {
        this.#rowsOf[column]?.push([r, coefficientAt(form, k)]);
      });
    });
    this.#cuts = new Cuts(derivations, this.#implied);
    this.#sums = new RowSums(program, facts, this.#cutoff, root, {
      before: (time) => this.#before(time),
      rounded: (origin, form, sum, rhs, side) => this.#whole(origin, form, sum, rhs, side),
      cut: (index) => this.#cuts.fact(index, this.#sums),
      stated: (sum) => this.#stated(sum),
    });
    this.#fixings = new Fixings(this.#sums, root.integer, (time) => this.#before(time));
  }

  /** Says when and in which node a view was made: its substituted columns have the bounds of that moment. */
  introduce(view: View, owner: Node, from: View | null): void {
    this.#sums.introduce(view, { time: this.history.tick(), owner, from });
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
    const [whole] = source?.sources[0] ?? [];
    if (whole === undefined) return this.#derivations.restsOn(goal, line) ? { line, opposite: null } : null;
    const [found] = this.#implied.casesOf(whole, goal);
    return found === undefined ? null : { line: found.assumption.line, opposite: this.#implied.opposite(whole, found) };
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
    const broken = this.#sums.broken(view, bounds);
    if (broken !== null) return this.#goal(broken);
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
        const { slack, endless } = this.#sums.most(view, row, side, bounds);
        if (endless > 0) continue;
        const alone: Multipliers = new Map([[r, Rational.of(side === "lower" ? 1n : -1n)]]);
        // Without groups the slack says all that the multiplier does, from the row's own columns.
        if (slack.sign() < 0 || (isGrouped && breaks(alone))) {
          return this.#goal(this.#sums.lagrangian(view, alone, NOTHING, bounds).sum);
        }
      }
      const isRange = SIDES.every((side) => this.#facts.rows[side][r] !== null);
      if (isRange && row.lower !== null && row.upper !== null && row.lower.compare(row.upper) > 0) {
        const sum = new Combination();
        for (const side of SIDES) sum.add(this.#sums.side(view, r, side), Rational.one);
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
    // Where nothing is fixed yet, the objective itself may be enough.
    for (const below of view === this.#root ? [this.#cutoff as Fact] : []) {
      const { sum } = this.#sums.lagrangian(
        view,
        multipliers,
        NOTHING,
        bounds,
        new Combination().add(below, Rational.one),
      );
      if (sum.rhs.sign() >= 0) return this.#goal(sum);
    }
    for (const fact of this.#sums.based({ view, multipliers, facts: () => [] }, bounds, [])) {
      const sum = this.#sums.settled(new Combination().add(fact, Rational.one), NOTHING, bounds);
      if (sum.rhs.sign() >= (sum.weight.sign() > 0 ? 0 : 1)) return this.#goal(sum);
    }
    throw new Error("multipliers of a checked certificate do not reach its claim");
  }

  /** The goal from multipliers and what blocks of rows are at least. */
  closeByBlocks(
    view: View,
    multipliers: Multipliers,
    purpose: "bound" | "infeasibility",
    facts: () => readonly Fact[],
  ) {
    const found = this.contradiction(view, false);
    if (found !== null) return found;
    const start = purpose === "bound" ? this.#sums.cutoff(view) : new Combination();
    const sum = this.#sums.priced(view, multipliers, start);
    for (const fact of facts()) sum.add(fact, Rational.one);
    return this.#goal(this.#sums.settled(sum, NOTHING, this.#now()));
  }

  /** What blocks of a node are at least; said when it is asked for, of the bounds of this moment. */
  blockFacts(node: Node, blocks: readonly ClaimedBlock[], rest: BoundResult): () => readonly Fact[] {
    const { view } = node;
    const origin = { time: this.history.tick(), owner: node };
    let facts: readonly Fact[] | null = null;
    return () => {
      const bounds = this.#before(origin.time);
      facts ??= blocks.flatMap((block) => {
        if (block.columns.some((j) => this.#implied.has(view.columns[j] as number))) throw blockUnsupported();
        const lemma = blockLemma(block, rest, view, origin, this.#sums, bounds);
        return lemma.form.size === 0 && lemma.least.sign() <= 0 ? [] : [blockFact(this.#derivations, lemma)];
      });
      return facts;
    };
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
    if (cause.kind === "propagate") {
      const row = this.#propagated(cause.view, column, side, value, bounds);
      if (this.#implied.has(column)) return this.#besideRow(entry, column, side, row, bounds);
      return this.#bounded(
        entry,
        column,
        reach(row, unit(column, Rational.of(side === "lower" ? 1n : -1n)), bounds),
        side,
      );
    }
    const sum = this.#fixings.explained(cause, column, side, value, bounds);
    if (!this.#implied.has(column)) return this.#bounded(entry, column, sum, side);
    return this.#splitImplied(entry, column, value, side, (other) => this.#goal(sum.copy().add(other, Rational.one)));
  }

  /** States a bound, which a sum of the column alone says but for rounding. */
  #bounded(entry: BoundEntry, column: number, sum: Combination, side: Side): Fact {
    const value = entry.value as Rational;
    const signed = side === "lower" ? value : value.negate();
    return this.#integer[column] === true
      ? this.#whole(entry, unit(column, Rational.one), sum, signed, side)
      : this.#derive("lin", sum, signed, side);
  }

  /**
   * States `form ≥ rhs` (side `lower`) or `form ≤ −rhs` of an integer form, where a sum says no less but for rounding; where
   * that is so below the target only, it is assumed, and its opposite reaches the goal.
   */
  #whole(origin: Since, form: Coefficients, sum: Combination, rhs: Rational, side: Side): Fact {
    const close = (other: Fact) => this.#goal(sum.copy().add(other, Rational.one));
    if (this.#implied.isIn(form)) {
      return this.#splitCases(origin, new Disjunction(side === "lower" ? form : negated(form), rhs), close);
    }
    if (sum.weight.sign() === 0) return this.#derive("rnd", sum, rhs, side);
    const value = side === "lower" ? rhs : rhs.negate();
    const assumed = this.#derivations.assume(form, value, side);
    origin.owner.splits.push({
      time: origin.time,
      discharge: (goal) => {
        if (!this.#derivations.restsOn(goal, assumed.line)) return goal;
        const opposite = oppositeOf(value, side);
        const other = this.#derivations.assume(form, opposite.value, opposite.side);
        return this.#derivations.unsplit(goal, assumed.line, close(other), other.line);
      },
    });
    return assumed;
  }

  /** Half of a disjunction as an assumption, to be discharged by closing the other half when the owner closes. */
  #splitCases({ time, owner }: Since, assumed: Disjunction, close: (opposite: Fact) => number): Fact {
    owner.splits.push({ time, discharge: (goal) => this.#implied.discharge(assumed, goal, close) });
    return assumed.fact;
  }

  /** A bound of an implied integer that holds below the target. */
  #splitImplied(
    entry: BoundEntry,
    column: number,
    value: Rational,
    side: Side,
    close: (opposite: Fact) => number,
  ): Fact {
    const implied = this.#implied;
    if (implied.canAssume(column, side)) return this.#splitCases(entry, implied.bound(column, value, side), close);
    const opposite = oppositeOf(value, side);
    const other = implied.bound(column, opposite.value, opposite.side);
    const closed = close(other.fact);
    const [found, ...more] = implied.casesOf(other, closed);
    if (found === undefined || more.length > 0) throw implied.unsupported(column);
    const fact = implied.opposite(other, found);
    const discharge = (goal: number) => this.#derivations.unsplit(goal, fact.line, closed, found.assumption.line);
    entry.owner.splits.push({ time: entry.time, discharge });
    return fact;
  }

  /** An implied integer's bound: the rest of a row is an integer form of integers, which can be rounded. */
  #besideRow(entry: BoundEntry, column: number, side: Side, row: Combination, bounds: Bounds): Fact {
    const value = entry.value as Rational;
    const [sign, signed] = side === "lower" ? ([1n, value] as const) : ([-1n, value.negate()] as const);
    const form = difference(unit(column, Rational.of(sign)), row.coefficients);
    const sum = reach(new Combination(), form, bounds);
    const rhs = signed.subtract(row.rhs);
    return this.#implied.beside(column, signed, side, this.#whole(entry, form, sum, rhs, "lower"), row);
  }

  /** A row of the view whose other columns leave this one no more than the bound. */
  #propagated(view: View, column: number, side: Side, value: Rational, bounds: Bounds): Combination {
    const one = Rational.of(side === "lower" ? 1n : -1n);
    const own = bounds.value(column, side === "lower" ? "upper" : "lower");
    for (const [r, coefficient] of this.#rowsOf[column] as (readonly [number, Rational])[]) {
      const viewRow = view.rows.get(r);
      const rowSide = coefficient.sign() > 0 === (side === "lower") ? "lower" : "upper";
      if (viewRow === undefined || viewRow[rowSide] === null) continue;
      const { slack, endless } = this.#sums.most(view, viewRow, rowSide, bounds);
      if (endless > (own === null ? 1 : 0)) continue;
      const size = coefficient.absolute();
      // side lower: x ≥ own − slack / |a|; side upper: x ≤ own + slack / |a|.
      const limit = (own ?? Rational.zero).multiply(one).subtract(slack.divide(size));
      const reached = this.#integer[column] === true ? Rational.of(limit.ceil()) : limit;
      if (reached.compare(value.multiply(one)) < 0) continue;
      return new Combination().add(this.#sums.side(view, r, rowSide), Rational.one.divide(size));
    }
    throw new Error(`no row explains a propagated bound of "${this.#program.columns[column]?.name}"`);
  }

  /** A sum by a line of its own where it has more lines in it than terms. */
  #stated(sum: Combination): Fact {
    const terms = sum.coefficients.size + (sum.weight.sign() === 0 ? 0 : this.#objective.size);
    const isLonger = sum.multipliers.size > terms && sum.sources.length === 0 && this.#implied.isEmpty;
    return isLonger ? this.#derive("lin", sum, sum.rhs, "lower") : sum.asFact();
  }
}
