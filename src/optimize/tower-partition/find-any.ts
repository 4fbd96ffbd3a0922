import { Rational } from "../../exact/rational.js";
import type { Grouping } from "../../program/grouping/grouping.js";
import type { Step } from "../../proof/certificate.js";
import { groupsBound } from "../../proof/grouping/bound.js";
import { groupsStep, searchBelow } from "./close-node.js";

/** Whether there is any numbering. */
export type AnyNumbering =
  | { readonly kind: "found"; readonly groups: readonly (readonly number[])[] }
  /** There is none; the steps prove it. */
  | { readonly kind: "none"; readonly steps: readonly Step[] };

/**
 * Finds a numbering of a grouping, whatever it costs, or proves that there is none: all groups within the load are listed, and
 * the partitions that can be made of them gone through. `null` where that is too much.
 */
export function findAny(grouping: Grouping, shouldStop: () => boolean): AnyNumbering | null {
  const prices = { items: grouping.items.map(() => Rational.zero), triples: [] };
  const steps: Step[] = [];
  for (const window of grouping.windows) {
    const node = { window, together: [], apart: [] };
    const answer = searchBelow(
      grouping,
      () => groupsBound(grouping, node, prices, "infeasible", { shouldStop }),
      null,
      { shouldStop },
    );
    if (answer === "too-many") return null;
    if (answer !== "none") return { kind: "found", groups: answer };
    steps.push(groupsStep(grouping, prices));
  }
  return { kind: "none", steps };
}
