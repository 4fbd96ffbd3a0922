import type { Budget } from "./dual-weights.js";

/** Numbers per label: what is left of cost, device memory and host memory, the value, and the bound. */
const FIELDS = 5;
const [COST, HBM, HOST, VALUE, BOUND] = [0, 1, 2, 3, 4] as const;

/** With host memory in it, a label is compared with so many kept ones at most. */
const MAX_COMPARED = 64;

/** The partial patterns over the first tables, as flat arrays. */
export class LabelLayer {
  count = 0;
  #numbers: Float64Array;
  /** Parent, offer and groups of each label. */
  #links: Int32Array;

  /** `expected`: how many labels it is likely to have. */
  constructor(expected = 1) {
    // Of none nothing could grow.
    const first = Math.max(1, expected);
    this.#numbers = new Float64Array(first * FIELDS);
    this.#links = new Int32Array(first * 3);
  }

  /** The pattern of nothing. */
  static empty(budget: Budget): LabelLayer {
    const layer = new LabelLayer();
    layer.push(budget.cost, budget.hbm, budget.host, 0, Number.POSITIVE_INFINITY, -1, -1, 0);
    return layer;
  }

  /**
   * What is left of a device that holds a partial pattern, what that is worth, and which groups of `apart` it has met; `offer`:
   * the index of the offer that was taken of the last table, −1 for none. Numbers, not an object: there are millions of them.
   */
  push(
    cost: number,
    hbm: number,
    host: number,
    value: number,
    bound: number,
    parent: number,
    offer: number,
    groups: number,
  ): void {
    if ((this.count + 1) * FIELDS > this.#numbers.length) this.#grow();
    let at = this.count * FIELDS;
    this.#numbers[at++] = cost;
    this.#numbers[at++] = hbm;
    this.#numbers[at++] = host;
    this.#numbers[at++] = value;
    this.#numbers[at] = bound;
    at = this.count * 3;
    this.#links[at++] = parent;
    this.#links[at++] = offer;
    this.#links[at] = groups;
    this.count++;
  }

  cost(k: number): number {
    return this.#numbers[k * FIELDS + COST] as number;
  }

  hbm(k: number): number {
    return this.#numbers[k * FIELDS + HBM] as number;
  }

  host(k: number): number {
    return this.#numbers[k * FIELDS + HOST] as number;
  }

  groups(k: number): number {
    return this.#links[3 * k + 2] as number;
  }

  value(k: number): number {
    return this.#numbers[k * FIELDS + VALUE] as number;
  }

  parent(k: number): number {
    return this.#links[3 * k] as number;
  }

  offer(k: number): number {
    return this.#links[3 * k + 1] as number;
  }

  /**
   * Without the labels that another leaves as much room as and is worth as much as. Those that have met other groups are not
   * compared, and where host memory is used up to different degrees, only with some: more may stay than need to.
   */
  undominated(): LabelLayer {
    const kept = new LabelLayer(this.count);
    const fronts = new Map<number, Front>();
    for (const k of this.#sortedBy(VALUE)) {
      const [cost, hbm, host, groups] = [this.cost(k), this.hbm(k), this.host(k), this.groups(k)];
      let front = fronts.get(groups);
      if (front === undefined) {
        front = new Front();
        fronts.set(groups, front);
      }
      if (front.covers(cost, hbm, host)) continue;
      front.add(cost, hbm, host);
      kept.#copy(this, k);
    }
    return kept;
  }

  /** The labels of greatest bound, so many at most. */
  best(width: number): LabelLayer {
    if (this.count <= width) return this;
    const kept = new LabelLayer(width);
    for (const k of this.#sortedBy(BOUND).subarray(0, width)) kept.#copy(this, k);
    return kept;
  }

  #sortedBy(field: number): Int32Array {
    const keys = new Float64Array(this.count);
    for (let k = 0; k < this.count; k++) keys[k] = this.#numbers[k * FIELDS + field] as number;
    return fallingOrder(keys);
  }

  #copy(from: LabelLayer, k: number): void {
    if ((this.count + 1) * FIELDS > this.#numbers.length) this.#grow();
    let [at, source] = [this.count * FIELDS, k * FIELDS];
    for (let field = 0; field < FIELDS; field++) this.#numbers[at++] = from.#numbers[source++] as number;
    [at, source] = [this.count * 3, k * 3];
    for (let link = 0; link < 3; link++) this.#links[at++] = from.#links[source++] as number;
    this.count++;
  }

  #grow(): void {
    const numbers = new Float64Array(2 * this.#numbers.length);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    const links = new Int32Array(2 * this.#links.length);
    links.set(this.#links);
    this.#links = links;
  }
}

/**
 * What labels of no less value leave: a staircase of cost against device memory among those that leave all of one host
 * memory, and a list of some of the others.
 */
class Front {
  #host = Number.NaN;
  /** Falling in cost, rising in memory. */
  readonly #costs: number[] = [];
  readonly #hbms: number[] = [];
  readonly #others: (readonly [cost: number, hbm: number, host: number])[] = [];

  covers(cost: number, hbm: number, host: number): boolean {
    if (host <= this.#host) {
      const at = this.#firstBelow(cost);
      if (at > 0 && (this.#hbms[at - 1] as number) >= hbm) return true;
    }
    return this.#others.some(([c, h, o]) => c >= cost && h >= hbm && o >= host);
  }

  add(cost: number, hbm: number, host: number): void {
    if (Number.isNaN(this.#host)) this.#host = host;
    if (host !== this.#host) {
      this.#others.push([cost, hbm, host]);
      if (this.#others.length > MAX_COMPARED) this.#others.shift();
      return;
    }
    const at = this.#firstBelow(cost);
    let end = at;
    while (end < this.#costs.length && (this.#hbms[end] as number) <= hbm) end++;
    this.#costs.splice(at, end - at, cost);
    this.#hbms.splice(at, end - at, hbm);
  }

  /** The first step whose cost is below this. */
  #firstBelow(cost: number): number {
    let low = 0;
    let high = this.#costs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#costs[middle] as number) >= cost) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * Indices of keys, the greatest first, equal ones as they come: a natural merge sort (Knuth 1998, 5.2.4), which takes little where runs
 * are in order already, and a fraction of what a sort takes that calls a function to compare.
 */
export function fallingOrder(keys: Float64Array): Int32Array {
  const { length } = keys;
  let from = Int32Array.from(keys.keys());
  let to = new Int32Array(length);
  for (;;) {
    let runs = 0;
    for (let start = 0; start < length; runs++) {
      const middle = runEnd(keys, from, start);
      const end = middle === length ? length : runEnd(keys, from, middle);
      merge(keys, from, to, start, middle, end);
      start = end;
    }
    [from, to] = [to, from];
    if (runs <= 1) return from;
  }
}

/** Where the run of falling keys that begins here ends. */
function runEnd(keys: Float64Array, order: Int32Array, start: number): number {
  let end = start + 1;
  while (end < order.length && (keys[order[end] as number] as number) <= (keys[order[end - 1] as number] as number)) {
    end++;
  }
  return end;
}

function merge(keys: Float64Array, from: Int32Array, to: Int32Array, start: number, middle: number, end: number): void {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    const isLeft =
      right >= end ||
      (left < middle && (keys[from[left] as number] as number) >= (keys[from[right] as number] as number));
    to[at] = from[isLeft ? left++ : right++] as number;
  }
}
