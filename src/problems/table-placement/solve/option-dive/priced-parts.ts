import type { FreePart } from "../base-tree/base-model.js";
import { LOOSE, type PricedPart, type Room } from "../core/pattern-lp.js";

/** What is worth less is rounding. */
const NOTHING = 1e-11;

/** By table that offers any, the parts that fit alone and are worth something. */
export function pricedParts(
  parts: readonly (readonly FreePart[])[],
  room: Room,
  worthOf: (part: FreePart) => number,
): PricedPart<FreePart>[][] {
  return parts.flatMap((own) => {
    const priced = own.flatMap((part) => {
      if (part.cost > room.cost * LOOSE || part.hbm > room.hbm * LOOSE) return [];
      const value = worthOf(part);
      return value > NOTHING ? [{ part, value }] : [];
    });
    return priced.length === 0 ? [] : [priced];
  });
}

/** A part that is worth less by this than cost and bytes at their prices is hardly in a good pattern. */
const HARDLY = 2e-3;

/** Steps of the search for a price, and how often it goes from one price to the other. */
const STEPS = 24;
const TURNS = 3;

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Prices at which a device is worth least with what parts, one per table at most, are worth beyond them:
 *
 *   min  λ·cost + μ·bytes + Σ_t max_k max(0, value_k − λ·cost_k − μ·bytes_k)
 *
 * by golden section, one price after the other; near the least, which is all that is asked of them.
 */
export function roomPrices(tables: readonly (readonly PricedPart<Room>[])[], room: Room): Room {
  const worth = (cost: number, hbm: number) => {
    let sum = cost * room.cost + hbm * room.hbm;
    for (const items of tables) {
      let most = 0;
      for (const { part, value } of items) {
        const own = value - cost * part.cost - hbm * part.hbm;
        if (own > most) most = own;
      }
      sum += most;
    }
    return sum;
  };
  // No device is worth more than its patterns, which are worth about one.
  let [cost, hbm] = [0.5 / room.cost, 0.5 / room.hbm];
  for (let turn = 0; turn < TURNS; turn++) {
    cost = least((own) => worth(own, hbm), 2 / room.cost);
    hbm = least((own) => worth(cost, own), 2 / room.hbm);
  }
  return { cost, hbm };
}

/** About where a convex function is least, from 0 on. */
function least(of: (x: number) => number, most: number): number {
  let [low, high] = [0, most];
  let [one, other] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
  let [atOne, atOther] = [of(one), of(other)];
  for (let step = 0; step < STEPS; step++) {
    if (atOne <= atOther) {
      [high, other, atOther] = [other, one, atOne];
      one = high - GOLDEN * (high - low);
      atOne = of(one);
    } else {
      [low, one, atOne] = [one, other, atOther];
      other = low + GOLDEN * (high - low);
      atOther = of(other);
    }
  }
  return (low + high) / 2;
}

/** Tables first whose good parts are all large: what small ones have to fill is known then. */
export function largeFirst<Part extends Room>(
  tables: readonly (readonly PricedPart<Part>[])[],
  room: Room,
  { cost, hbm }: Room,
): (readonly PricedPart<Part>[])[] {
  const sizeOf = (part: Room) => Math.max(part.cost / room.cost, part.hbm / room.hbm);
  const ranked = tables.map((items) => {
    const good = items.filter(({ part, value }) => value - cost * part.cost - hbm * part.hbm > -HARDLY);
    return { items, least: good.length === 0 ? 0 : Math.min(...good.map(({ part }) => sizeOf(part))) };
  });
  return ranked.sort((a, b) => b.least - a.least).map(({ items }) => items);
}
