import { nearestDouble, Rational } from "../../../exact/rational.js";
import type { LadderRow } from "../../../program/ladder/ladder.js";
import { ConvexCurve, ConvexityError } from "./convex-curve.js";
import type { RelaxedLadder } from "./relaxed-ladder.js";
import { Slopes } from "./slopes.js";
import { integerForm, unitEdges } from "./unit-edges.js";

/**
 * The memory/latency frontier of the relaxation, every break-point, exactly: the least seconds V(M) for every memory M.
 *
 * With one objective sum and one capacity the relaxation falls apart into units at every price λ of memory: each takes a
 * tier of least seconds + λ · bytes. What all units together can come to is the Minkowski sum of their hulls, and its
 * lower left boundary is the boundary's edges of all of them, laid end to end from the steepest on. So all break-points
 * come from one sort, and λ = −V′(M) is known between any two (parametric linear programming; Gass and Saaty 1955; the
 * greedy algorithm of the multiple-choice knapsack's relaxation, Sinha and Zoltners 1979).
 *
 * Classes of rows with edges of one slope share a break-point. Time O(n log n) for n classes. Throws {@link
 * ConvexityError} if what comes out is not convex, which is checked exactly.
 */
export function breakPoints({ ladder, roles }: RelaxedLadder): ConvexCurve {
  const memory = integerForm(ladder, (ladder.rows[roles.memoryRow] as LadderRow).form);
  const cost = integerForm(ladder, ladder.objective.form);
  const edges = unitEdges(ladder, memory, cost);
  const slopes = new Slopes(edges.seconds, edges.bytes);
  const bytes = [edges.leastBytes];
  const seconds = [edges.leastSeconds];
  let last = -1;
  for (const k of slopes.steepestFirst()) {
    const order = last === -1 ? -1 : slopes.compareSteepest(last, k);
    if (order > 0 || (edges.bytes[k] as bigint) <= 0n || (edges.seconds[k] as bigint) <= 0n) {
      throw new ConvexityError("the relaxation's frontier is not convex and falling");
    }
    const units = BigInt(edges.units[k] as number);
    const end = { bytes: bytes.at(-1) as bigint, seconds: seconds.at(-1) as bigint };
    // An edge of the same slope goes on in the same direction.
    const at = order === 0 ? bytes.length - 1 : bytes.length;
    bytes[at] = end.bytes + units * (edges.bytes[k] as bigint);
    seconds[at] = end.seconds - units * (edges.seconds[k] as bigint);
    last = k;
  }
  return new ConvexCurve(
    bytes.length,
    (k) => ({
      bytes: Rational.of(bytes[k] as bigint, memory.scale),
      seconds: Rational.of(seconds[k] as bigint, cost.scale),
    }),
    (k) => ({
      bytes: nearestDouble(bytes[k] as bigint, memory.scale),
      seconds: nearestDouble(seconds[k] as bigint, cost.scale),
    }),
  );
}
