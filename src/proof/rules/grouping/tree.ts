import type { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { CertificateError } from "../../grammar.js";
import type { GroupingNode, ItemPair } from "../../kernel/grouping/node.js";
import type { OpenNodes } from "../rule.js";

/** The branching tree of a proof about a grouping, while its steps are taken. One node is open for each window, in order. */
export class GroupingTree implements OpenNodes {
  readonly grouping: Grouping;
  /** The claimed bound, `null` for a claim that there is no numbering. */
  readonly claim: Rational | null;
  readonly checkTime: () => void;
  readonly #items: ReadonlyMap<string, number>;
  /** The current node is the last. */
  readonly #open: GroupingNode[];

  constructor(grouping: Grouping, claim: Rational | null, checkTime: () => void) {
    this.grouping = grouping;
    this.claim = claim;
    this.checkTime = checkTime;
    this.#items = new Map(grouping.items.map((name, item) => [name, item]));
    this.#open = grouping.windows.map((window) => ({ window, together: [], apart: [] })).reverse();
  }

  get openCount(): number {
    return this.#open.length;
  }

  get node(): GroupingNode {
    return this.#open.at(-1) as GroupingNode;
  }

  /** Asked within long searches: the time is up where it throws. */
  readonly shouldStop = (): boolean => {
    this.checkTime();
    return false;
  };

  /** Closes the current node; in its place are others, the first of them the next. */
  close(...parts: readonly GroupingNode[]): void {
    this.#open.pop();
    this.#open.push(...parts.toReversed());
  }

  itemNamed(name: string, step: number): number {
    const item = this.#items.get(name);
    if (item === undefined) throw new CertificateError(step, `there is no item "${name}" in "${this.grouping.name}"`);
    return item;
  }

  pairNamed(names: readonly [string, string], step: number): ItemPair {
    const pair = [this.itemNamed(names[0], step), this.itemNamed(names[1], step)] as const;
    if (pair[0] === pair[1]) throw new CertificateError(step, `a pair has two items, "${names[0]}" is one`);
    return pair;
  }
}
