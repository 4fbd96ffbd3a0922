import { Rational } from "../../../exact/rational.js";
import { explicitPart } from "../../../program/ladder/explicit.js";
import { columnOf, firstRungs, type Ladder } from "../../../program/ladder/ladder.js";
import type { Stretch } from "../../../program/ladder/stretch.js";
import type { Column } from "../../../program/program.js";
import { CertificateError, type NamedMultipliers, readNumber, type Step } from "../../certificate.js";
import { type LadderBound, ladderBound } from "../../kernel/ladder/bound.js";
import { decidedStretches } from "../../kernel/ladder/fix.js";
import { banTiers, type LadderNode, rootNode, withAuxiliary } from "../../kernel/ladder/node.js";
import { type Surroundings, Walk } from "../program/tree.js";

/**
 * A walk through the steps of a certificate of a ladder. Branchings on auxiliaries, propagation and bounds work on the
 * ladder as it is, at a cost of a few bisections; a `fix` decides whole stretches, and what it leaves open is written
 * out column by column and walked as any program. A step that the ladder as it is has no short way for (a branching on
 * a single rung, an exchange, multipliers of a rung's own row, a propagation other than right after a branching on an
 * auxiliary) has the whole node written out.
 *
 * The steps mean what they mean for the program written out, except that a `fix` here leaves a rung open that it cannot
 * decide whole: it never fixes more.
 */
export class LadderWalk {
  readonly #ladder: Ladder;
  /** The claimed bound, `null` for a claim of infeasibility. */
  readonly #target: Rational | null;
  readonly #checkTime: () => void;
  readonly #rows: ReadonlyMap<string, number>;
  readonly #auxiliaries: ReadonlyMap<string, number>;
  /** The upper halves of branchings still to be visited; `null`: it holds no point that matters. */
  readonly #pending: (LadderNode | null)[] = [];
  /** The current node; `null` where it is known to hold no point that matters. */
  #node: LadderNode | null;
  #open = true;
  /** The step before was a branching on an auxiliary. */
  #isBranched = false;

  constructor(ladder: Ladder, target: Rational | null, checkTime: () => void = () => {}) {
    this.#ladder = ladder;
    this.#target = target;
    this.#checkTime = checkTime;
    this.#rows = new Map(ladder.rows.map(({ name }, index) => [name, index]));
    this.#auxiliaries = new Map(ladder.auxiliaries.map(({ name }, index) => [name, index]));
    this.#node = rootNode(ladder);
  }

  /** Takes steps, from the one at `from` on, until every node is closed; returns the index of the next step. */
  run(steps: readonly Step[], from: number): number {
    let index = from;
    while (this.#open) {
      this.#checkTime();
      const step = steps[index];
      const number = index + 1;
      if (step === undefined) {
        throw new CertificateError(number, `missing: ${this.#pending.length + 1} nodes are still open`);
      }
      index = this.#take(step, number) ? index + 1 : this.#writtenOut(steps, index);
    }
    return index;
  }

  /** Takes one step; `false` when it is for the node written out. */
  #take(step: Step, number: number): boolean {
    if ("branch" in step) {
      const auxiliary = this.#auxiliaries.get(step.branch);
      if (auxiliary === undefined) return false;
      this.#branch(auxiliary, readNumber(step.at, number), number);
      this.#isBranched = true;
      return true;
    }
    const isBranched = this.#isBranched;
    this.#isBranched = false;
    if ("propagate" in step) {
      if (!isBranched) return false;
      if (this.#node !== null) this.#node = banTiers(this.#ladder, this.#node);
      return true;
    }
    if ("bound" in step && this.#hasRows(step.bound)) this.#closeByBound(step.bound, number);
    else if ("infeasible" in step && this.#hasRows(step.infeasible)) {
      this.#closeByInfeasibility(step.infeasible, number);
    } else return false;
    return true;
  }

  #hasRows(named: NamedMultipliers): boolean {
    return Object.keys(named).every((name) => this.#rows.has(name));
  }

  #branch(index: number, at: Rational, step: number): void {
    const { name, integer } = this.#ladder.auxiliaries[index] as Column;
    if (!integer) throw new CertificateError(step, `column "${name}" is not an integer`);
    if (!at.isInteger()) throw new CertificateError(step, `a branching needs an integer, ${at} is there`);
    const node = this.#node;
    if (node === null) {
      this.#pending.push(null);
      return;
    }
    const { lower, upper } = node.auxiliaries[index] as Column;
    const above = at.add(Rational.one);
    const upperHalf = lower === null || above.compare(lower) > 0 ? above : lower;
    this.#pending.push(withAuxiliary(node, index, upperHalf, upper));
    this.#node = withAuxiliary(node, index, lower, upper === null || at.compare(upper) < 0 ? at : upper);
  }

  #closeByBound(named: NamedMultipliers, step: number): void {
    const multipliers = this.#resolve(named, step);
    const node = this.#node;
    if (node !== null) {
      const { bound, infeasible } = this.#bound(node, multipliers, "bound", step);
      if (!infeasible) {
        if (this.#target === null) {
          throw new CertificateError(step, "the node was claimed infeasible, a bound does not show it");
        }
        if (bound === null)
          throw new CertificateError(step, "the multipliers leave a free column with a cost: no bound");
        if (bound.compare(this.#target) < 0) {
          throw new CertificateError(
            step,
            `the multipliers prove ${bound.toNumber()}, below the claim of ${this.#target.toNumber()}`,
          );
        }
      }
    }
    this.#close();
  }

  #closeByInfeasibility(named: NamedMultipliers, step: number): void {
    const multipliers = this.#resolve(named, step);
    const node = this.#node;
    if (node !== null) {
      const { bound, infeasible } = this.#bound(node, multipliers, "infeasibility", step);
      if (!infeasible && (bound === null || bound.sign() <= 0)) {
        throw new CertificateError(step, "the multipliers do not show that the node is infeasible");
      }
    }
    this.#close();
  }

  #close(): void {
    const next = this.#pending.pop();
    if (next === undefined) this.#open = false;
    else this.#node = next;
  }

  /** Walks the current node column by column until it is closed; returns the index of the next step. */
  #writtenOut(steps: readonly Step[], index: number): number {
    const ladder = this.#ladder;
    const step = steps[index] as Step;
    const node = this.#node;
    const isFix = "fix" in step;
    const decided = isFix ? this.#fix(step.fix, step.cutoff, index + 1) : [];
    const part =
      decided === null || node === null
        ? explicitPart(ladder, { ...rootNode(ladder), decided: wholeRails(ladder) })
        : explicitPart(ladder, { ...node, decided });
    const around = surroundings(ladder, decided ?? wholeRails(ladder));
    const walk = new Walk(part.program, this.#target, { around, checkTime: this.#checkTime });
    const next = walk.run(steps, isFix ? index + 1 : index, decided === null || node === null);
    this.#close();
    return next;
  }

  /** What a `fix` decides; `null` where the node holds no point that matters. */
  #fix(named: NamedMultipliers, own: string | undefined, step: number): readonly Stretch[] | null {
    if (this.#target === null) throw new CertificateError(step, "a proof of infeasibility has no cutoff to fix by");
    const cutoff = own === undefined ? this.#target : readNumber(own, step);
    if (cutoff.compare(this.#target) < 0) {
      throw new CertificateError(step, `a cutoff of ${cutoff.toNumber()} is below the claim`);
    }
    const multipliers = this.#resolve(named, step);
    if (this.#node === null) return null;
    const result = this.#bound(this.#node, multipliers, "bound", step);
    if (result.infeasible || (result.bound !== null && result.bound.compare(this.#target) >= 0)) return null;
    return decidedStretches(this.#ladder, this.#node, result, cutoff);
  }

  #bound(
    node: LadderNode,
    multipliers: ReadonlyMap<number, Rational>,
    purpose: "bound" | "infeasibility",
    step: number,
  ): LadderBound {
    try {
      return ladderBound(this.#ladder, node, multipliers, purpose);
    } catch (error) {
      if (error instanceof RangeError) throw new CertificateError(step, error.message);
      throw error;
    }
  }

  #resolve(named: NamedMultipliers, step: number): ReadonlyMap<number, Rational> {
    const multipliers = new Map<number, Rational>();
    for (const [name, value] of Object.entries(named)) {
      const row = this.#rows.get(name);
      if (row === undefined) throw new CertificateError(step, `there is no row "${name}" in "${this.#ladder.name}"`);
      multipliers.set(row, readNumber(value, step));
    }
    return multipliers;
  }
}

/** Every unit decided: what is left where nothing matters any more. */
function wholeRails({ rails }: Ladder): readonly Stretch[] {
  return rails.flatMap(({ units }, rail) => (units.length === 0 ? [] : [{ rail, from: 0, to: units.length, tier: 0 }]));
}

/** What the names of decided rungs and of banned tiers stand for. */
function surroundings(ladder: Ladder, decided: readonly Stretch[]): Surroundings {
  const first = firstRungs(ladder);
  const find = (rung: number): { stretch: Stretch | undefined; rail: number } => {
    const rail = first.findLastIndex((start) => start <= rung);
    const local = rung - (first[rail] as number);
    return { rail, stretch: decided.find((one) => one.rail === rail && one.from <= local && local < one.to) };
  };
  return {
    valueOf: (name) => {
      const column = columnOf(ladder, name);
      if (column === null) return undefined;
      const { stretch, rail } = find(column.rung);
      if (stretch?.tier !== column.tier) return Rational.zero;
      const units = ladder.rails[rail]?.units[column.rung - (first[rail] as number)] as number;
      return Rational.of(BigInt(units));
    },
    isSatisfied: (name) => {
      const rung = /^class_(0|[1-9]\d*)$/.exec(name)?.[1];
      return rung !== undefined && Number(rung) < (first.at(-1) as number) && find(Number(rung)).stretch !== undefined;
    },
  };
}
