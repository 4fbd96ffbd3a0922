import type { Rational } from "../../../exact/rational.js";
import type { Ladder } from "../../../program/ladder/ladder.js";
import { CertificateError, type NamedMultipliers, readNumber, within } from "../../grammar.js";
import { type LadderBound, ladderBound } from "../../kernel/ladder/bound.js";
import { type LadderNode, rootNode } from "../../kernel/ladder/node.js";
import type { OpenNodes } from "../rule.js";

/** A short way to take a step on a ladder as it is. Its grammar is that of the rule about a program of the same key. */
export interface LadderRule<S> {
  /** `false` where the step is for the node written out. Throws {@link CertificateError}. */
  check(tree: LadderTree, step: S, number: number): boolean;
}

/** The branching tree of a proof about a ladder, while its steps are taken. */
export class LadderTree implements OpenNodes {
  readonly ladder: Ladder;
  /** The claimed bound, `null` for a claim of infeasibility. */
  readonly target: Rational | null;
  readonly checkTime: () => void;
  readonly auxiliaries: ReadonlyMap<string, number>;
  readonly #rows: ReadonlyMap<string, number>;
  /** The upper halves of branchings still to be visited; `null`: it holds no point that matters. */
  readonly #pending: (LadderNode | null)[] = [];
  /** The current node; `null` where it is known to hold no point that matters. */
  node: LadderNode | null;
  /** The step before was a branching on an auxiliary. */
  isBranched = false;
  #isOpen = true;

  constructor(ladder: Ladder, target: Rational | null, checkTime: () => void) {
    this.ladder = ladder;
    this.target = target;
    this.checkTime = checkTime;
    this.#rows = new Map(ladder.rows.map(({ name }, index) => [name, index]));
    this.auxiliaries = new Map(ladder.auxiliaries.map(({ name }, index) => [name, index]));
    this.node = rootNode(ladder);
  }

  get openCount(): number {
    return this.#isOpen ? this.#pending.length + 1 : 0;
  }

  /** Whether all multipliers are of the ladder's own rows. */
  hasRows(named: NamedMultipliers): boolean {
    return Object.keys(named).every((name) => this.#rows.has(name));
  }

  /** What multipliers prove of the current node; `null` where it holds no point that matters. */
  bound(named: NamedMultipliers, purpose: "bound" | "infeasibility", step: number): LadderBound | null {
    const multipliers = new Map<number, Rational>();
    for (const [name, value] of Object.entries(named)) {
      const row = this.#rows.get(name);
      if (row === undefined) throw new CertificateError(step, `there is no row "${name}" in "${this.ladder.name}"`);
      multipliers.set(row, readNumber(value, step));
    }
    const { node } = this;
    return node && within(step, () => ladderBound(this.ladder, node, multipliers, purpose));
  }

  split(lower: LadderNode | null, upper: LadderNode | null): void {
    this.#pending.push(upper);
    this.node = lower;
  }

  close(): void {
    const next = this.#pending.pop();
    if (next === undefined) this.#isOpen = false;
    else this.node = next;
  }
}
