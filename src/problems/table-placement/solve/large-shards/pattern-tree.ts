import type { FreePart } from "../base-tree/base-model.js";
import { boundsOnGrid, type GridBounds } from "../base-tree/pattern-grid.js";
import { type DeviceRoom, LOOSE, type PricedPart } from "./priced-parts.js";

/** Cells of cost, and of bytes, that what is left of a device is looked up in. */
const CELLS = 48;

/** A value that is rounding, in the unit of values: patterns are worth about one. */
const NOTHING = 1e-9;

const UNITS_PER_VISIT = 1e-3;
const UNITS_PER_CELL = 2e-6;

/** Prices of cost and bytes. */
export interface Prices {
  readonly cost: number;
  readonly hbm: number;
}

/**
 * What small shards are worth by, times these, for cost and for bytes each: prices at which little is left of one where the other
 * is what runs out.
 */
const FACTORS = [0, 0.5, 1, 1.5, 2, 4];

/** Pairs of prices that bound what a device is worth, those that small shards are worth by first. */
export function pricesAround({ cost, hbm }: Prices): readonly Prices[] {
  const all = FACTORS.flatMap((x) => FACTORS.map((y) => ({ cost: x * cost, hbm: y * hbm })));
  return [{ cost, hbm }, ...all.filter((own) => own.cost !== cost || own.hbm !== hbm)];
}

/** What tables are worth beyond their cost and bytes at the prices, by cells. */
interface Rest {
  readonly prices: Prices;
  readonly beyond: GridBounds;
}

/** What a search for patterns worth more than so much came to. */
export interface Found {
  /** Each better than the one before. */
  readonly patterns: readonly (readonly FreePart[])[];
  /** Whether all of them were gone through: then none is worth more than the last one, or than what was asked. */
  readonly isComplete: boolean;
}

/**
 * Exact search for patterns, at most one part per table: depth first, large parts first, under bounds by dynamic programming over
 * cells of what is left of cost and bytes together. Bounds are of values as they are, and of what they are beyond cost and bytes at
 * prices: where small parts are worth what they cost, these are about large ones alone, and hardly anything is lost to rounding.
 * At other prices, without cells, they say what is left to small parts where a large one takes nearly all of the cost or of the bytes.
 */
export class PatternTree {
  readonly #tables: readonly (readonly PricedPart[])[];
  readonly #room: DeviceRoom;
  readonly #rests: readonly Rest[];
  readonly #around: readonly Prices[];
  /** By table and pair of prices, what the tables from there on are worth beyond them. */
  readonly #beyond: Float64Array;
  /** The pair that left a branch last. */
  #last = 0;
  /** Units of work so far. */
  units = 0;

  constructor(tables: readonly (readonly PricedPart[])[], room: DeviceRoom, prices: Prices) {
    this.#room = { cost: room.cost * LOOSE, hbm: room.hbm * LOOSE };
    const sizeOf = (items: readonly PricedPart[]) =>
      Math.max(...items.map(({ part }) => Math.max(part.cost / room.cost, part.hbm / room.hbm)));
    const sorted = tables.map((items) => [...items].sort((a, b) => b.value - a.value));
    this.#tables = sorted.sort((a, b) => sizeOf(b) - sizeOf(a));
    this.#rests = [{ cost: 0, hbm: 0 }, prices].map((own) => ({ prices: own, beyond: this.#gridBeyond(own) }));
    this.#around = pricesAround(prices);
    this.#beyond = this.#mostAround();
  }

  /** No pattern is worth more. */
  get bound(): number {
    return this.#restOf(0, this.#room.cost, this.#room.hbm);
  }

  /** The patterns worth more than `floor` that lead to the best one, looking at so many partial ones at most. */
  above(floor: number, mostVisits: number): Found {
    const tables = this.#tables;
    const patterns: (readonly FreePart[])[] = [];
    const taken: FreePart[] = [];
    let best = floor;
    let visits = 0;
    const visit = (t: number, value: number, cost: number, hbm: number): boolean => {
      if (++visits > mostVisits) return false;
      if (value > best + NOTHING) {
        best = value;
        patterns.push(taken.slice());
      }
      if (t === tables.length) return true;
      for (const { part, value: own } of tables[t] as readonly PricedPart[]) {
        const [left, bytes] = [cost - part.cost, hbm - part.hbm];
        if (left < 0 || bytes < 0 || !this.#hasAbove(t + 1, left, bytes, best + NOTHING - value - own)) continue;
        taken.push(part);
        const goesOn = visit(t + 1, value + own, left, bytes);
        taken.pop();
        if (!goesOn) return false;
      }
      return !this.#hasAbove(t + 1, cost, hbm, best + NOTHING - value) || visit(t + 1, value, cost, hbm);
    };
    const isComplete = visit(0, 0, this.#room.cost, this.#room.hbm);
    this.units += UNITS_PER_VISIT * visits;
    return { patterns, isComplete };
  }

  /** What the tables from one on add at most, with so much left of cost and bytes. */
  #restOf(t: number, cost: number, hbm: number): number {
    const open = this.#tables.length - t;
    let least = Number.POSITIVE_INFINITY;
    for (const { prices, beyond } of this.#rests) {
      const own = beyond.rest(open, cost, hbm) + prices.cost * cost + prices.hbm * hbm;
      if (own < least) least = own;
    }
    return least;
  }

  /** Whether the tables from one on may add more than so much, by all bounds. */
  #hasAbove(t: number, cost: number, hbm: number, value: number): boolean {
    const around = this.#around;
    const beyond = this.#beyond;
    const from = t * around.length;
    const isBelow = (k: number) => {
      const prices = around[k] as Prices;
      return (beyond[from + k] as number) + prices.cost * cost + prices.hbm * hbm <= value;
    };
    if (isBelow(this.#last) || this.#restOf(t, cost, hbm) <= value) return false;
    for (let k = 0; k < around.length; k++) {
      if (!isBelow(k)) continue;
      this.#last = k;
      return false;
    }
    return true;
  }

  #mostAround(): Float64Array {
    const count = this.#around.length;
    const sums = new Float64Array((this.#tables.length + 1) * count);
    for (let t = this.#tables.length - 1; t >= 0; t--) {
      this.#around.forEach(({ cost, hbm }, k) => {
        let most = 0;
        for (const { part, value } of this.#tables[t] as readonly PricedPart[]) {
          most = Math.max(most, value - cost * part.cost - hbm * part.hbm);
        }
        sums[t * count + k] = (sums[(t + 1) * count + k] as number) + most;
      });
    }
    return sums;
  }

  #gridBeyond({ cost, hbm }: Prices): GridBounds {
    // Its first tables are the last ones here.
    const tables = this.#tables.toReversed().map((items) => {
      const beyond = items.map(({ part, value }) => ({ part, value: value - cost * part.cost - hbm * part.hbm }));
      return beyond.filter(({ value }) => value > 0);
    });
    const grid = boundsOnGrid(tables, this.#room.cost, this.#room.hbm, CELLS);
    this.units += UNITS_PER_CELL * grid.cells;
    return grid;
  }
}
