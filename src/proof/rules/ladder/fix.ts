import type { Interval } from "../../../program/ladder/interval.js";
import { CertificateError, readNumber } from "../../grammar.js";
import { decidedIntervals } from "../../kernel/ladder/fix.js";
import type { FixStep } from "../program/fix.js";
import type { LadderTree } from "./tree.js";

/**
 * What a `fix` decides before the rest of its node is written out (replay.ts): the intervals of classes on which one
 * unit in any tier but the cheapest lifts the bound to the cutoff (kernel/ladder/fix.ts). A class that cannot be
 * decided whole stays open: it never takes away more than it would from the program written out. `null`: the node holds
 * no point that matters.
 *
 * Side conditions: the multipliers are of the ladder's own rows; a `cutoff` of its own is not below the claim. With a
 * higher one less is decided, and a search that decided by the value of its best plan finds the same classes open as it
 * did there.
 */
export function decidedByFix(
  tree: LadderTree,
  { fix, cutoff: own }: FixStep,
  step: number,
): readonly Interval[] | null {
  const { ladder, node, target } = tree;
  if (target === null) throw new CertificateError(step, "a proof of infeasibility has no cutoff to fix by");
  const cutoff = own === undefined ? target : readNumber(own, step);
  if (cutoff.compare(target) < 0) {
    throw new CertificateError(step, `a cutoff of ${cutoff.toNumber()} is below the claim`);
  }
  const result = tree.bound(fix, "bound", step);
  if (node === null || result === null || result.infeasible) return null;
  if (result.bound !== null && result.bound.compare(target) >= 0) return null;
  return decidedIntervals(ladder, node, result, cutoff);
}
