import { LOOSE, type PricedPart } from "../core/pattern-lp.js";
import type { DeviceGroup, FreePart } from "./base-model.js";
import { peakOf } from "./base-model.js";
import { boundsOnGrid } from "./pattern-grid.js";

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

/** Where the best pattern in these does not fit, but for rounding, they are divided so. */
const FINER = 4;
const MOST_CELLS = FINER * CELLS;

/** A value that is rounding. */
const NOTHING = 1e-11;

const UNITS_PER_CELL = 1e-6;
const UNITS_PER_LOOK = 6e-5;

/** How much bounds count what all devices of a host have, the rest being the host's mean. */
const PEAK_SHARES = [0, 0.5, 1];

/** Ranges of the most that one device has beyond the others that are looked at apart. */
const MAX_RANGES = 6;

/**
 * Partial patterns that a search for the best exact one looks at; before costs and bytes are looked at together; and where nothing
 * else is left to find, so that the bound is the best there is.
 */
const MAX_VISITS = 20_000;
const FIRST_VISITS = 300;
const LAST_VISITS = 500_000;

/** Patterns on the way to the best one that are good enough to be kept. */
const MAX_OTHERS = 8;

/** One part of a table as the knapsack sees it. */
interface Item extends PricedPart<FreePart> {
  readonly weight: number;
}

/** What a device may be filled with, and what it has. */
interface Filled {
  readonly tables: readonly (readonly Item[])[];
  readonly capacity: number;
  readonly memory: number;
  /** A cell of cost. */
  readonly cell: number;
}

/**
 * The best pattern: at most one part per table, within a capacity of cost and one of bytes. Dynamic programming over
 * costs in cells bounds it from above; where its pattern does not fit, a depth-first search under this bound finds the best that
 * does, and one under bounds of cost and bytes together where memory is what it does not fit in.
 */
export class PatternKnapsack {
  /** Units of work beyond one solve for each filling, so far. */
  units = 0;
  /** Whether a search is gone on with to its end, nearly always. */
  isThorough = false;
  /** Whether one was given up since this was last `false`. */
  isLeft = false;
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
    const tables = parts.flatMap((own) => {
      const items = offers(own, capacity, memory, cell, worthOf);
      return items.length === 0 ? [] : [items];
    });
    if (tables.length === 0) return { most: 0, parts: [] };
    // A search decides the last table first: what takes most bytes, after which bounds are near.
    const mostBytes = (items: readonly Item[]) => Math.max(...items.map(({ part }) => part.hbm));
    tables.sort((a, b) => mostBytes(a) - mostBytes(b));
    while (this.#before.length <= tables.length) {
      this.#before.push(new Float64Array(MOST_CELLS + 1));
      this.#choices.push(new Int16Array(MOST_CELLS + 1));
    }
    const before = this.units;
    const { most, taken } = this.#solve(tables, Math.min(CELLS, cellsOf(capacity * LOOSE, cell)));
    this.units = before;
    if (fits(taken, capacity, memory)) return { most, parts: partsOf(taken) };
    const hasPeaks = tables.some((items) => items.some(({ part }) => part.over > 0));
    const device = { tables, capacity, memory, cell };
    return hasPeaks ? this.#belowPeaks(device) : this.#exactly(device, { bound: most, taken });
  }

  /**
   * The best pattern of which one device of the host has no more than the capacity either: by ranges of the most that one device
   * has beyond the others, the most promising first, each a search under bounds by the host's mean, by what all its devices have,
   * and by mixtures of both.
   */
  #belowPeaks(device: Filled): Filling {
    const { tables: coarse, capacity, cell } = device;
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
      const own = { ...device, tables };
      const found = this.#search(own, bounds, { bound, taken: known }, { level: capacity - low });
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
      );
      const before = this.#before.slice(0, tables.length + 1).map((own) => own.slice(0, room + 1));
      const bound: RestBound = (t, cost, _, left) =>
        (before[t] as Float64Array)[Math.min(room, cellsOf(mix(cost, left), cell))] as number;
      return { bound, most };
    });
    return { bound: Math.min(...rooms.map(({ most }) => most)), bounds: rooms.map(({ bound }) => bound) };
  }

  /** The best pattern that fits, below a bound by costs in cells, as they were solved last; then where bytes do not fit a better one. */
  #exactly(device: Filled, { bound, taken: inCells }: Known): Filling {
    const { tables, memory, cell } = device;
    const first = this.#search(device, [this.#byCost(cell)], { bound, taken: [] }, { most: FIRST_VISITS });
    if (first.isComplete) return first;
    const taken = tables.flatMap((items) => items.filter(({ part }) => first.parts.includes(part)));
    const isCostAlone = bytesOf(inCells) <= memory * LOOSE;
    const last = isCostAlone ? this.#inFinerCells(device, { bound, taken }) : this.#onGrid(device, { bound, taken });
    return { ...last, others: [...(first.others ?? []), ...(last.others ?? [])] };
  }

  #inFinerCells(device: Filled, known: Known): Filling {
    const fine = device.cell / FINER;
    this.#solve(
      weighed(device.tables, ({ part }) => Math.floor(part.cost / fine)),
      cellsOf(device.capacity * LOOSE, fine),
    );
    return this.#search(device, [this.#byCost(fine)], known);
  }

  /** Costs and bytes in cells together: what each leaves of the other is known then. */
  #onGrid(device: Filled, { bound, taken }: Known): Filling {
    const grid = boundsOnGrid(device.tables, device.capacity, device.memory);
    this.units += UNITS_PER_CELL * grid.cells;
    const begun = { bound: Math.min(bound, grid.most), taken };
    const most = this.isThorough ? LAST_VISITS : MAX_VISITS;
    const found = this.#search(device, [grid.rest, this.#byCost(device.cell)], begun, { most });
    this.isLeft ||= !found.isComplete;
    return found;
  }

  /** A bound by costs alone, in the cells that they were solved in last. */
  #byCost(cell: number): RestBound {
    return (t, cost) => (this.#before[t] as Float64Array)[cellsOf(cost, cell)] as number;
  }

  /** The best pattern of costs in cells. */
  #solve(tables: readonly (readonly Item[])[], room: number): { most: number; taken: readonly Item[] } {
    for (const [t, items] of tables.entries()) {
      this.#extend(items, t, room);
      this.units += UNITS_PER_CELL * items.length * room;
    }
    return { most: this.#before[tables.length]?.[room] as number, taken: this.#trace(tables, room) };
  }

  #extend(items: readonly Item[], t: number, room: number): void {
    const before = this.#before[t] as Float64Array;
    const best = this.#before[t + 1] as Float64Array;
    const choice = this.#choices[t] as Int16Array;
    best.set(before.subarray(0, room + 1));
    choice.fill(-1, 0, room + 1);
    items.forEach(({ weight, value }, k) => {
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
    { tables, capacity, memory }: Filled,
    bounds: readonly RestBound[],
    { bound, taken: begun }: Known,
    { level = capacity, most: mostVisits = MAX_VISITS } = {},
  ): Filling & { readonly isComplete: boolean } {
    let best = begun.reduce((sum, { value }) => sum + value, 0);
    let parts: readonly FreePart[] = partsOf(begun);
    let visits = 0;
    let looks = 0;
    const others: (readonly FreePart[])[] = [];
    const taken: FreePart[] = [];
    // The most that the first `t` tables add.
    const mostOf = (t: number, cost: number, bytes: number, level: number) => {
      let most = Number.POSITIVE_INFINITY;
      for (const bound of bounds) most = Math.min(most, bound(t, cost, bytes, level));
      return most;
    };
    // `level`: what is left of the capacity by what all devices of a host have, beside the most that one has beyond.
    const visit = (t: number, value: number, cost: number, bytes: number, level: number, over: number): boolean => {
      if (++visits > mostVisits) return false;
      if (value > best) {
        best = value;
        if (parts.length > 0) others.push(parts);
        parts = taken.slice();
      }
      if (t === 0) return true;
      const rest = mostOf(t - 1, cost, bytes, level);
      for (const { part, value: own } of tables[t - 1] as readonly Item[]) {
        looks++;
        // Those that follow are worth less.
        if (value + own + rest <= best + NOTHING) break;
        const left = cost - part.cost;
        const most = Math.max(over, part.over);
        const room = level - part.least - (most - over);
        if (left < 0 || room < 0 || part.hbm > bytes) continue;
        if (value + own + mostOf(t - 1, left, bytes - part.hbm, room) <= best + NOTHING) continue;
        taken.push(part);
        const goesOn = visit(t - 1, value + own, left, bytes - part.hbm, room, most);
        taken.pop();
        if (!goesOn) return false;
      }
      return value + rest <= best + NOTHING || visit(t - 1, value, cost, bytes, level, over);
    };
    const isComplete = visit(tables.length, 0, capacity * LOOSE, memory * LOOSE, level * LOOSE, capacity - level);
    this.units += UNITS_PER_LOOK * looks;
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

/** What no pattern is worth more than, and the best pattern known. */
interface Known {
  readonly bound: number;
  readonly taken: readonly Item[];
}

/** The items with other weights. */
function weighed(tables: readonly (readonly Item[])[], weightOf: (item: Item) => number): Item[][] {
  return tables.map((items) => items.map((item) => ({ ...item, weight: weightOf(item) })));
}

function cellsOf(cost: number, cell: number): number {
  return Math.min(MOST_CELLS, Math.floor(cost / cell + 1e-9));
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
  items.sort((a, b) => b.value - a.value);
  return items.filter(({ part }, k) => !items.some((other, j) => j < k && takesNoMore(other.part, part)));
}

/** Whether a part takes no more of anything than another one. */
function takesNoMore(one: FreePart, other: FreePart): boolean {
  return (
    one.cost <= other.cost &&
    one.hbm <= other.hbm &&
    one.least <= other.least &&
    one.least + one.over <= other.least + other.over
  );
}

function fits(items: readonly Item[], capacity: number, memory: number): boolean {
  const cost = items.reduce((sum, { part }) => sum + part.cost, 0);
  const peak = peakOf(items.map(({ part }) => part));
  return Math.max(cost, peak) <= capacity * LOOSE && bytesOf(items) <= memory * LOOSE;
}

function bytesOf(items: readonly Item[]): number {
  return items.reduce((sum, { part }) => sum + part.hbm, 0);
}
