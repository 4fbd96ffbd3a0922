/** Shards of one cost: what one is worth, what it costs, and how many a device may have. */
export interface Offer {
  readonly worth: number;
  readonly cost: number;
  readonly most: number;
}

/** What a device holds at best. */
export interface Filling {
  readonly worth: number;
  /** By offer. */
  readonly counts: readonly number[];
  /** What more room is worth: of the offer that is the first not to fit whole. */
  readonly density: number;
  /** Partial fillings looked at. */
  readonly looks: number;
}

/** Fillings within this part of the best count as good: sums of doubles differ by as much. */
const HAIR = 1e-12;

/**
 * The bounded knapsack, exactly: depth first, most worth for its cost first, left where what still fits in part adds too little.
 * `null` after so many looks.
 */
export function bestFilling(offers: readonly Offer[], capacity: number, mostLooks: number): Filling | null {
  const order = offers
    .map(({ worth, cost, most }, at) => ({ at, worth, cost, most: Math.min(most, Math.floor(capacity / cost)) }))
    .filter(({ worth, most }) => worth > 0 && most > 0)
    .sort((a, b) => b.worth / b.cost - a.worth / a.cost || a.at - b.at);
  const densities = order.map(({ worth, cost }) => worth / cost);
  const counts = new Array<number>(offers.length).fill(0);
  let best = { worth: 0, counts: counts.slice() };
  let looks = 0;
  const visit = (k: number, worth: number, left: number): void => {
    looks++;
    if (worth > best.worth) best = { worth, counts: counts.slice() };
    const offer = order[k];
    if (offer === undefined || looks > mostLooks) return;
    if (worth + (densities[k] as number) * left <= best.worth * (1 + HAIR)) return;
    for (let count = Math.min(offer.most, Math.floor(left / offer.cost)); count >= 0; count--) {
      counts[offer.at] = count;
      visit(k + 1, worth + count * offer.worth, left - count * offer.cost);
    }
    counts[offer.at] = 0;
  };
  visit(0, 0, capacity);
  if (looks > mostLooks) return null;
  let left = capacity;
  const broken = order.findIndex(({ cost, most }) => {
    left -= cost * most;
    return left < 0;
  });
  return { ...best, density: densities[broken] ?? 0, looks };
}
