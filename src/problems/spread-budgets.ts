/**
 * `count` budgets from `low` to `high`, both among them, evenly spread; of those between them, whole bytes where that
 * makes little difference. Fewer where they would be equal.
 */
export function spreadBudgets(low: number, high: number, count: number): readonly number[] {
  if (count === 0) return [];
  const step = (high - low) / Math.max(1, count - 1);
  const budgets = Array.from({ length: count }, (_, k) => {
    if (k === 0) return low;
    if (k === count - 1) return high;
    const even = low + k * step;
    return step >= 1000 ? Math.round(even) : even;
  });
  return [...new Set(budgets)].filter((bytes) => bytes >= low && bytes <= high);
}
