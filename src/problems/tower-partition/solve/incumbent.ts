import type { Rational } from "../../../exact/rational.js";
import { evaluateGrouping } from "../../../program/grouping/evaluate.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { ExactIncumbent } from "../../../search/exact-incumbent.js";
import { inOrderOfFirst } from "../methods/descent/limits.js";

/** The best labeling known of a grouping. */
export class GroupingIncumbent extends ExactIncumbent<readonly number[]> {
  readonly #elements: number;

  constructor(grouping: Grouping) {
    super((labels) => ({ ...evaluateGrouping(grouping, labels), point: inOrderOfFirst(labels) }));
    this.#elements = grouping.elements.length;
  }

  /** Clusters in the order of their first elements. */
  get labels(): readonly number[] | null {
    return this.point;
  }

  /** Whether a claim closes the gap: `null`, that there is no labeling, does; `undefined`, that nothing is proved, not. */
  isReached(claim: Rational | null | undefined, gap: Rational): boolean {
    return claim === null || (claim !== undefined && claim.compare(this.cutoff(gap) as Rational) >= 0);
  }

  /** Offers a partition, as its clusters. */
  offerClusters(clusters: readonly (readonly number[])[]): boolean {
    const labels: number[] = new Array(this.#elements).fill(-1);
    clusters.forEach((elements, cluster) => {
      for (const element of elements) labels[element] = cluster;
    });
    return this.offer(labels);
  }
}
