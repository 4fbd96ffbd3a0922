import type { Room } from "../core/pattern-lp.js";

/** Shards of one kind: what one is worth, what it needs as shares, and how many a device may have. */
export interface Offer extends Room {
  readonly worth: number;
  readonly most: number;
}

/** What a device holds at best. */
export interface Filling {
  readonly worth: number;
  /** By offer. */
  readonly counts: readonly number[];
  /** What more room is worth: of the offer that is the first not to fit whole. */
  readonly density: Room;
  /** Partial fillings looked at. */
  readonly looks: number;
}

/** Fillings within this part of the best count as good: sums of doubles differ by as much. */
const HAIR = 1e-12;

/**
 * The bounded knapsack of cost and memory, exactly: depth first, most worth for its cost first, left where what still fits in part, by
 * either of the two, adds too little. `null` after so many looks.
 */
export function bestFilling(offers: readonly Offer[], room: Room, mostLooks: number): Filling | null {
  // Memory may be filled to the last byte, which doubles hold as shares.
  const most = ({ cost, hbm, most: own }: Offer, left: Room) =>
    Math.min(own, cost === 0 ? own : Math.floor(left.cost / cost), hbm === 0 ? own : Math.floor(left.hbm / hbm + HAIR));
  const open = [...offers.keys()].filter((k) => {
    const offer = offers[k] as Offer;
    return offer.worth > 0 && most(offer, room) > 0;
  });
  const by = (kind: keyof Room) => (k: number) => (offers[k] as Offer).worth / (offers[k] as Offer)[kind];
  const [byCost, byHbm] = [by("cost"), by("hbm")];
  open.sort((a, b) => byCost(b) - byCost(a) || a - b);
  // The densest in memory of those from each one on; in cost they fall.
  const densest = new Array<number>(open.length).fill(0);
  for (let k = open.length - 1; k >= 0; k--) densest[k] = Math.max(byHbm(open[k] as number), densest[k + 1] ?? 0);
  const counts = new Array<number>(offers.length).fill(0);
  let best = { worth: 0, counts: counts.slice() };
  let looks = 0;
  const visit = (k: number, worth: number, left: Room): void => {
    looks++;
    if (worth > best.worth) best = { worth, counts: counts.slice() };
    const at = open[k];
    if (at === undefined || looks > mostLooks) return;
    const perByte = densest[k] as number;
    // What costs nothing, or needs no memory, fits beside all.
    const within = (each: number, own: number) => (Number.isFinite(each) ? each * Math.max(0, own) : each);
    if (worth + Math.min(within(byCost(at), left.cost), within(perByte, left.hbm)) <= best.worth * (1 + HAIR)) return;
    const offer = offers[at] as Offer;
    for (let count = most(offer, left); count >= 0; count--) {
      counts[at] = count;
      visit(k + 1, worth + count * offer.worth, {
        cost: left.cost - count * offer.cost,
        hbm: left.hbm - count * offer.hbm,
      });
    }
    counts[at] = 0;
  };
  visit(0, 0, room);
  if (looks > mostLooks) return null;
  const density = { cost: densityOf("cost", byCost), hbm: densityOf("hbm", byHbm) };
  return { ...best, density, looks };

  function densityOf(kind: keyof Room, of: (k: number) => number): number {
    let left = room[kind];
    const broken = open
      .toSorted((a, b) => of(b) - of(a) || a - b)
      .find((k) => {
        left -= (offers[k] as Offer)[kind] * (offers[k] as Offer).most;
        return left < 0;
      });
    return broken === undefined ? 0 : of(broken);
  }
}
