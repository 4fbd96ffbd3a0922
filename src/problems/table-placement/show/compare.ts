import { nothing, paint, table } from "../../../terminal/table.js";
import { isOptimalToo, methodName } from "../../../text/optimality.js";
import { printable } from "../../../text/printable.js";
import { aboveText, count, percent, significant, significantBelow } from "../../../text/units.js";
import { comparedGoalText, compareRemark } from "../../show/remark.js";
import { goalName } from "../facts.js";
import type { RewardCheck } from "../methods/reward-check.js";
import type { PlacementCompareRow, PlacementComparison } from "../solve/compare.js";

/**
 * Methods on one instance side by side: value, gap to the proved bound, seconds. A closing line names the published
 * methods whose value is the proved bound, where there are any; under a learned cost another one says how often
 * AutoShard's reward prefers the slower of two plans.
 */
export function showPlacementCompare({ rows, reward }: PlacementComparison): string {
  const [first] = rows as [PlacementCompareRow];
  const unit = first.unit === null ? "" : ` ${printable(first.unit)}`;
  const head = [
    "method",
    `${first.objective === undefined ? "largest cost" : first.objective === "phases" ? "phase maxima" : goalName(first.objective)}${unit}`,
    "above the bound",
    "seconds",
    "",
  ];
  const lines = rows.map((row) => [
    methodName(row.method),
    row.value === null ? nothing() : significant(row.value, 6),
    row.gap === null ? nothing() : aboveText(row.gap),
    row.seconds.toFixed(3),
    compareRemark(row, "found no plan, and no proof that there is none"),
  ]);
  const closing = alreadyOptimal(rows, unit);
  const bound = first.bound === null ? "" : paint.dim(`  proved bound ${significantBelow(first.bound, 6)}${unit}`);
  const misled = reward === undefined ? "" : `\n${showReward(reward)}\n`;
  return `${paint.bold(printable(first.instance))}${bound}\n\n${table(head, lines, "lrrrl")}\n${comparedGoalText(first.goals)}${closing}${misled}`;
}

function showReward({ methods, random, policy, all }: RewardCheck): string {
  const drawn = policy.plans === 0 ? "" : `, ${count(policy.plans)} of the policy`;
  const plans = `${count(methods.plans)} plans above, ${count(random.plans)} random${drawn}`;
  const share = all.pairs === 0 ? "0 %" : percent(all.misled / all.pairs);
  const excess = all.misled === 0 ? "" : `, slower by ${percent(all.meanExcess)} on average`;
  return `AutoShard's reward, smallest over largest cost, prefers the slower plan in ${share} of ${count(all.pairs)} pairs${excess}\n${paint.dim(`(${plans})`)}`;
}

/** No method can improve on these: said plainly, because then the cost model decides, and not the search. */
function alreadyOptimal(rows: readonly PlacementCompareRow[], unit: string): string {
  const asGood = rows.filter(({ status, gap }) => status === "heuristic" && isOptimalToo(gap));
  const value = asGood[0]?.value ?? 0;
  const methods = asGood.map(({ method }) => method);
  const last = methods.pop();
  // The best of the first goal alone is not the best of all goals.
  if (last === undefined || (rows[0]?.goals ?? 1) > 1) return "";
  const named = methods.length === 0 ? `${last} is` : `${methods.join(", ")} and ${last} are`;
  return `\n${paint.green(`${named} already optimal here: ${significant(value, 6)}${unit}`)}\n`;
}
