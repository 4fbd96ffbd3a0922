import type { Rational } from "../../src/exact/rational.js";
import { evaluateGrouping } from "../../src/program/grouping/evaluate.js";
import type { ClusterLoad, Grouping } from "../../src/program/grouping/grouping.js";
import type { TowerLabels } from "./problem.js";

/** What a partition into towers is worth, exactly. */
export interface TowerEvaluation {
  readonly value: Rational;
  /** The features of each tower, rising. */
  readonly towers: readonly (readonly number[])[];
  /** Features of each tower. */
  readonly sizes: readonly number[];
  /** The weight of each tower; `null` where no load limits. */
  readonly loads: readonly Rational[] | null;
  /** What it breaks, in words; empty for a feasible partition. */
  readonly violations: readonly string[];
}

/**
 * Evaluates a partition with zero tolerance: the tower 0 … T−1 of each feature. Throws `RangeError` unless each feature
 * has one.
 */
export function evaluateTowers(grouping: Grouping, labels: TowerLabels): TowerEvaluation {
  const { objective, members, loads, violations } = evaluateGrouping(grouping, labels);
  const allowed = grouping.windows.map(({ least, most }) => (least === most ? `${least}` : `${least} … ${most}`));
  const words = violations.map(({ kind, index, name, amount }) => {
    const [what, number, ofFurther] = name.split("_");
    if (what === "load") {
      // In doubles, read: the number in a name.
      const load = ofFurther === undefined ? grouping.load : grouping.furtherLoads?.[Number(number)];
      const most = (load as ClusterLoad).most;
      // In doubles, shown: a violation in words.
      return `tower ${index} carries ${most.add(amount).toNumber()}, ${amount.toNumber()} more than the ${most.toNumber()} that it may`;
    }
    if (what === "conflict") return `tower ${index} has features whose tables have no place together on its GPUs`;
    const size = (members[index] as readonly number[]).length;
    const beyond = `${amount} too ${kind === "row-upper" ? "many" : "few"}`;
    return allowed.length === 0
      ? `tower ${index} has ${size} features, and no sizes of all towers are within the size ratio`
      : `tower ${index} has ${size} features, ${beyond}: all towers have ${allowed.join(", or all ")}`;
  });
  return {
    value: objective,
    towers: members,
    sizes: members.map(({ length }) => length),
    loads: grouping.load === null ? null : loads,
    violations: words,
  };
}
