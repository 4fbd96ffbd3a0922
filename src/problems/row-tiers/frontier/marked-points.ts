import type { RowClasses } from "../../../access/row-classes.js";
import type { RowTiersInstance } from "../../../instance/types/row-tiers.js";
import { flexshard2tier } from "../methods/flexshard.js";
import { hottestReplicated, mergedUnits } from "../methods/merged-units.js";
import { evaluateRuns } from "../plan-file/evaluate-runs.js";
import type { CurvePoint } from "./convex-curve.js";

/** One of FlexShard's points of interest, as a plan: this many of the hottest rows data_parallel, the rest row_wise. */
export interface MarkedPoint extends CurvePoint {
  readonly rows: number;
}

/** A saves the most memory, B uses up the budget, C communicates the least, D is all rows. */
export type MarkedPoints = Readonly<Record<"a" | "b" | "c" | "d", MarkedPoint>>;

/**
 * FlexShard's points A to D (figure 5) in bytes and seconds under the instance's objective, exactly; `null` where the
 * instance does not allow data_parallel and row_wise.
 */
export function markedPoints(instance: RowTiersInstance, access: readonly RowClasses[]): MarkedPoints | null {
  const result = flexshard2tier(instance, access);
  if (result.kind !== "plan" || result.points === undefined) return null;
  const { a, b, c, d } = result.points;
  const units = mergedUnits(instance, access);
  const planOf = (rows: number): MarkedPoint => {
    const plan = hottestReplicated(instance, units, rows);
    const { memoryBytes: bytes, objective: seconds } = evaluateRuns(instance, access, plan);
    return { rows, bytes, seconds };
  };
  return { a: planOf(a), b: planOf(b), c: planOf(c), d: planOf(d) };
}
