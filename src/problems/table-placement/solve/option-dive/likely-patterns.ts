import { LOOSE, type PricedPart, type Room } from "../core/pattern-lp.js";
import { largeFirst, roomPrices } from "./priced-parts.js";

/** No partial pattern. */
const NONE = Number.NEGATIVE_INFINITY;

/** Patterns that are told at a time: the best of so many cells. */
const MOST_TOLD = 8;

/**
 * Of what a part takes, at prices of cost and bytes, so much is taken off its value where partial patterns of a cell are compared: they
 * differ in what they take, and at the end what is filled counts as well.
 */
const PAID = 0.9;

/** A partial pattern of a cell with one more part. */
const UNITS_PER_LOOK = 1e-5;

export interface LikelyPatterns<Part extends Room> {
  /** The best first. */
  readonly patterns: readonly (readonly Part[])[];
  readonly value: number;
  readonly units: number;
}

/** Cells for patterns that are worth more than a device: finer ones where the best of coarse ones are hardly worth more. */
const CELLS = [32, 64];

/** Patterns are worth more by this much, and by this much for finer cells not to be asked. */
const BETTER = 1e-7;
const WORTH_TAKING = 2e-3;

/**
 * Adds likely patterns that are worth more than a device, which is worth 1; whether any of them is new. `spend` says whether to go on.
 */
export function addLikely<Part extends Room>(
  tables: readonly (readonly PricedPart<Part>[])[],
  room: Room,
  add: (pattern: readonly Part[]) => boolean,
  spend: (units: number) => boolean,
): boolean {
  let isNew = false;
  const prices = roomPrices(tables, room);
  for (const cells of CELLS) {
    const { patterns, value, units } = likelyPatterns(tables, room, prices, cells);
    if (!spend(units)) return false;
    if (value <= 1 + BETTER) continue;
    for (const pattern of patterns) if (add(pattern)) isNew = true;
    if (isNew && value > 1 + WORTH_TAKING) break;
  }
  return isNew;
}

/**
 * Good patterns of one part per table at most, and not always the best: dynamic programming over tables, large parts first, that keeps
 * one partial pattern for each cell of cost and bytes, the one that is worth most beyond what it takes, with what it really uses. A
 * device's cost is divided into so many cells, and its bytes: the more there are, the better are the patterns.
 */
export function likelyPatterns<Part extends Room>(
  tables: readonly (readonly PricedPart<Part>[])[],
  room: Room,
  prices: Room,
  cells: number,
): LikelyPatterns<Part> {
  const side = cells + 1;
  const all = side * side;
  const [most, bytes] = [room.cost * LOOSE, room.hbm * LOOSE];
  const [perCost, perByte] = [cells / most, cells / bytes];
  const [paidCost, paidByte] = [PAID * prices.cost, PAID * prices.hbm];
  const sorted = largeFirst(tables, room, prices);
  let now = emptyCells(all);
  let next = emptyCells(all);
  now.beyond[0] = 0;
  const steps = sorted.map(() => ({ from: new Int32Array(all), taken: new Int16Array(all).fill(-1) }));
  let looks = 0;
  sorted.forEach((items, t) => {
    const { from, taken } = steps[t] as (typeof steps)[number];
    const costs = Float64Array.from(items, ({ part }) => part.cost);
    const hbms = Float64Array.from(items, ({ part }) => part.hbm);
    const beyonds = Float64Array.from(items, ({ part, value }) => value - paidCost * part.cost - paidByte * part.hbm);
    next.beyond.set(now.beyond);
    next.cost.set(now.cost);
    next.hbm.set(now.hbm);
    for (let cell = 0; cell < all; cell++) {
      const before = now.beyond[cell] as number;
      if (before === NONE) continue;
      for (let k = 0; k < items.length; k++) {
        const cost = (now.cost[cell] as number) + (costs[k] as number);
        const hbm = (now.hbm[cell] as number) + (hbms[k] as number);
        if (cost > most || hbm > bytes) continue;
        const beyond = before + (beyonds[k] as number);
        const to = Math.floor(cost * perCost) * side + Math.floor(hbm * perByte);
        if (beyond <= (next.beyond[to] as number)) continue;
        next.beyond[to] = beyond;
        next.cost[to] = cost;
        next.hbm[to] = hbm;
        from[to] = cell;
        taken[to] = k;
      }
      looks += items.length;
    }
    [now, next] = [next, now];
  });
  const values = now.beyond.map((beyond, cell) =>
    beyond === NONE ? 0 : beyond + paidCost * (now.cost[cell] as number) + paidByte * (now.hbm[cell] as number),
  );
  const told = [...values.keys()]
    .filter((cell) => (values[cell] as number) > 0)
    .sort((a, b) => (values[b] as number) - (values[a] as number) || a - b)
    .slice(0, MOST_TOLD);
  const patternAt = (last: number) => {
    const parts: Part[] = [];
    let cell = last;
    for (let t = sorted.length - 1; t >= 0; t--) {
      const { from, taken } = steps[t] as (typeof steps)[number];
      const item = sorted[t]?.[taken[cell] as number];
      if (item === undefined) continue;
      parts.push(item.part);
      cell = from[cell] as number;
    }
    return parts;
  };
  const value = told[0] === undefined ? 0 : (values[told[0]] as number);
  return { patterns: told.map(patternAt), value, units: UNITS_PER_LOOK * looks };
}

function emptyCells(all: number) {
  return { beyond: new Float64Array(all).fill(NONE), cost: new Float64Array(all), hbm: new Float64Array(all) };
}
