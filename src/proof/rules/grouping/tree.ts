import { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import {
  CertificateError,
  type GroupsCut,
  type GroupsPrices,
  type GroupsStep,
  type ListedGroups,
  type NamedMultipliers,
  readNumber,
  type Step,
} from "../../certificate.js";
import { groupsBound, groupsLeft } from "../../kernel/grouping/bound.js";
import type { GroupPrices, SetPrice, TriplePrice } from "../../kernel/grouping/dual-values.js";
import { halvesBelow } from "../../kernel/grouping/halves.js";
import type { GroupingNode, ItemPair } from "../../kernel/grouping/node.js";
import { type ListedTree, searchListed } from "../../kernel/grouping/pool-tree.js";
import { PricedGroups } from "../../kernel/grouping/priced-groups.js";
import { leftBySemidefinite, type SemidefiniteStep, semidefiniteBound } from "../../kernel/grouping/semidefinite.js";
import { within } from "../program/tree.js";

/** Of one walk through groups: some twenty minutes. Prices that need more are refused. */
const MOST_NODES = 1_000_000_000;

/**
 * A walk through the steps of a certificate about a grouping, in exact arithmetic, trusting nothing but the grouping. One
 * node is open for each window of sizes, in order.
 */
export class GroupingWalk {
  readonly #grouping: Grouping;
  /** The claimed bound, `null` for a claim that there is no numbering. */
  readonly #claim: Rational | null;
  /** Asked within walks through groups, whose limits these are; what it throws ends the walk. */
  readonly #shouldStop: () => boolean;
  readonly #items: ReadonlyMap<string, number>;
  /** The current node is the last. */
  readonly #open: GroupingNode[];

  /** `claim`: the claimed bound, `null` for a claim that there is no numbering. */
  constructor(grouping: Grouping, claim: Rational | null, checkTime: () => void = () => {}) {
    this.#grouping = grouping;
    this.#claim = claim;
    this.#shouldStop = () => {
      checkTime();
      return false;
    };
    this.#items = new Map(grouping.items.map((name, item) => [name, item]));
    this.#open = grouping.windows.map((window) => ({ window, together: [], apart: [] })).reverse();
  }

  /**
   * Takes steps, from the one at `from` on, until every node is closed; returns the index of the next step. Throws
   * {@link CertificateError} with the step's number.
   */
  run(steps: readonly Step[], from: number): number {
    let index = from;
    for (let node = this.#open.pop(); node !== undefined; node = this.#open.pop(), index++) {
      this.#shouldStop();
      const step = steps[index];
      const number = index + 1;
      if (step === undefined) {
        throw new CertificateError(number, `missing: ${this.#open.length + 1} nodes are still open`);
      }
      if ("pair" in step) this.#split(node, step.pair, number);
      else if ("groups" in step) this.#closeByGroups(node, step.groups, number);
      else if ("halves" in step) this.#closeByHalves(node, number);
      else if ("semidefinite" in step) this.#tighten(node, step, number);
      else throw new CertificateError(number, "this step is of a program, not of a grouping");
    }
    return index;
  }

  #split({ window, together, apart }: GroupingNode, names: readonly [string, string], step: number): void {
    const pair = this.#pairNamed(names, step);
    this.#open.push({ window, together, apart: [...apart, pair] }, { window, together: [...together, pair], apart });
  }

  #closeByGroups(node: GroupingNode, { listed, ...prices }: GroupsStep["groups"], step: number): void {
    const purpose = this.#claim === null ? "infeasible" : "bound";
    const limits = { maxNodes: MOST_NODES, shouldStop: this.#shouldStop };
    const { kind } = within(step, () => {
      const bound = groupsBound(this.#grouping, node, this.#pricesOf(prices, step), purpose, limits);
      const left = groupsLeft(this.#grouping, bound, this.#claim, limits);
      const tree = listed === undefined ? { narrow: [] } : this.#treeOf(listed, step);
      const groups = new PricedGroups(this.#grouping, { window: node.window, together: [], apart: [] }, purpose);
      return searchListed(this.#grouping, groups, left, tree, { claim: this.#claim, shouldStop: this.#shouldStop });
    });
    if (kind === "too-many") {
      throw new CertificateError(step, "too many partitions can be made of the groups that are left");
    }
    if (kind === "found") throw new CertificateError(step, "groups make up a partition that is better than the claim");
  }

  #closeByHalves(node: GroupingNode, step: number): void {
    const found = within(step, () => halvesBelow(this.#grouping, node, this.#claim, { shouldStop: this.#shouldStop }));
    if (found !== null) throw new CertificateError(step, "two groups make up something that is better than the claim");
  }

  /** Closes the node, or leaves it open with more pairs apart. */
  #tighten(node: GroupingNode, dual: SemidefiniteStep, step: number): void {
    const claim = this.#claim;
    if (claim === null)
      throw new CertificateError(step, "a semidefinite bound does not show that there is no numbering");
    const proved = within(step, () => semidefiniteBound(this.#grouping, node, dual));
    const left = leftBySemidefinite(this.#grouping, node, proved, claim);
    if (left === node) {
      const bound = (proved.bound as Rational).toNumber();
      throw new CertificateError(step, `the multipliers prove ${bound}, below the claim of ${claim.toNumber()}`);
    }
    if (left !== null) this.#open.push(left);
  }

  #treeOf({ narrow, split }: ListedGroups, step: number): ListedTree {
    const prices = narrow.map((one) => this.#pricesOf(one, step));
    if (split === undefined) return { narrow: prices };
    const { pair, together, apart } = split;
    return {
      narrow: prices,
      split: {
        pair: this.#pairNamed(pair, step),
        together: this.#treeOf(together, step),
        apart: this.#treeOf(apart, step),
      },
    };
  }

  #pricesOf({ prices, cuts = [] }: GroupsPrices, step: number): GroupPrices {
    const triples: TriplePrice[] = [];
    const sets: SetPrice[] = [];
    for (const cut of cuts) {
      const { items, divisor, price } = this.#setOf(cut, step);
      const [a, b, c, ...more] = items as [number, number, number, ...number[]];
      if (divisor === 2 && more.length === 0) triples.push({ items: [a, b, c], price });
      else sets.push({ items, divisor, price });
    }
    return { items: this.#resolve(prices, step), triples, sets };
  }

  #pairNamed(names: readonly [string, string], step: number): ItemPair {
    const pair = [this.#itemNamed(names[0], step), this.#itemNamed(names[1], step)] as const;
    if (pair[0] === pair[1]) throw new CertificateError(step, `a pair has two items, "${names[0]}" is one`);
    return pair;
  }

  #resolve(named: NamedMultipliers, step: number): readonly Rational[] {
    const prices = this.#grouping.items.map(() => Rational.zero);
    for (const [name, value] of Object.entries(named)) prices[this.#itemNamed(name, step)] = readNumber(value, step);
    return prices;
  }

  #setOf({ items: names, divisor = 2, price: text }: GroupsCut, step: number): SetPrice {
    const items = names.map((name) => this.#itemNamed(name, step));
    if (new Set(items).size < items.length) throw new CertificateError(step, "the items of a cut are all different");
    const price = readNumber(text, step);
    if (price.sign() < 0) throw new CertificateError(step, "the price of a cut is not negative");
    return { items, divisor, price };
  }

  #itemNamed(name: string, step: number): number {
    const item = this.#items.get(name);
    if (item === undefined) throw new CertificateError(step, `there is no item "${name}" in "${this.#grouping.name}"`);
    return item;
  }
}
