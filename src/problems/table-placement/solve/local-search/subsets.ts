import type { State } from "./state.js";

/** Sets of up to three of a list of slots, the empty one first, and what each adds up to. */
export class Subsets {
  count = 0;
  readonly cost: number[] = [];
  readonly hbm: number[] = [];
  /** Three slots for each set; −1 for none. */
  readonly members: number[] = [];
  /** The sets in rising order of cost, after `sort`. */
  order = new Int32Array(0);

  readonly #isOfSeveral: boolean;

  constructor(isOfSeveral: boolean) {
    this.#isOfSeveral = isOfSeveral;
  }

  /** All sets of one and two, and of three where there are few slots. */
  fill(state: State, slots: readonly number[]): void {
    this.count = 0;
    this.#push(0, 0, -1, -1, -1);
    const { cost, hbm } = state.layout;
    for (let i = 0; i < slots.length; i++) {
      const a = state.shardOf(slots[i] as number);
      const [cost1, hbm1] = [cost[a] as number, hbm[a] as number];
      this.#push(cost1, hbm1, slots[i] as number, -1, -1);
      if (!this.#isOfSeveral || slots.length > PAIRS) continue;
      for (let j = i + 1; j < slots.length; j++) {
        const b = state.shardOf(slots[j] as number);
        const [cost2, hbm2] = [cost1 + (cost[b] as number), hbm1 + (hbm[b] as number)];
        this.#push(cost2, hbm2, slots[i] as number, slots[j] as number, -1);
        if (slots.length > TRIPLES) continue;
        for (let k = j + 1; k < slots.length; k++) {
          const c = state.shardOf(slots[k] as number);
          this.#push(
            cost2 + (cost[c] as number),
            hbm2 + (hbm[c] as number),
            slots[i] as number,
            slots[j] as number,
            slots[k] as number,
          );
        }
      }
    }
  }

  sort(): void {
    const { cost } = this;
    this.order = new Int32Array(this.count);
    for (let k = 0; k < this.count; k++) this.order[k] = k;
    this.order.sort((a, b) => (cost[a] as number) - (cost[b] as number));
  }

  /** The first place in `order` whose cost is at least `value`. */
  find(value: number): number {
    let from = 0;
    let to = this.count;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.cost[this.order[middle] as number] as number) < value) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #push(cost: number, hbm: number, a: number, b: number, c: number): void {
    const at = this.count++;
    this.cost[at] = cost;
    this.hbm[at] = hbm;
    this.members[3 * at] = a;
    this.members[3 * at + 1] = b;
    this.members[3 * at + 2] = c;
  }
}

/** Up to so many slots, their pairs (triples) are listed: some 700 sets in either case. */
const PAIRS = 40;
const TRIPLES = 15;
