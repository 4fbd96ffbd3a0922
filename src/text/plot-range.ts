/** How many times the least value the highest of a plot may be before single high ones are left outside. */
const MAX_TIMES = 2;

/** How far above the least, in distances of the middle value from it, a plot goes then. */
const MAX_DISTANCES = 4;

/**
 * The highest value that a plot shows: the highest of all, unless few are so far above the others that nothing would be seen of
 * those (values at the least memory are).
 */
export function plotTop(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[0], sorted.at(-1)];
  const middle = sorted[Math.floor(sorted.length / 2)] ?? high;
  if (low <= 0 || high <= MAX_TIMES * low) return high;
  return Math.min(high, Math.max(MAX_TIMES * low, low + MAX_DISTANCES * (middle - low)));
}
