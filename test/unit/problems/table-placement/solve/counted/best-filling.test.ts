import { expect, test } from "vitest";
import { bestFilling, type Offer } from "../../../../../../src/problems/table-placement/solve/counted/best-filling.js";
import { drawFrom } from "../../../../../fuzz/oracle/draw.js";

/** The best by going through all. */
function best(offers: readonly Offer[], cost: number, hbm: number, k = 0): number {
  const offer = offers[k];
  if (offer === undefined) return 0;
  let most = 0;
  for (let count = 0; count <= offer.most; count++) {
    const [left, bytes] = [cost - count * offer.cost, hbm - count * offer.hbm];
    if (left < 0 || bytes < 0) break;
    most = Math.max(most, count * offer.worth + best(offers, left, bytes, k + 1));
  }
  return most;
}

test("the best filling is that of going through all, in cost and in memory, with memory set aside too", () => {
  const draw = drawFrom(7);
  for (let round = 0; round < 400; round++) {
    const isAside = draw.oneIn(3);
    const offers = Array.from({ length: draw.int(1, 5) }, () => ({
      ...{ worth: draw.int(-2, 12), cost: draw.int(0, 9), hbm: isAside ? 0 : draw.int(0, 6), most: draw.int(0, 4) },
    }));
    const room = { cost: draw.int(0, 25), hbm: isAside ? Number.POSITIVE_INFINITY : draw.int(0, 15) };
    const found = bestFilling(offers, room, 1e6);
    expect(found?.worth).toBe(best(offers, room.cost, room.hbm));
    const sum = (read: (offer: Offer) => number) =>
      offers.reduce((all, offer, k) => all + (found?.counts[k] as number) * read(offer), 0);
    expect(sum(({ worth }) => worth)).toBe(found?.worth);
    expect(sum(({ cost }) => cost)).toBeLessThanOrEqual(room.cost);
    expect(sum(({ hbm }) => hbm)).toBeLessThanOrEqual(room.hbm);
  }
});

test("too many looks are given up", () => {
  const offers = Array.from({ length: 12 }, (_, k) => ({ worth: 100 + k, cost: 100 + k, hbm: 0, most: 9 }));
  expect(bestFilling(offers, { cost: 1999.5, hbm: Number.POSITIVE_INFINITY }, 50)).toBeNull();
});
