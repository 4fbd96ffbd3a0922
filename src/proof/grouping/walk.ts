import { Rational } from "../../exact/rational.js";
import { coverProgram } from "../../program/grouping/cover.js";
import type { Grouping } from "../../program/grouping/grouping.js";
import {
  CertificateError,
  type GroupsCut,
  type GroupsStep,
  type NamedMultipliers,
  readNumber,
  type Step,
} from "../certificate.js";
import { Walk, within } from "../walk.js";
import { betterPartition } from "./better-partition.js";
import { groupsBound, groupsLeft } from "./bound.js";
import type { TriplePrice } from "./group-prices.js";
import { halvesBelow } from "./halves.js";
import type { GroupingNode } from "./node.js";
import { leftBySemidefinite, type SemidefiniteStep, semidefiniteBound } from "./semidefinite.js";

/** Of one walk through groups: some twenty minutes. Prices that need more are refused. */
const LIMITS = { maxNodes: 1_000_000_000 };

/**
 * A walk through the steps of a certificate about a grouping, in exact arithmetic, trusting nothing but the grouping. One
 * node is open for each window of sizes, in order.
 */
export class GroupingWalk {
  readonly #grouping: Grouping;
  /** The claimed bound, `null` for a claim that there is no numbering. */
  readonly #claim: Rational | null;
  readonly #items: ReadonlyMap<string, number>;
  /** The current node is the last. */
  readonly #open: GroupingNode[];

  /** `claim`: the claimed bound, `null` for a claim that there is no numbering. */
  constructor(grouping: Grouping, claim: Rational | null) {
    this.#grouping = grouping;
    this.#claim = claim;
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
    const pair = [this.#itemNamed(names[0], step), this.#itemNamed(names[1], step)] as const;
    if (pair[0] === pair[1]) throw new CertificateError(step, `a pair has two items, "${names[0]}" is one`);
    this.#open.push({ window, together, apart: [...apart, pair] }, { window, together: [...together, pair], apart });
  }

  #closeByGroups(node: GroupingNode, { prices: named, cuts = [], cover }: GroupsStep["groups"], step: number): void {
    const prices = { items: this.#resolve(named, step), triples: cuts.map((cut) => this.#tripleOf(cut, step)) };
    const purpose = this.#claim === null ? "infeasible" : "bound";
    const program = within(step, () => {
      const bound = groupsBound(this.#grouping, node, prices, purpose, LIMITS);
      const left = groupsLeft(this.#grouping, bound, this.#claim, LIMITS);
      if (cover.length > 0)
        return coverProgram(
          this.#grouping,
          left.map(({ items }) => items),
        );
      const { kind } = betterPartition(this.#grouping, bound, this.#claim, left);
      if (kind === "too-many") throw new RangeError("too many partitions can be made of the groups that are left");
      if (kind === "found")
        throw new CertificateError(step, "groups make up a partition that is better than the claim");
      return null;
    });
    try {
      const next = program === null ? 0 : new Walk(program, this.#claim).run(cover, 0);
      if (next < cover.length) throw new CertificateError(next + 1, "it is left over");
    } catch (error) {
      if (error instanceof CertificateError) throw new CertificateError(step, `cover: ${error.message}`);
      throw error;
    }
  }

  #closeByHalves(node: GroupingNode, step: number): void {
    const found = within(step, () => halvesBelow(this.#grouping, node, this.#claim));
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

  #resolve(named: NamedMultipliers, step: number): readonly Rational[] {
    const prices = this.#grouping.items.map(() => Rational.zero);
    for (const [name, value] of Object.entries(named)) prices[this.#itemNamed(name, step)] = readNumber(value, step);
    return prices;
  }

  #tripleOf({ items: names, price: text }: GroupsCut, step: number): TriplePrice {
    const [a, b, c] = names.map((name) => this.#itemNamed(name, step)) as [number, number, number];
    if (a === b || b === c || a === c) throw new CertificateError(step, "a cut has three different items");
    const price = readNumber(text, step);
    if (price.sign() < 0) throw new CertificateError(step, "the price of a cut is not negative");
    return { items: [a, b, c], price };
  }

  #itemNamed(name: string, step: number): number {
    const item = this.#items.get(name);
    if (item === undefined) throw new CertificateError(step, `there is no item "${name}" in "${this.#grouping.name}"`);
    return item;
  }
}
