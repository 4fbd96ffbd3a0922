import type { DeviceGroup, FreePart } from "./base-model.js";

/** What a device is best filled with. */
export interface Filling {
  /** No pattern is worth more. */
  readonly most: number;
  /** The best pattern found. */
  readonly parts: readonly FreePart[];
}

/** Grains of a capacity: costs are rounded down to them, so that nothing that fits is left out. */
const CELLS = 2000;

/** A value that is rounding. */
const NOTHING = 1e-11;

/** Sums of doubles that fit but for rounding. */
const LOOSE = 1 + 1e-12;

/** Partial patterns that a search for the best exact one looks at. */
const MAX_VISITS = 20_000;

/** One part of a table as the knapsack sees it. */
interface Item {
  readonly part: FreePart;
  readonly weight: number;
  readonly value: number;
}

/**
 * The best pattern: at most one part per table, within a capacity of cost and one of bytes. Dynamic programming over
 * costs in cells, bytes aside, bounds it from above; where its pattern does not fit, a depth-first search under these
 * bounds finds the best that does.
 */
export class PatternKnapsack {
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
    const room = Math.min(CELLS, Math.floor((capacity * LOOSE) / cell + 1e-9));
    const tables = parts.flatMap((own) => {
      const items = offers(own, capacity, memory, cell, worthOf);
      return items.length === 0 ? [] : [items];
    });
    if (tables.length === 0) return { most: 0, parts: [] };
    while (this.#before.length <= tables.length) {
      this.#before.push(new Float64Array(CELLS + 1));
      this.#choices.push(new Int16Array(CELLS + 1));
    }
    for (const [t, items] of tables.entries()) this.#extend(items, t, room);
    const most = this.#before[tables.length]?.[room] as number;
    const taken = this.#trace(tables, room);
    if (fits(taken, capacity, memory)) return { most, parts: taken };
    return this.#search(tables, capacity, memory, cell, most);
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

  #trace(tables: readonly (readonly Item[])[], room: number): FreePart[] {
    const taken: FreePart[] = [];
    let at = room;
    for (let t = tables.length - 1; t >= 0; t--) {
      const k = this.#choices[t]?.[at] as number;
      if (k < 0) continue;
      const { part, weight } = (tables[t] as readonly Item[])[k] as Item;
      taken.push(part);
      at -= weight;
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
    cell: number,
    bound: number,
  ): Filling {
    let best = 0;
    let parts: readonly FreePart[] = [];
    let visits = 0;
    const taken: FreePart[] = [];
    const visit = (t: number, value: number, cost: number, bytes: number): boolean => {
      if (++visits > MAX_VISITS) return false;
      if (value > best) {
        best = value;
        parts = taken.slice();
      }
      if (t === 0) return true;
      const above = this.#before[t] as Float64Array;
      const room = Math.min(CELLS, Math.floor(cost / cell + 1e-9));
      if (value + (above[room] as number) <= best + NOTHING) return true;
      const below = this.#before[t - 1] as Float64Array;
      for (const { part, value: own } of tables[t - 1] as readonly Item[]) {
        const left = cost - part.cost;
        if (left < 0 || part.hbm > bytes) continue;
        const rest = below[Math.min(CELLS, Math.floor(left / cell + 1e-9))] as number;
        if (value + own + rest <= best + NOTHING) continue;
        taken.push(part);
        const goesOn = visit(t - 1, value + own, left, bytes - part.hbm);
        taken.pop();
        if (!goesOn) return false;
      }
      return visit(t - 1, value, cost, bytes);
    };
    const isComplete = visit(tables.length, 0, capacity * LOOSE, memory * LOOSE);
    return { most: isComplete ? Math.min(bound, best + NOTHING) : bound, parts };
  }
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
    if (part.cost > capacity * LOOSE || part.hbm > memory * LOOSE) continue;
    const value = worthOf(part);
    if (value > NOTHING) items.push({ part, weight: Math.floor(part.cost / cell), value });
  }
  return items.sort((a, b) => b.value - a.value);
}

function fits(parts: readonly FreePart[], capacity: number, memory: number): boolean {
  const cost = parts.reduce((sum, part) => sum + part.cost, 0);
  const bytes = parts.reduce((sum, part) => sum + part.hbm, 0);
  return cost <= capacity * LOOSE && bytes <= memory * LOOSE;
}
