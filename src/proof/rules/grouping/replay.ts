import type { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { GROUPING_RULES } from "../registry.js";
import { replay } from "../rule.js";
import { GroupingTree } from "./tree.js";

/** Replays the steps of a certificate about a grouping; `claim`: the bound, `null`: no numbering. See {@link replay}. */
export function replayGrouping(
  grouping: Grouping,
  claim: Rational | null,
  steps: readonly object[],
  checkTime: () => void,
): number {
  const tree = new GroupingTree(grouping, claim, checkTime);
  return replay(tree, GROUPING_RULES, steps, 0, "this step is of a program, not of a grouping");
}
