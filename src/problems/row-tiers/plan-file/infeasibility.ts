import type { RowClasses } from "../../../access/row-classes.js";
import { Rational } from "../../../exact/rational.js";
import type { RowTiersInstance } from "../../../instance/types/row-tiers.js";
import { nearest } from "../../../plan-file/rounding.js";
import { leastMemory } from "./least-memory.js";
import type { PlanInfeasibility } from "./plan-file.js";

/**
 * Why no plan fits a budget, in words: the least memory of any plan, what each table has of it, and the fewest tables
 * that together already need more than the budget. Memory is a sum over tables. Where the GPUs' memory alone would do, it is
 * the host memory that does not, or too little may move.
 *
 * Throws `RangeError` when the least memory is within the budget.
 */
export function describeInfeasibility(
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  budgetBytes: Rational,
): PlanInfeasibility {
  const least = leastMemory(instance, access);
  const leastBytesPerGpu = nearest(least.bytes);
  const budget = nearest(budgetBytes);
  if (least.bytes.compare(budgetBytes) <= 0) {
    return {
      leastBytesPerGpu,
      tables: least.tables.map(({ name, bytes }) => ({ name, leastBytesPerGpu: nearest(bytes) })),
      conflict: least.tables.map(({ name }) => name),
      explanation: `the budget of ${budget} bytes per GPU would be enough ${besideMemory(instance)}; together they hold no plan`,
    };
  }
  const tables = least.tables
    .map(({ name, bytes }, index) => ({ name, bytes, index }))
    .sort((a, b) => b.bytes.compare(a.bytes) || a.index - b.index);
  const conflict: string[] = [];
  let together = Rational.zero;
  for (const { name, bytes } of tables) {
    conflict.push(name);
    together = together.add(bytes);
    if (together.compare(budgetBytes) > 0) break;
  }
  const who =
    conflict.length === tables.length && tables.length > 1 ? "all tables together" : conflict.map(quoted).join(", ");
  return {
    leastBytesPerGpu,
    tables: tables.map(({ name, bytes }) => ({ name, leastBytesPerGpu: nearest(bytes) })),
    conflict,
    explanation: `with every row in the tier that needs the least memory for it, the tables need ${leastBytesPerGpu} bytes per GPU; the budget is ${budget}; the fewest tables that are already too much: ${who} (${nearest(together)} bytes)`,
  };
}

/** What a budget that would hold the least memory is not enough beside. */
function besideMemory({ from, tiers, cluster: { hostBytesPerNode } }: RowTiersInstance): string {
  const { mostMovedRows = null, mostMovedBytes = null } = from ?? {};
  if (mostMovedRows !== null || mostMovedBytes !== null) {
    return "if more might move than mostMovedRows and mostMovedBytes allow";
  }
  if (!tiers.includes("host") || hostBytesPerNode === undefined) {
    throw new RangeError("the least memory of any plan is within the budget");
  }
  return `with more host memory, and the ${hostBytesPerNode} bytes of host memory per node with a larger budget`;
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
