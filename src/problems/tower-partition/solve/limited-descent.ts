import { isConflicting } from "../../../program/grouping/conflict.js";
import { weightOf } from "../../../program/grouping/evaluate.js";
import type { Grouping, SizeWindow } from "../../../program/grouping/grouping.js";
import { type ShouldStop, UNITS } from "../../../search/work.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import { groupOf } from "./clusters.js";

/** Changes in a row that bring nothing before the search ends, by item; and for how many an item stays where it was put. */
const IDLE = 2;
const TENURE = 4;

/** A numbering is better where it costs less by more than this part. */
const MIN_GAIN = 1e-9;

/**
 * A good numbering within all limits of groups, from one with sizes in the window that may break others. A tabu search:
 * an item moves, or two change places, so that least is broken; of such changes, the cheapest. `null`: it met no
 * numbering within all limits, though there may be one.
 */
export function limitedDescent(
  grouping: Grouping,
  numbers: DescentProblem,
  window: SizeWindow,
  start: readonly number[],
  shouldStop: ShouldStop,
): readonly number[] | null {
  return new Search(grouping, numbers, window, start).run(shouldStop);
}

/** One group: what it costs, and by how much it breaks its limits. */
interface Worth {
  readonly items: readonly number[];
  readonly cost: number;
  readonly excess: number;
}

/** What two groups become, and the items that go from one to the other. */
interface Change {
  readonly groups: readonly [number, number];
  readonly after: readonly [Worth, Worth];
  readonly moved: readonly number[];
  readonly excess: number;
  readonly cost: number;
}

class Search {
  readonly #grouping: Grouping;
  readonly #numbers: DescentProblem;
  readonly #window: SizeWindow;
  readonly #groups: Worth[];
  /** By item: the round from which on it may leave again. */
  readonly #free: Int32Array;

  constructor(grouping: Grouping, numbers: DescentProblem, window: SizeWindow, start: readonly number[]) {
    this.#grouping = grouping;
    this.#numbers = numbers;
    this.#window = window;
    this.#groups = Array.from({ length: numbers.groups }, (_, g) =>
      this.#worthOf([...start.keys()].filter((item) => start[item] === g)),
    );
    this.#free = new Int32Array(numbers.items);
  }

  run(shouldStop: ShouldStop): readonly number[] | null {
    let best: { readonly numbering: readonly number[]; readonly cost: number } | null = null;
    const { items, groups } = this.#numbers;
    const units = (items ** 4 / groups ** 2) * UNITS.pair;
    for (let round = 0, idle = 0; idle < IDLE * this.#numbers.items && !shouldStop(units); round++, idle++) {
      const cost = this.#groups.reduce((sum, group) => sum + group.cost, 0);
      const isWithin = this.#groups.every(({ excess }) => excess === 0);
      if (isWithin && (best === null || cost < best.cost - MIN_GAIN * Math.abs(best.cost))) {
        best = { numbering: this.#numbering(), cost };
        idle = 0;
      }
      const change = this.#bestChange(round);
      if (change === null) break;
      change.groups.forEach((group, k) => {
        this.#groups[group] = change.after[k] as Worth;
      });
      for (const item of change.moved) this.#free[item] = round + 1 + TENURE;
    }
    return best?.numbering ?? null;
  }

  #bestChange(round: number): Change | null {
    const { least, most } = this.#window;
    const isFree = (item: number) => (this.#free[item] as number) <= round;
    let best: Change | null = null;
    const consider = (a: number, b: number, leaving: number, entering: number | null) => {
      const [one, other] = [this.#groups[a] as Worth, this.#groups[b] as Worth];
      const first = one.items.filter((item) => item !== leaving);
      const second = [...other.items.filter((item) => item !== entering), leaving];
      const after = [this.#worthOf(entering === null ? first : [...first, entering]), this.#worthOf(second)] as const;
      const excess = after[0].excess + after[1].excess - one.excess - other.excess;
      const cost = after[0].cost + after[1].cost - one.cost - other.cost;
      if (best !== null && (excess > best.excess || (excess === best.excess && cost >= best.cost))) return;
      const moved = entering === null ? [leaving] : [leaving, entering];
      best = { groups: [a, b], after, moved, excess, cost };
    };
    const all = [...this.#groups.entries()];
    for (const [a, one] of all) {
      for (const [b, other] of all) {
        if (a === b) continue;
        const hasRoom = one.items.length > least && other.items.length < most;
        for (const leaving of one.items.filter(isFree)) {
          if (hasRoom) consider(a, b, leaving, null);
          if (a < b) for (const entering of other.items.filter(isFree)) consider(a, b, leaving, entering);
        }
      }
    }
    return best;
  }

  #worthOf(items: readonly number[]): Worth {
    const { load, furtherLoads = [], conflicts = [] } = this.#grouping;
    let excess = conflicts.filter((conflict) => isConflicting(conflict, items)).length;
    for (const one of load === null ? furtherLoads : [load, ...furtherLoads]) {
      const over = weightOf(one, items).subtract(one.most);
      if (over.sign() > 0) excess += over.toNumber() / (one.most.toNumber() || 1);
    }
    return { items, cost: groupOf(this.#numbers, items).cost, excess };
  }

  #numbering(): readonly number[] {
    const numbering = new Array<number>(this.#numbers.items).fill(0);
    for (const [group, { items }] of this.#groups.entries()) for (const item of items) numbering[item] = group;
    return numbering;
  }
}
