import type { Random } from "../../../../exact/random.js";
import type { SizeWindow } from "../../../../program/grouping/grouping.js";
import { inPieces, type ShouldStop, UNITS } from "../../../../search/work.js";
import { descend } from "../../methods/descent/descend.js";
import type { DescentProblem } from "../../methods/descent/limits.js";
import { relieve } from "../../methods/descent/relieve.js";

/** How much of chance is in the choice of a group's items, as M is in [0, 1] for about even sizes. */
const NOISE = 0.1;

/**
 * A numbering from a matrix M of the relaxation, which says how much two items are together: a group is a random item with
 * those of the rest that M puts nearest to all it has so far, of sizes as even as can be; then descent. `null` where it
 * cannot be made to keep to the load.
 */
export function roundedNumbering(
  problem: DescentProblem,
  window: SizeWindow,
  matrix: Float64Array,
  random: Random,
  shouldStop: ShouldStop,
): readonly number[] | null {
  const { items, groups, load } = problem;
  const numbering = new Int32Array(items).fill(-1);
  let left = items;
  for (let group = 0; group < groups; group++) {
    const affinity = Float64Array.from({ length: items }, () => NOISE * random.next());
    const size = Math.ceil(left / (groups - group));
    let next = nth(numbering, random.integer(left));
    for (let count = 1; ; count++) {
      numbering[next] = group;
      if (count === size) break;
      for (let item = 0; item < items; item++) {
        affinity[item] = (affinity[item] as number) + (matrix[next * items + item] as number) / count;
      }
      next = nearest(numbering, affinity);
    }
    left -= size;
  }
  const start = load === null ? numbering : relieve(numbering, groups, window, load);
  return start && descend({ ...problem, windows: [window] }, start, inPieces(shouldStop, UNITS.pair));
}

/** The item that is left and has `before` others left before it. */
function nth(numbering: Int32Array, before: number): number {
  let count = before;
  return numbering.findIndex((group) => group === -1 && count-- === 0);
}

function nearest(numbering: Int32Array, affinity: Float64Array): number {
  let best = -1;
  numbering.forEach((group, item) => {
    if (group === -1 && (best === -1 || (affinity[item] as number) > (affinity[best] as number))) best = item;
  });
  return best;
}
