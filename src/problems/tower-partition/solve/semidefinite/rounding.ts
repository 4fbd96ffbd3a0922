import type { Random } from "../../../../exact/random.js";
import type { SizeWindow } from "../../../../program/grouping/grouping.js";
import { inPieces, type ShouldStop, UNITS } from "../../../../search/work.js";
import { descend } from "../../methods/descent/descend.js";
import type { DescentProblem } from "../../methods/descent/limits.js";
import { relieve } from "../../methods/descent/relieve.js";

/** How much of chance is in the choice of a cluster's elements, as M is in [0, 1] for about even sizes. */
const NOISE = 0.1;

/**
 * A labeling from a matrix M of the relaxation, which says how much two elements are together: a cluster is a random
 * element with those of the rest that M puts nearest to all it has so far, of sizes as even as can be; then descent.
 * `null` where it cannot be made to keep to the load.
 */
export function roundedLabels(
  problem: DescentProblem,
  window: SizeWindow,
  matrix: Float64Array,
  random: Random,
  shouldStop: ShouldStop,
): readonly number[] | null {
  const { elements, clusters, load } = problem;
  const labels = new Int32Array(elements).fill(-1);
  let left = elements;
  for (let cluster = 0; cluster < clusters; cluster++) {
    const affinity = Float64Array.from({ length: elements }, () => NOISE * random.next());
    const size = Math.ceil(left / (clusters - cluster));
    let next = nth(labels, random.integer(left));
    for (let count = 1; ; count++) {
      labels[next] = cluster;
      if (count === size) break;
      for (let element = 0; element < elements; element++) {
        affinity[element] = (affinity[element] as number) + (matrix[next * elements + element] as number) / count;
      }
      next = nearest(labels, affinity);
    }
    left -= size;
  }
  const start = load === null ? labels : relieve(labels, clusters, window, load);
  return start && descend({ ...problem, windows: [window] }, start, inPieces(shouldStop, UNITS.pair));
}

/** The element that is left and has `before` others left before it. */
function nth(labels: Int32Array, before: number): number {
  let count = before;
  return labels.findIndex((cluster) => cluster === -1 && count-- === 0);
}

function nearest(labels: Int32Array, affinity: Float64Array): number {
  let best = -1;
  labels.forEach((cluster, element) => {
    if (cluster === -1 && (best === -1 || (affinity[element] as number) > (affinity[best] as number))) best = element;
  });
  return best;
}
