import { Rational } from "../../../exact/rational.js";
import type { Interval } from "../../../program/ladder/interval.js";
import type { Ladder } from "../../../program/ladder/ladder.js";
import type { Column } from "../../../program/program.js";
import type { Step } from "../../certificate.js";
import { CertificateError, type NamedMultipliers, readNumber, within } from "../../grammar.js";
import { type LadderBound, ladderBound } from "../../kernel/ladder/bound.js";
import { decidedIntervals } from "../../kernel/ladder/fix.js";
import { banTiers, type LadderNode, rootNode, withAuxiliary } from "../../kernel/ladder/node.js";
import { type BoundedTree, bound, infeasible } from "../program/bound.js";
import type { BranchStep } from "../program/branch.js";
import type { FixStep } from "../program/fix.js";
import type { OpenNodes } from "../rule.js";

/**
 * The branching tree of a proof about a ladder, while its steps are taken: a compact view of the program written out, on which some
 * steps are taken at a cost of a few bisections. What they mean, and why, is said at the rules about a program.
 */
export class LadderTree implements OpenNodes, BoundedTree {
  readonly ladder: Ladder;
  readonly target: Rational | null;
  readonly checkTime: () => void;
  readonly #auxiliaries: ReadonlyMap<string, number>;
  readonly #rows: ReadonlyMap<string, number>;
  /** The upper halves of branchings still to be visited; `null`: it holds no point that matters. */
  readonly #pending: (LadderNode | null)[] = [];
  /** The current node; `null` where it is known to hold no point that matters. */
  #node: LadderNode | null;
  /** The step before was a branching on an auxiliary. */
  #isBranched = false;
  #isOpen = true;

  constructor(ladder: Ladder, target: Rational | null, checkTime: () => void) {
    this.ladder = ladder;
    this.target = target;
    this.checkTime = checkTime;
    this.#rows = new Map(ladder.rows.map(({ name }, index) => [name, index]));
    this.#auxiliaries = new Map(ladder.auxiliaries.map(({ name }, index) => [name, index]));
    this.#node = rootNode(ladder);
  }

  get openCount(): number {
    return this.#isOpen ? this.#pending.length + 1 : 0;
  }

  get node(): LadderNode | null {
    return this.#node;
  }

  get isEmpty(): boolean {
    return this.#node === null;
  }

  /** Takes a step on the ladder as it is; `false`: it is for the node written out. Throws {@link CertificateError}. */
  take(step: Step, number: number): boolean {
    const isAfterBranching = this.#isBranched;
    this.#isBranched = false;
    if ("branch" in step) return this.#branch(step, number);
    if ("propagate" in step) {
      // Anywhere else it may find more in the node written out.
      if (isAfterBranching && this.#node !== null) this.#node = banTiers(this.ladder, this.#node);
      return isAfterBranching;
    }
    if ("bound" in step && this.#hasRows(step.bound)) {
      bound.check(this, step, number);
      return true;
    }
    if ("infeasible" in step && this.#hasRows(step.infeasible)) {
      infeasible.check(this, step, number);
      return true;
    }
    return false;
  }

  /** A branching on an auxiliary column (the binaries of latency); a class's column is branched on in the node written out. */
  #branch({ branch, at: text }: BranchStep, step: number): boolean {
    const index = this.#auxiliaries.get(branch);
    if (index === undefined) return false;
    const at = readNumber(text, step);
    const { integer } = this.ladder.auxiliaries[index] as Column;
    if (!integer) throw new CertificateError(step, `column "${branch}" is not an integer`);
    if (!at.isInteger()) throw new CertificateError(step, `a branching needs an integer, ${at} is there`);
    this.#isBranched = true;
    const node = this.#node;
    if (node === null) {
      this.#pending.push(null);
      return true;
    }
    const { lower, upper } = node.auxiliaries[index] as Column;
    const above = at.add(Rational.one);
    this.#pending.push(withAuxiliary(node, index, lower === null || above.compare(lower) > 0 ? above : lower, upper));
    this.#node = withAuxiliary(node, index, lower, upper === null || at.compare(upper) < 0 ? at : upper);
    return true;
  }

  /** Whether all multipliers are of the ladder's own rows. Those of a class's own row are for the node written out. */
  #hasRows(named: NamedMultipliers): boolean {
    return Object.keys(named).every((name) => this.#rows.has(name));
  }

  /** What multipliers, of the ladder's own rows, prove of the current node. */
  bound(named: NamedMultipliers, purpose: "bound" | "infeasibility", step: number): LadderBound {
    const multipliers = new Map<number, Rational>();
    for (const [name, value] of Object.entries(named)) {
      const row = this.#rows.get(name);
      if (row === undefined) throw new CertificateError(step, `there is no row "${name}" in "${this.ladder.name}"`);
      multipliers.set(row, readNumber(value, step));
    }
    const node = this.#node;
    if (node === null) return { bound: null, infeasible: true, lines: [], scale: 1n, cheapest: [] };
    return within(step, () => ladderBound(this.ladder, node, multipliers, purpose));
  }

  /** Not known before the node is written out. */
  lattice(): null {
    return null;
  }

  /**
   * What a `fix` decides before the rest of its node is written out (replay.ts): the intervals of classes on which one
   * unit in any tier but the cheapest lifts the bound to the cutoff (kernel/ladder/fix.ts). A class that cannot be
   * decided whole stays open: it never takes away more than it would from the program written out. `null`: the node holds
   * no point that matters.
   *
   * Side conditions: the multipliers are of the ladder's own rows; a `cutoff` of its own is not below the claim. With a
   * higher one less is decided, and a search that decided by the value of its best plan finds the same classes open as it
   * did there.
   */
  decidedByFix({ fix, cutoff: own }: FixStep, step: number): readonly Interval[] | null {
    const { target } = this;
    if (target === null) throw new CertificateError(step, "a proof of infeasibility has no cutoff to fix by");
    const cutoff = own === undefined ? target : readNumber(own, step);
    if (cutoff.compare(target) < 0) {
      throw new CertificateError(step, `a cutoff of ${cutoff.toNumber()} is below the claim`);
    }
    const result = this.bound(fix, "bound", step);
    if (this.#node === null || result.infeasible) return null;
    if (result.bound !== null && result.bound.compare(target) >= 0) return null;
    return decidedIntervals(this.ladder, this.#node, result, cutoff);
  }

  close(): void {
    const next = this.#pending.pop();
    if (next === undefined) this.#isOpen = false;
    else this.#node = next;
  }
}
