import type { PlacementProgram } from "../../../../models/table-placement/direct-program.js";
import type { Placement } from "../../../../models/table-placement/problem.js";
import { Rational } from "../../../exact/rational.js";
import { coefficientAt } from "../../../program/program.js";

/**
 * The point of the placement that a point's counts say, with the other columns (largest costs, a network's units) as they
 * follow from it: a search in floating point has those rounded. All equations of such a program are about where shards are;
 * counts that break one, or are not whole, are no placement, and the point comes back as it is for the program to refuse;
 * `null` for a placement that is not taken.
 */
export function placedPoint(
  { program, recover, pointOf }: Pick<PlacementProgram, "program" | "recover" | "pointOf">,
  point: readonly Rational[],
  isTaken: (placement: Placement) => boolean = () => true,
): readonly Rational[] | null {
  const isWhole = program.columns.every(({ integer }, j) => !integer || (point[j] as Rational).isInteger());
  if (!isWhole) return point;
  const isPlaced = program.rows.every(({ form, lower, upper }) => {
    if (lower === null || upper === null || !lower.equals(upper)) return true;
    const sum = form.columns.reduce(
      (total, j, k) => total.add((point[j] as Rational).multiply(coefficientAt(form, k))),
      Rational.zero,
    );
    return sum.equals(lower);
  });
  if (!isPlaced) return point;
  const placement = recover(point);
  return isTaken(placement) ? pointOf(placement) : null;
}
