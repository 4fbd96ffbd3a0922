import type { Rational } from "../../../exact/rational.js";
import { evaluateGrouping } from "../../../program/grouping/evaluate.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { inOrderOfFirst } from "../methods/descent/numbers.js";

/** The best numbering known of a grouping, evaluated in exact arithmetic. */
export class GroupingIncumbent {
  readonly #grouping: Grouping;
  #numbering: readonly number[] | null = null;
  #value: Rational | null = null;

  constructor(grouping: Grouping) {
    this.#grouping = grouping;
  }

  /** Groups in the order of their first items. */
  get numbering(): readonly number[] | null {
    return this.#numbering;
  }

  get value(): Rational | null {
    return this.#value;
  }

  /** Takes a numbering if it is feasible and better than what is known; says whether it did. */
  offer(numbering: readonly number[]): boolean {
    const { objective, violations } = evaluateGrouping(this.#grouping, numbering);
    if (violations.length > 0 || (this.#value !== null && objective.compare(this.#value) >= 0)) return false;
    this.#numbering = inOrderOfFirst(numbering);
    this.#value = objective;
    return true;
  }

  /** The same of a partition, as its groups. */
  offerGroups(groups: readonly (readonly number[])[]): boolean {
    const numbering: number[] = new Array(this.#grouping.items.length).fill(-1);
    groups.forEach((items, group) => {
      for (const item of items) numbering[item] = group;
    });
    return this.offer(numbering);
  }
}
