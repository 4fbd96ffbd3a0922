import type { PlacedPart, PlacedTable } from "../../traffic/placed-table.js";

/** Ids that a device's samples look up in a table in an iteration, on average. */
export function meanIds({ features }: Pick<PlacedTable, "features">): number {
  return features.reduce((sum, { length, bags }) => sum + length * bags, 0);
}

/**
 * Variance of how many of a device's ids in an iteration are of some rows, which take `mean` of them on average: each id by itself
 * is one or is none, and the number of ids varies where bags or their lengths are not whole.
 */
export function lookupVariance(table: Pick<PlacedTable, "features">, mean: number): number {
  const ids = meanIds(table);
  if (ids === 0) return 0;
  const share = Math.min(1, mean / ids);
  return ids * share * (1 - share) + share ** 2 * variationOfIds(table);
}

function variationOfIds({ features }: Pick<PlacedTable, "features">): number {
  return features.reduce((sum, { length, bags, spread }) => {
    const [more, another] = [length - Math.floor(length), bags - Math.floor(bags)];
    return sum + bags * (spread ?? more * (1 - more)) + length ** 2 * another * (1 - another);
  }, 0);
}

/**
 * At least the variance of the number of distinct rows beyond the cache that an iteration reads, `lookups` of the part in all: rows that
 * are read or not, each by its own probability, of which one makes another less likely; and the number of ids varies.
 */
export function missVariance(
  table: PlacedTable,
  { first, rows, cachedRows }: PlacedPart,
  lookups: number,
  devices: number,
): number {
  const { classes } = table;
  const ids = meanIds(table) * devices;
  const total = classes.rows.reduce((sum, own, k) => sum + own * (classes.appearances[k] as number), 0);
  if (ids === 0 || total === 0) return 0;
  const from = first + (cachedRows ?? 0);
  let [before, variance, slope] = [0, 0, 0];
  for (let k = 0; k < classes.rows.length; k++) {
    const own = classes.rows[k] as number;
    const left = Math.max(0, Math.min(before + own, first + rows) - Math.max(before, from));
    before += own;
    const share = (classes.appearances[k] as number) / total;
    const missing = Math.exp(ids * Math.log1p(-Math.min(1, share)));
    variance += left * missing * (1 - missing);
    slope += left * share * missing;
  }
  return variance + slope ** 2 * lookupVariance(table, lookups / devices) * devices;
}
