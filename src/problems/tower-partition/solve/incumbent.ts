import { evaluateGrouping } from "../../../program/grouping/evaluate.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { ExactIncumbent } from "../../../search/exact-incumbent.js";
import { inOrderOfFirst } from "../methods/descent/limits.js";

/** The best numbering known of a grouping. */
export class GroupingIncumbent extends ExactIncumbent<readonly number[]> {
  readonly #grouping: Grouping;

  constructor(grouping: Grouping) {
    super();
    this.#grouping = grouping;
  }

  /** Groups in the order of their first items. */
  get numbering(): readonly number[] | null {
    return this.point;
  }

  /** Takes a numbering if it is feasible and better than what is known; says whether it did. */
  offer(numbering: readonly number[]): boolean {
    return this.take(inOrderOfFirst(numbering), evaluateGrouping(this.#grouping, numbering));
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
