import { Rational } from "../exact/rational.js";
import type { LinearForm, Program } from "../program/program.js";
import type { Multipliers } from "../proof/kernel/bound.js";
import { formLattice } from "../proof/kernel/lattice.js";
import { localIndex, type View, type ViewRow } from "../proof/kernel/view.js";
import { type Coefficients, Combination, type Fact } from "./combination.js";
import { type IntegralPart, integralPart } from "./integral-part.js";
import type { Fixing, Node } from "./node.js";
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
  wholeFactor,
} from "./sums.js";

/** When something was said, and in which node. */
export interface Since {
  readonly time: number;
  readonly owner: Node;
}

/** When and in which node a view was made, and of which other; `null`: it is the program's own. */
export interface Origin extends Since {
  readonly from: View | null;
}

/** What is stated while rows are added up. */
interface Making {
  /** The bounds as they were before a moment. */
  readonly before: (time: number) => Bounds;
  /** States `part ≥ rhs` (side `lower`) or `part ≤ −rhs`, where the sum says so of integers. */
  readonly rounded: (origin: Since, part: Coefficients, sum: Combination, rhs: Rational, side: Side) => Fact;
  /** What a cut states. */
  readonly cut: (index: number) => Fact;
  /** What a sum says, by a line of its own where that is shorter than the sum. */
  readonly stated: (sum: Combination) => Fact;
}

/** A sum of rows and facts beside them. */
type Summed = Pick<Fixing, "view" | "multipliers" | "facts">;

/** The row that says that the objective is below the target, beside those of the program. */
const CUTOFF = -1;

/** What is known of a view: its columns by program column, its groups, and the sides of its rows. */
interface Known {
  readonly local: Int32Array;
  readonly groups: readonly GroupFact[];
  readonly sides: Map<string, Fact>;
  readonly bases: Map<string, Base>;
}

/** A sum of the cutoff and rows of a view, which many steps take with the same multipliers. */
interface Base {
  readonly whole: Fact;
  /** Bounds of the view that the sum's least value rests on. */
  readonly rests: readonly (readonly [column: number, side: Side, value: Rational | null])[];
  readonly kept: Set<number>;
  /** What the sum says of the columns kept, the others at the view's bounds. */
  fact: Fact | null;
}

/**
 * Sums of the rows of views. A row's side in a view is stated over the view's open columns: that of the view it was made of,
 * with the bounds of the columns fixed since, rounded to what its integers can reach. So what is said far down in the tree is
 * as long as what is open there.
 */
export class RowSums {
  readonly #groups: readonly GroupFact[];
  readonly #program: Program;
  readonly #facts: Pick<Problem, "rows">;
  readonly #cutoff: Fact | null;
  readonly #make: Making;
  readonly #groupOf: ReadonlyMap<number, GroupFact>;
  readonly #origins = new WeakMap<View, Origin>();
  readonly #known = new WeakMap<View, Known>();

  constructor(program: Program, facts: Pick<Problem, "rows">, cutoff: Fact | null, root: View, make: Making) {
    this.#program = program;
    this.#facts = facts;
    this.#cutoff = cutoff;
    this.#make = make;
    const equations = new Map<number, number>();
    program.rows.forEach(({ form, lower, upper }, r) => {
      const isEquation = lower?.isInteger() === true && upper?.equals(lower) === true && form.denominator === 1n;
      const first = form.columns[0];
      if (isEquation && first !== undefined && !equations.has(first) && isGroup(form, root)) equations.set(first, r);
    });
    this.#groups = root.groups.map(({ members, total }) => {
      const r = equations.get(members[0] as number) as number;
      const { lower, upper } = facts.rows;
      return { members, total: Rational.of(total), atLeast: lower[r] as Fact, atMost: upper[r] as Fact };
    });
    this.#groupOf = new Map(this.#groups.flatMap((group) => group.members.map((j) => [j, group] as const)));
  }

  introduce(view: View, origin: Origin): void {
    this.#origins.set(view, origin);
  }

  groupOf(member: number): GroupFact | undefined {
    return this.#groupOf.get(member);
  }

  /** The open columns of a column's group in a view, or itself where it has none. */
  #unitOf(view: View, column: number): readonly number[] {
    const { local } = this.#knownOf(view);
    return this.#groupOf.get(column)?.members.filter((j) => local[j] !== -1) ?? [column];
  }

  /** A group of the view that the bounds break, and on which side. */
  broken(view: View, bounds: Bounds): Combination | null {
    for (const group of this.#knownOf(view).groups) {
      const side = brokenSide(group, bounds);
      if (side !== null) return addBrokenGroup(new Combination(), group, side, bounds);
    }
    return null;
  }

  /** Rows of the view times multipliers, added to a sum. */
  priced(view: View, multipliers: Multipliers, sum = new Combination()): Combination {
    for (const [r, y] of multipliers) {
      if (y.sign() === 0 || !(view.rows.has(r) || view.cuts.has(r))) continue;
      sum.add(this.side(view, r, y.sign() > 0 ? "lower" : "upper"), y.absolute());
    }
    return sum;
  }

  /**
   * The cutoff and rows times multipliers, over the columns asked for and those whose bounds say more than they did when the view
   * was made: the others are at those, so that steps with the same multipliers share what all of them rest on. Where that
   * says too little: over all columns.
   */
  *based({ view, multipliers, facts }: Summed, bounds: Bounds, asked: readonly number[]): Generator<Fact> {
    const { bases } = this.#knownOf(view);
    const beside = facts();
    const key = [...multipliers, ...beside.map(({ line }) => line)].join(" ");
    const base = bases.get(key) ?? this.#baseOf(view, multipliers, beside);
    bases.set(key, base);
    const moved = base.rests.filter(([column, side, value]) => bounds.value(column, side) !== value);
    for (const column of [...asked, ...moved.map(([column]) => column)].flatMap((j) => this.#unitOf(view, j))) {
      if (base.kept.has(column)) continue;
      base.kept.add(column);
      base.fact = null;
    }
    const own = this.#make.before(this.#originOf(view).time);
    base.fact ??= this.without(base.whole, (column) => base.kept.has(column), own, true);
    yield base.fact;
    yield base.whole;
  }

  /** A fact's columns, by groups. */
  unitsIn(view: View, { coefficients }: Fact): readonly (readonly number[])[] {
    const units = [...coefficients.keys()].map((column) => this.#unitOf(view, column));
    return [...new Map(units.map((unit) => [unit[0], unit] as const)).values()];
  }

  /** That the objective is below the target, in a view. */
  cutoff(view: View): Combination {
    return new Combination().add(this.side(view, CUTOFF, "lower"), Rational.one);
  }

  #baseOf(view: View, multipliers: Multipliers, facts: readonly Fact[]): Base {
    const sum = this.priced(view, multipliers, this.cutoff(view));
    for (const fact of facts) sum.add(fact, Rational.one);
    const whole = sum.asFact();
    const own = this.#make.before(this.#originOf(view).time);
    const costs = negated(whole.coefficients);
    const rests: [number, Side, Rational | null][] = [];
    const rest = (column: number, cost: Rational): void => {
      // What is cheapest in a group goes up to its upper bound.
      const side = cost.sign() > 0 ? "lower" : "upper";
      rests.push([column, side, own.value(column, side)]);
    };
    const groups = new Set<GroupFact>();
    for (const [column, cost] of costs) {
      const group = this.#groupOf.get(column);
      if (group === undefined) rest(column, cost);
      else groups.add(group);
    }
    for (const group of groups) {
      const price = groupPrice(group, costs, own);
      for (const j of group.members) rest(j, (costs.get(j) ?? Rational.zero).subtract(price));
    }
    return { whole, rests, kept: new Set(), fact: null };
  }

  /** The inequality behind `lagrangianBound`: wanted · x ≥ its bound. `absurd`: a group is broken instead. */
  lagrangian(view: View, multipliers: Multipliers, wanted: Coefficients, bounds: Bounds, start?: Combination) {
    const broken = this.broken(view, bounds);
    if (broken !== null) return { sum: broken, absurd: true };
    return { sum: this.settled(this.priced(view, multipliers, start), wanted, bounds), absurd: false };
  }

  /** What a fact says of the columns kept, whatever the others are; `grouped`: with groups in the sum, which says most. */
  without(fact: Fact, isKept: (column: number) => boolean, bounds: Bounds, grouped: boolean): Fact {
    const kept = new Map<number, Rational>();
    for (const [column, coefficient] of fact.coefficients) if (isKept(column)) kept.set(column, coefficient);
    if (kept.size === fact.coefficients.size) return fact;
    const sum = new Combination().add(fact, Rational.one);
    return this.#make.stated(grouped ? this.settled(sum, kept, bounds) : reach(sum, kept, bounds));
  }

  /** A sum with groups and bounds added until its coefficients are the wanted ones, so that it says most. */
  settled(sum: Combination, wanted: Coefficients, bounds: Bounds): Combination {
    const costs = difference(wanted, sum.coefficients);
    const groups = new Set<GroupFact>();
    for (const column of costs.keys()) {
      const group = this.#groupOf.get(column);
      if (group !== undefined) groups.add(group);
    }
    for (const group of groups) addGroup(sum, group, groupPrice(group, costs, bounds));
    return reach(sum, wanted, bounds);
  }

  /** The most that a row can be above its side, and how many of its columns have no bound there, which count as zero. */
  most(view: View, row: ViewRow, side: Side, bounds: Bounds): { readonly slack: Rational; readonly endless: number } {
    let most = Rational.zero;
    let endless = 0;
    for (let k = 0; k < row.form.columns.length; k++) {
      const column = view.columns[row.form.columns[k] as number] as number;
      const coefficient = row.form.coefficients[k] as bigint;
      const bound = bounds.value(column, coefficient > 0n === (side === "lower") ? "upper" : "lower");
      if (bound === null) endless++;
      else most = most.add(bound.multiply(Rational.of(coefficient)));
    }
    const slack = most.divide(Rational.of(row.form.denominator)).subtract(row[side] as Rational);
    return { slack: side === "lower" ? slack : slack.negate(), endless };
  }

  /** A side of a view's row, exactly the view's. */
  side(view: View, r: number, side: Side): Fact {
    if (r >= this.#program.rows.length) return this.#make.cut(r);
    const key = `${side}${r}`;
    const chain: View[] = [];
    // From the outermost view inwards, so that calls do not nest as deep as views do.
    for (let at: View | null = view; at !== null && !this.#knownOf(at).sides.has(key); at = this.#originOf(at).from) {
      chain.push(at);
    }
    for (const at of chain.reverse()) this.#knownOf(at).sides.set(key, this.#restated(at, r, side));
    return this.#knownOf(view).sides.get(key) as Fact;
  }

  /** What a view's row says of some integer columns, the others at their bounds, as an inequality of integers. */
  within(
    origin: Since,
    view: View,
    row: number,
    side: Side,
    own: ReadonlySet<number>,
    bounds: Bounds,
  ): readonly Fact[] {
    const fact = this.without(this.side(view, row, side), (column) => own.has(column), bounds, false);
    if (fact.coefficients.size === 0) return [];
    const sum = new Combination().add(fact, wholeFactor(fact.coefficients));
    const rhs = Rational.of(sum.weight.sign() === 0 ? sum.rhs.ceil() : sum.rhs.floor() + 1n);
    return [this.#make.rounded(origin, new Map(sum.coefficients), sum, rhs, "lower")];
  }

  #restated(view: View, r: number, side: Side): Fact {
    const origin = this.#originOf(view);
    const { from, time } = origin;
    if (from !== null && from.columns === view.columns) return this.side(from, r, side);
    const given = r === CUTOFF ? this.#cutoff : this.#facts.rows[side][r];
    const outer = from === null ? (given as Fact) : this.side(from, r, side);
    const { local } = this.#knownOf(view);
    const bounds = this.#make.before(time);
    const own = this.without(outer, (column) => local[column] !== -1, bounds, false);
    const sign = side === "lower" ? Rational.one : Rational.one.negate();
    const form = r === CUTOFF ? negative(view.objective) : (view.rows.get(r) as ViewRow).form;
    const lattice = formLattice(form, view.integer, view.groups, view.groupOf);
    if (lattice === null) return own;
    const beyond = own.rhs.subtract(lattice.offset.multiply(sign));
    const isStrict = r === CUTOFF && own.weight.sign() > 0;
    const { step } = lattice;
    // Before any longer sum: mostly the side is one of the values that the form can have.
    if (step.sign() === 0 ? beyond.sign() >= 0 : beyond.divide(step).isInteger() && !isStrict) return own;
    const part = integralPart(form, view, lattice);
    if (step.sign() === 0) {
      // The groups alone say what the form is.
      return reach(this.#addCommons(new Combination(), part, sign), own.coefficients, bounds).asFact();
    }
    const share = Rational.one.divide(step);
    const sum = this.#addCommons(new Combination().add(own, share), part, sign.multiply(share).negate());
    reach(sum, side === "lower" ? part.coefficients : negated(part.coefficients), bounds);
    const rhs = Rational.of(isStrict ? sum.rhs.floor() + 1n : sum.rhs.ceil());
    const rounded = new Combination().add(this.#make.rounded(origin, part.coefficients, sum, rhs, side), part.step);
    return reach(this.#addCommons(rounded, part, sign), own.coefficients, bounds).asFact();
  }

  #addCommons(sum: Combination, { commons }: IntegralPart, multiplier: Rational): Combination {
    for (const { member, common } of commons) {
      addGroup(sum, this.#groupOf.get(member) as GroupFact, common.multiply(multiplier));
    }
    return sum;
  }

  #originOf(view: View): Origin {
    return this.#origins.get(view) as Origin;
  }

  #knownOf(view: View): Known {
    let known = this.#known.get(view);
    if (known === undefined) {
      const first = view.groups.map(({ members }) => view.columns[members[0] ?? -1]);
      // A group that is used up has no member to be found by.
      const groups = first.includes(undefined)
        ? this.#groups
        : first.map((member) => this.#groupOf.get(member as number) as GroupFact);
      known = { local: localIndex(view, this.#program.columns.length), groups, sides: new Map(), bases: new Map() };
      this.#known.set(view, known);
    }
    return known;
  }
}

/** Whether an equation is one of the view's groups. */
function isGroup({ columns, coefficients }: LinearForm, { groups, groupOf }: View): boolean {
  const members = groups[groupOf[columns[0] as number] as number]?.members;
  return (
    members?.length === columns.length &&
    coefficients.every((coefficient) => coefficient === 1n) &&
    columns.every((column, k) => column === members[k])
  );
}

function negative(form: LinearForm): LinearForm {
  return { ...form, coefficients: form.coefficients.map((coefficient) => -coefficient) };
}
