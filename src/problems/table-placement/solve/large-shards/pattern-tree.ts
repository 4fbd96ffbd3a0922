import type { FreePart } from "../base-tree/base-model.js";
import { boundsOnGrid, type GridBounds } from "../base-tree/pattern-grid.js";
import { LOOSE, type PricedPart, type Room } from "../core/pattern-lp.js";
import { largeFirst } from "./priced-parts.js";

/** Cells of cost, and of bytes, that what is left of a device is looked up in. */
const CELLS = 48;

/** The parts of a device that have cells of their own, of cost and of bytes each: where little is left, small parts are whole as well. */
const SCALES = [1 / 8, 1 / 4, 1 / 2, 1];

/** A value that is rounding, in the unit of values: patterns are worth about one. */
const NOTHING = 1e-9;

const UNITS_PER_VISIT = 1e-3;
const UNITS_PER_CELL = 2e-6;

/**
 * What small shards are worth by, times these, for cost and for bytes each: prices at which little is left of one where the other
 * is what runs out.
 */
const FACTORS = [0, 0.5, 1, 1.5, 2, 4];

/** Pairs of prices that bound what a device is worth, those that small shards are worth by first. */
export function pricesAround({ cost, hbm }: Room): readonly Room[] {
  const all = FACTORS.flatMap((x) => FACTORS.map((y) => ({ cost: x * cost, hbm: y * hbm })));
  return [{ cost, hbm }, ...all.filter((own) => own.cost !== cost || own.hbm !== hbm)];
}

/** What tables are worth beyond their cost and bytes at the prices, by cells. */
interface Rest {
  readonly prices: Room;
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
 * Exact search for patterns, at most one part per table: depth first, tables first whose good parts are all large, under bounds by dynamic
 * programming over cells of what is left of cost and bytes together, finer ones where less is left. Bounds are of values as they are, and of
 * what they are beyond cost and bytes at prices: where small parts are worth what they cost, these are about large ones alone, and hardly
 * anything is lost to rounding. At other prices, without cells, they say what is left to small parts where a large one takes nearly all of
 * the cost or of the bytes.
 */
export class PatternTree {
  readonly #tables: readonly (readonly PricedPart<FreePart>[])[];
  readonly #room: Room;
  readonly #prices: readonly Room[];
  /** By scale of cost and of bytes, where they were asked for. */
  readonly #rests: (readonly Rest[] | undefined)[] = [];
  /** Pairs of prices, the one of cost and the one of bytes each. */
  readonly #around: Float64Array;
  /** By table and pair of prices, what the tables from there on are worth beyond them. */
  readonly #beyond: Float64Array;
  /** The pair that left a branch last. */
  #last = 0;
  /** Units of work so far. */
  units = 0;

  constructor(tables: readonly (readonly PricedPart<FreePart>[])[], room: Room, prices: Room) {
    this.#room = { cost: room.cost * LOOSE, hbm: room.hbm * LOOSE };
    const sorted = tables.map((items) => items.toSorted((a, b) => b.value - a.value));
    this.#tables = largeFirst(sorted, room, prices);
    this.#prices = [{ cost: 0, hbm: 0 }, prices];
    this.#around = Float64Array.from(pricesAround(prices).flatMap(({ cost, hbm }) => [cost, hbm]));
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
      for (const { part, value: own } of tables[t] as readonly PricedPart<FreePart>[]) {
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
    for (const { prices, beyond } of this.#restsFor(cost, hbm)) {
      const own = beyond.rest(open, cost, hbm) + prices.cost * cost + prices.hbm * hbm;
      if (own < least) least = own;
    }
    return least;
  }

  /** The finest cells that hold so much. */
  #restsFor(cost: number, hbm: number): readonly Rest[] {
    const room = this.#room;
    const c = scaleOf(cost / room.cost);
    const h = scaleOf(hbm / room.hbm);
    const at = c * SCALES.length + h;
    let rests = this.#rests[at];
    if (rests === undefined) {
      const own = { cost: room.cost * (SCALES[c] as number), hbm: room.hbm * (SCALES[h] as number) };
      rests = this.#prices.map((prices) => ({ prices, beyond: this.#gridBeyond(prices, own) }));
      this.#rests[at] = rests;
    }
    return rests;
  }

  /** Whether the tables from one on may add more than so much, by all bounds. */
  #hasAbove(t: number, cost: number, hbm: number, value: number): boolean {
    const around = this.#around;
    const beyond = this.#beyond;
    const count = around.length / 2;
    const from = t * count;
    const left = (k: number) =>
      (beyond[from + k] as number) + (around[2 * k] as number) * cost + (around[2 * k + 1] as number) * hbm;
    if (left(this.#last) <= value || this.#restOf(t, cost, hbm) <= value) return false;
    for (let k = 0; k < count; k++) {
      if (left(k) > value) continue;
      this.#last = k;
      return false;
    }
    return true;
  }

  #mostAround(): Float64Array {
    const around = this.#around;
    const count = around.length / 2;
    const sums = new Float64Array((this.#tables.length + 1) * count);
    for (let t = this.#tables.length - 1; t >= 0; t--) {
      for (let k = 0; k < count; k++) {
        let most = 0;
        for (const { part, value } of this.#tables[t] as readonly PricedPart<FreePart>[]) {
          const own = value - (around[2 * k] as number) * part.cost - (around[2 * k + 1] as number) * part.hbm;
          if (own > most) most = own;
        }
        sums[t * count + k] = (sums[(t + 1) * count + k] as number) + most;
      }
    }
    return sums;
  }

  #gridBeyond({ cost, hbm }: Room, room: Room): GridBounds {
    // Its first tables are the last ones here.
    const tables = this.#tables.toReversed().map((items) => {
      const beyond = items.map(({ part, value }) => ({ part, value: value - cost * part.cost - hbm * part.hbm }));
      return beyond.filter(({ part, value }) => value > 0 && part.cost <= room.cost && part.hbm <= room.hbm);
    });
    const grid = boundsOnGrid(tables, room.cost, room.hbm, CELLS);
    this.units += UNITS_PER_CELL * grid.cells;
    return grid;
  }
}

/** Index of the least scale that a part of a device is within. */
function scaleOf(part: number): number {
  let at = 0;
  while (at < SCALES.length - 1 && part > (SCALES[at] as number)) at++;
  return at;
}
