import {
  LINKS,
  linkOf,
  type PlacedFleet,
  type PlacedPart,
  type PlacedTable,
} from "../../access/traffic/placed-table.js";

/** For each kind of link, the bytes that one id or one vector sends over it, by the cells of what was counted. */
export type LinkWeights = readonly Float64Array[];

/** Bytes of ids that are sent to where their rows are, by the sample's device and, inside, the block. */
export function idWeights(part: PlacedPart, fleet: PlacedFleet): LinkWeights {
  const blocks = part.blocks.length;
  const weights = LINKS.map(() => new Float64Array(fleet.devices * blocks));
  if (part.exchange === "none") return weights;
  for (const { block, device } of part.shards) {
    for (let from = 0; from < fleet.devices; from++) {
      add(weights[linkOf(fleet, from, device)], from * blocks + block, part.bytes.id);
    }
  }
  return weights;
}

/**
 * Bytes of vectors on their way to the samples: by the sample's device for bags; for sequences also by the block, as for ids. In a
 * group a vector goes first to the device with the number that the sample's has in its own; shards of groups are of pooled tables.
 */
export function vectorWeights(part: PlacedPart, fleet: PlacedFleet, isPooled: boolean): LinkWeights {
  const { exchange, groupSize, bytes, shards } = part;
  const blocks = isPooled ? 1 : part.blocks.length;
  const weights = LINKS.map(() => new Float64Array(fleet.devices * blocks));
  if (exchange === "none") return weights;
  for (const { block, columns, device } of shards) {
    for (let to = 0; to < fleet.devices; to++) {
      const cell = isPooled ? to : to * blocks + block;
      if (exchange === "all-to-all") {
        add(weights[linkOf(fleet, device, to)], cell, columns * bytes.element);
        continue;
      }
      const relay = device - (device % groupSize) + (to % groupSize);
      add(weights[linkOf(fleet, device, relay)], cell, columns * bytes.element);
      if (relay !== device || groupSize === fleet.devices) continue;
      // What the other shards of the group sent is one vector with its own by then.
      add(weights[linkOf(fleet, device, to)], cell, columns * bytes.betweenGroups);
    }
  }
  return weights;
}

function add(list: Float64Array | undefined, index: number, amount: number): void {
  if (list !== undefined) list[index] = (list[index] as number) + amount;
}

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
