import type { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { CertificateError } from "../../grammar.js";
import type { ElementPair, GroupingNode } from "../../kernel/grouping/node.js";
import type { OpenNodes } from "../rule.js";

/**
 * The branching tree of a proof about a grouping, while its steps are taken. One node is open for each window, in
 * order.
 */
export class GroupingTree implements OpenNodes {
  readonly grouping: Grouping;
  /** The claimed bound, `null` for a claim that there is no labeling. */
  readonly claim: Rational | null;
  readonly checkTime: () => void;
  readonly #elements: ReadonlyMap<string, number>;
  /** The current node is the last. */
  readonly #open: GroupingNode[];

  constructor(grouping: Grouping, claim: Rational | null, checkTime: () => void) {
    this.grouping = grouping;
    this.claim = claim;
    this.checkTime = checkTime;
    this.#elements = new Map(grouping.elements.map((name, element) => [name, element]));
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

  elementNamed(name: string, step: number): number {
    const element = this.#elements.get(name);
    if (element === undefined)
      throw new CertificateError(step, `there is no item "${name}" in "${this.grouping.name}"`);
    return element;
  }

  pairNamed(names: readonly [string, string], step: number): ElementPair {
    const pair = [this.elementNamed(names[0], step), this.elementNamed(names[1], step)] as const;
    if (pair[0] === pair[1]) throw new CertificateError(step, `a pair has two items, "${names[0]}" is one`);
    return pair;
  }
}
