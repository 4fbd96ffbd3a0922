import type { DeviceGroup, FreePart } from "./base-model.js";
import { boundsOnGrid } from "./pattern-grid.js";
import { peakOf } from "./pattern-peak.js";

/** What a device is best filled with. */
export interface Filling {
  /** No pattern is worth more. */
  readonly most: number;
  /** The best pattern found. */
  readonly parts: readonly FreePart[];
  /** Good ones that were found on the way. */
  readonly others?: readonly (readonly FreePart[])[];
}

/** Grains of a capacity: costs are rounded down to them, so that nothing that fits is left out. */
const CELLS = 2000;

/** Where the best pattern in these does not fit they are divided so. */
const FINER = 4;
const MOST_CELLS = FINER * CELLS;

/** A value that is rounding. */
const NOTHING = 1e-11;

/** Sums of doubles that fit but for rounding. */
const LOOSE = 1 + 1e-12;

const UNITS_PER_CELL = 1e-6;
const UNITS_PER_VISIT = 3e-4;

/** The search has bounds at the best price, at one that is lower by this factor, and at none. */
const CHEAPER = 8;

/** How much bounds count what all devices of a host have, the rest being the host's mean. */
const PEAK_SHARES = [0, 0.5, 1];

/** Ranges of the most that one device has beyond the others that are looked at apart. */
const MAX_RANGES = 6;

/** Partial patterns that a search for the best exact one looks at; and before costs and bytes are looked at together. */
const MAX_VISITS = 20_000;
const FIRST_VISITS = 1000;

/** Patterns on the way to the best one that are good enough to be kept. */
const MAX_OTHERS = 8;

/** One part of a table as the knapsack sees it. */
interface Item {
  readonly part: FreePart;
  readonly weight: number;
  readonly value: number;
}

/** Prices of a byte that are tried where the best pattern of costs alone does not fit. */
const MAX_PRICES = 12;

/**
 * The best pattern: at most one part per table, within a capacity of cost and one of bytes. Dynamic programming over
 * costs in cells, with bytes at a price (a Lagrange multiplier), bounds it from above; where its pattern does not fit, a
 * depth-first search under these bounds finds the best that does.
 */
export class PatternKnapsack {
  /** Units of work beyond one solve for each filling, so far. */
  units = 0;
  /** By table, the best values before it by room left. */
  readonly #before: Float64Array[] = [];
  readonly #choices: Int16Array[] = [];

  /** `worthOf`: what a part is worth, its own cost and bytes paid; `limit`: the largest capacity there is. */
  fill(
    { parts }: DeviceGroup,
    capacity: number,
    memory: number,
    limit: number,
    worthOf: (part: FreePart) => number,
  ): Filling {
    if (capacity < 0 || memory < 0) return { most: 0, parts: [] };
    const cell = limit / CELLS;
    const room = Math.min(CELLS, cellsOf(capacity * LOOSE, cell));
    const tables = parts.flatMap((own) => {
      const items = offers(own, capacity, memory, cell, worthOf);
      return items.length === 0 ? [] : [items];
    });
    if (tables.length === 0) return { most: 0, parts: [] };
    while (this.#before.length <= tables.length) {
      this.#before.push(new Float64Array(MOST_CELLS + 1));
      this.#choices.push(new Int16Array(MOST_CELLS + 1));
    }
    const before = this.units;
    const { most, taken } = this.#solve(tables, room, 0);
    this.units = before;
    if (fits(taken, capacity, memory)) return { most, parts: partsOf(taken) };
    const hasPeaks = tables.some((items) => items.some(({ part }) => part.over > 0));
    return hasPeaks ? this.#belowPeaks(tables, capacity, memory, cell) : this.#exactly(tables, capacity, memory, cell);
  }

  /**
   * The best pattern of which one device of the host has no more than the capacity either: by ranges of the most that one device
   * has beyond the others, the most promising first, each a search under bounds by the host's mean, by what all its devices have,
   * and by mixtures of both.
   */
  #belowPeaks(coarse: readonly (readonly Item[])[], capacity: number, memory: number, cell: number): Filling {
    const overOf = (items: readonly Item[]) => Math.max(...items.map(({ part }) => part.over));
    const overs = [...new Set(coarse.flatMap((items) => items.map(({ part }) => part.over)))].sort((a, b) => a - b);
    const each = Math.ceil(overs.length / MAX_RANGES);
    const ranges = overs.flatMap((low, k) => (k % each === 0 ? [{ low, high: overs[k + each - 1] ?? Infinity }] : []));
    const within = ({ high }: { readonly high: number }) =>
      coarse.flatMap((items) => {
        const kept = items.filter(({ part }) => part.over <= high);
        return kept.length === 0 ? [] : [kept];
      });
    const bounded = ranges.map((range) => {
      const tables = within(range).sort((a, b) => overOf(a) - overOf(b));
      return { ...range, tables, ...this.#bounds(tables, capacity, capacity - range.low, cell) };
    });
    let best: Filling = { most: 0, parts: [] };
    let known: readonly Item[] = [];
    for (const { low, tables, bound, bounds } of bounded.sort((a, b) => b.bound - a.bound)) {
      if (bound <= best.most) break;
      const found = this.#search(tables, capacity, memory, bounds, { bound, taken: known }, { level: capacity - low });
      best = found.most > best.most || best.parts.length === 0 ? found : { ...best, parts: found.parts };
      known = tables.flatMap((items) => items.filter(({ part }) => found.parts.includes(part)));
    }
    return best;
  }

  /** Bounds of partial patterns by mixtures of a host's mean and of what all its devices have, each with a room of its own. */
  #bounds(tables: readonly (readonly Item[])[], capacity: number, level: number, cell: number) {
    const rooms = PEAK_SHARES.map((share) => {
      const mix = (cost: number, least: number) => (1 - share) * cost + share * least;
      const room = cellsOf(mix(capacity, level) * LOOSE, cell);
      const { most } = this.#solve(
        weighed(tables, ({ part }) => Math.floor(mix(part.cost, part.least) / cell)),
        room,
        0,
      );
      const before = this.#before.slice(0, tables.length + 1).map((own) => own.slice(0, room + 1));
      const bound: RestBound = (t, cost, _, left) =>
        (before[t] as Float64Array)[Math.min(room, cellsOf(mix(cost, left), cell))] as number;
      return { bound, most };
    });
    return { bound: Math.min(...rooms.map(({ most }) => most)), bounds: rooms.map(({ bound }) => bound) };
  }

  /** The best pattern that fits: bytes at the best price, costs in finer cells, then a search. */
  #exactly(coarse: readonly (readonly Item[])[], capacity: number, memory: number, cell: number): Filling {
    // The search decides the last table first: what takes most bytes, after which bounds are near.
    const bytesOf = (items: readonly Item[]) => Math.max(...items.map(({ part }) => part.hbm));
    const sorted = coarse.toSorted((a, b) => bytesOf(a) - bytesOf(b));
    const { price, ...priced } = this.#price(sorted, cellsOf(capacity * LOOSE, cell), capacity, memory);
    // Rounded up, whatever fits in cells fits.
    const low = this.#solve(
      weighed(sorted, ({ part }) => Math.floor(part.cost / cell) + 1),
      cellsOf(capacity, cell),
      price,
    );
    const isBetter = fits(low.taken, capacity, memory) && lineOf(low.taken).value > lineOf(priced.taken).value;
    const known = isBetter ? low.taken : priced.taken;
    const fine = cell / FINER;
    const tables = weighed(sorted, ({ part }) => Math.floor(part.cost / fine));
    const room = cellsOf(capacity * LOOSE, fine);
    const kept = (): readonly Float64Array[] => this.#before.slice(0, tables.length + 1).map((own) => own.slice());
    // Once what is large is decided, bytes are worth less, or nothing.
    const prices = price === 0 ? [0] : [0, price / CHEAPER, price];
    const bounds = prices.map((each): RestBound => {
      this.#solve(tables, room, each);
      const before = kept();
      return (t, cost, bytes) => ((before[t] as Float64Array)[cellsOf(cost, fine)] as number) + each * bytes;
    });
    let bound = priced.bound;
    if (price > 0) {
      // Where bytes decide, the same of bytes in cells, costs aside.
      const byteCell = memory / CELLS;
      const most = cellsOf(memory * LOOSE, byteCell);
      const inBytes = weighed(sorted, ({ part }) => Math.floor(part.hbm / byteCell));
      bound = Math.min(bound, this.#solve(inBytes, most, 0).most);
      const before = kept();
      bounds.push((t, _, bytes) => (before[t] as Float64Array)[cellsOf(bytes, byteCell)] as number);
    }
    const found = this.#search(tables, capacity, memory, bounds, { bound, taken: known }, { most: FIRST_VISITS });
    if (found.isComplete) return found;
    // Costs and bytes in cells together: what each leaves of the other is known then.
    const grid = boundsOnGrid(sorted, capacity, memory);
    this.units += UNITS_PER_CELL * grid.cells;
    const taken = sorted.flatMap((items) => items.filter(({ part }) => found.parts.includes(part)));
    const last = this.#search(tables, capacity, memory, [...bounds, grid.rest], {
      bound: Math.min(bound, grid.most),
      taken,
    });
    return { ...last, others: [...(found.others ?? []), ...(last.others ?? [])] };
  }

  /** The best pattern of costs in cells, a byte at a price. */
  #solve(tables: readonly (readonly Item[])[], room: number, price: number): { most: number; taken: readonly Item[] } {
    for (const [t, items] of tables.entries()) {
      this.#extend(items, t, room, price);
      this.units += UNITS_PER_CELL * items.length * room;
    }
    return { most: this.#before[tables.length]?.[room] as number, taken: this.#trace(tables, room) };
  }

  /**
   * The price of a byte at which the bound is least, about (of the multiplier's dual, the lines), and the best pattern that
   * fits of those on the way.
   */
  #price(tables: readonly (readonly Item[])[], room: number, capacity: number, memory: number): Priced {
    const free = this.#solve(tables, room, 0);
    let [over, under] = [lineOf(free.taken), { value: 0, bytes: 0 }];
    let bound = free.most;
    let best: readonly Item[] = [];
    let price = 0;
    // Where only costs rounded down keep a pattern from fitting, no price helps.
    for (let k = 0; k < MAX_PRICES && over.bytes > memory * LOOSE; k++) {
      const next = (over.value - under.value) / (over.bytes - under.bytes);
      const { most, taken } = this.#solve(tables, room, next);
      const line = lineOf(taken);
      if (most + next * memory * LOOSE < bound) [bound, price] = [most + next * memory * LOOSE, next];
      if (line.value > lineOf(best).value && fits(taken, capacity, memory)) best = taken;
      if (line.value - next * line.bytes <= over.value - next * over.bytes + NOTHING) break;
      if (line.bytes > memory * LOOSE) over = line;
      else under = line;
    }
    return { price, bound, taken: best };
  }

  #extend(items: readonly Item[], t: number, room: number, price: number): void {
    const before = this.#before[t] as Float64Array;
    const best = this.#before[t + 1] as Float64Array;
    const choice = this.#choices[t] as Int16Array;
    best.set(before.subarray(0, room + 1));
    choice.fill(-1, 0, room + 1);
    items.forEach(({ part, weight, value: worth }, k) => {
      const value = worth - price * part.hbm;
      if (value <= 0) return;
      for (let w = weight; w <= room; w++) {
        const sum = (before[w - weight] as number) + value;
        if (sum > (best[w] as number)) {
          best[w] = sum;
          choice[w] = k;
        }
      }
    });
  }

  #trace(tables: readonly (readonly Item[])[], room: number): Item[] {
    const taken: Item[] = [];
    let at = room;
    for (let t = tables.length - 1; t >= 0; t--) {
      const k = this.#choices[t]?.[at] as number;
      if (k < 0) continue;
      const item = (tables[t] as readonly Item[])[k] as Item;
      taken.push(item);
      at -= item.weight;
    }
    return taken;
  }

  /**
   * Depth first over tables, the last one first; a branch is left where even cells cannot make it better than the
   * best.
   */
  #search(
    tables: readonly (readonly Item[])[],
    capacity: number,
    memory: number,
    bounds: readonly RestBound[],
    { bound, taken: begun }: Omit<Priced, "price">,
    { level = capacity, most: mostVisits = MAX_VISITS } = {},
  ): Filling & { readonly isComplete: boolean } {
    let best = lineOf(begun).value;
    let parts: readonly FreePart[] = partsOf(begun);
    let visits = 0;
    const others: (readonly FreePart[])[] = [];
    const taken: FreePart[] = [];
    // With the first `t` tables open.
    const isNoBetter = (t: number, value: number, cost: number, bytes: number, level: number) =>
      bounds.some((most) => value + most(t, cost, bytes, level) <= best + NOTHING);
    // `level`: what is left of the capacity by what all devices of a host have, beside the most that one has beyond.
    const visit = (t: number, value: number, cost: number, bytes: number, level: number, over: number): boolean => {
      if (++visits > mostVisits) return false;
      if (value > best) {
        best = value;
        if (parts.length > 0) others.push(parts);
        parts = taken.slice();
      }
      if (t === 0) return true;
      if (isNoBetter(t, value, cost, bytes, level)) return true;
      for (const { part, value: own } of tables[t - 1] as readonly Item[]) {
        const left = cost - part.cost;
        const most = Math.max(over, part.over);
        const room = level - part.least - (most - over);
        if (left < 0 || room < 0 || part.hbm > bytes) continue;
        if (isNoBetter(t - 1, value + own, left, bytes - part.hbm, room)) continue;
        taken.push(part);
        const goesOn = visit(t - 1, value + own, left, bytes - part.hbm, room, most);
        taken.pop();
        if (!goesOn) return false;
      }
      return visit(t - 1, value, cost, bytes, level, over);
    };
    const isComplete = visit(tables.length, 0, capacity * LOOSE, memory * LOOSE, level * LOOSE, capacity - level);
    this.units += UNITS_PER_VISIT * visits;
    return {
      most: isComplete ? Math.min(bound, best + NOTHING) : bound,
      parts,
      others: others.slice(-MAX_OTHERS),
      isComplete,
    };
  }
}

/** The most that the first `open` tables add, with so much left of cost, of bytes, and of what all devices of a host have. */
type RestBound = (open: number, cost: number, bytes: number, level: number) => number;

/** A bound at a price of bytes, and the best pattern known. */
interface Priced {
  readonly price: number;
  readonly bound: number;
  readonly taken: readonly Item[];
}

/** What a pattern is worth by the price of a byte: value − price · bytes. */
interface Line {
  readonly value: number;
  readonly bytes: number;
}

/** The items with other weights. */
function weighed(tables: readonly (readonly Item[])[], weightOf: (item: Item) => number): Item[][] {
  return tables.map((items) => items.map((item) => ({ ...item, weight: weightOf(item) })));
}

function cellsOf(cost: number, cell: number): number {
  return Math.min(MOST_CELLS, Math.floor(cost / cell + 1e-9));
}

function lineOf(items: readonly Item[]): Line {
  return items.reduce((sum, { part, value }) => ({ value: sum.value + value, bytes: sum.bytes + part.hbm }), {
    value: 0,
    bytes: 0,
  });
}

function partsOf(items: readonly Item[]): FreePart[] {
  return items.map(({ part }) => part);
}

/** The parts of a table that fit alone and are worth anything, best first. */
function offers(
  parts: readonly FreePart[],
  capacity: number,
  memory: number,
  cell: number,
  worthOf: (part: FreePart) => number,
): Item[] {
  const items: Item[] = [];
  for (const part of parts) {
    if (Math.max(part.cost, peakOf([part])) > capacity * LOOSE || part.hbm > memory * LOOSE) continue;
    const value = worthOf(part);
    if (value > NOTHING) items.push({ part, weight: Math.floor(part.cost / cell), value });
  }
  return items.sort((a, b) => b.value - a.value);
}

function fits(items: readonly Item[], capacity: number, memory: number): boolean {
  const cost = items.reduce((sum, { part }) => sum + part.cost, 0);
  const bytes = items.reduce((sum, { part }) => sum + part.hbm, 0);
  const peak = peakOf(items.map(({ part }) => part));
  return Math.max(cost, peak) <= capacity * LOOSE && bytes <= memory * LOOSE;
}
