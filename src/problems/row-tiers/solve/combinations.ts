import { firstFrom } from "../../../exact/first-from.js";

/** What moving one unit from one slot to another changes, and how many there are to move. */
export interface SlotChange {
  readonly from: number;
  readonly to: number;
  readonly units: number;
  /** Cost beyond the relaxation's bound, with every resource at its price. */
  readonly reduced: number;
  readonly memory: number;
  readonly host: number;
  /** Of the first objective sum less the second. */
  readonly imbalance: number;
}

/** The first `units` units of some changes, taken one after the other, and what they come to together. */
export interface Move {
  readonly changes: readonly SlotChange[];
  readonly units: number;
  /** Two moves at one place are not combined. */
  readonly place: string;
  readonly reduced: number;
  readonly memory: number;
  readonly host: number;
  readonly imbalance: number;
}

/** What is left of each resource; below zero where there is too little. */
export interface Room {
  readonly memory: number;
  readonly host: number;
  readonly imbalance: number;
}

/** Prices of memory and host memory, and the weights of the two objective sums. */
export interface Prices {
  readonly memory: number;
  readonly host: number;
  readonly weights: readonly [number, number];
}

/** No move (entry 0), one, or two at different places: parallel arrays, with places in `moves` of which −1 is none. */
interface Pairs {
  readonly moves: readonly Move[];
  readonly one: Int16Array;
  readonly other: Int16Array;
  readonly reduced: Float64Array;
  readonly memory: Float64Array;
  readonly host: Float64Array;
  readonly imbalance: Float64Array;
}

/** Partners that are looked at for one pair. */
const MAX_PARTNERS = 400;

const MAX_RESULTS = 24;

/**
 * The best combinations of up to two moves that change the use of host memory and two of the others, `mostMoves` of each
 * kind, those of least reduced cost. What they leave over of the room counts at its price, and objective sums that differ
 * with the weight of the smaller one: so a combination costs what the plan then is above the relaxation's bound.
 */
export function combinations(
  moves: readonly Move[],
  room: Room,
  prices: Prices,
  mostMoves: number,
): readonly (readonly Move[])[] {
  const sorted = moves.toSorted((a, b) => a.reduced - b.reduced);
  const first = pairsOf(sorted.filter(({ host }) => host !== 0).slice(0, mostMoves));
  const second = pairsOf(sorted.filter(({ host }) => host === 0).slice(0, mostMoves));
  return match(first, second, room, prices);
}

function pairsOf(moves: readonly Move[]): Pairs {
  const most = 1 + (moves.length * (moves.length + 1)) / 2;
  const one = new Int16Array(most).fill(-1);
  const other = new Int16Array(most).fill(-1);
  const values = () => new Float64Array(most);
  const [reduced, memory, host, imbalance] = [values(), values(), values(), values()];
  let count = 1;
  const add = (k: number, l: number): void => {
    const [a, b] = [moves[k] as Move, moves[l]];
    one[count] = k;
    other[count] = l;
    reduced[count] = a.reduced + (b?.reduced ?? 0);
    memory[count] = a.memory + (b?.memory ?? 0);
    host[count] = a.host + (b?.host ?? 0);
    imbalance[count++] = a.imbalance + (b?.imbalance ?? 0);
  };
  for (let k = 0; k < moves.length; k++) {
    add(k, -1);
    for (let l = k + 1; l < moves.length; l++) if (moves[k]?.place !== moves[l]?.place) add(k, l);
  }
  const cut = <T extends Int16Array | Float64Array>(list: T): T => list.subarray(0, count) as T;
  return {
    ...{ moves, one: cut(one), other: cut(other), reduced: cut(reduced) },
    ...{ memory: cut(memory), host: cut(host), imbalance: cut(imbalance) },
  };
}

/**
 * The first list changes the use of host memory, which is used in whole rows, the second does not: so the first decides how
 * much of it is left over, and with the second sorted by memory, the partners that use up what memory is left stand next
 * to one another.
 */
function match(first: Pairs, second: Pairs, room: Room, prices: Prices): readonly Move[][] {
  const byCost = order(first.reduced);
  const byMemory = order(second.memory);
  const memory = Float64Array.from(byMemory, (k) => second.memory[k] as number);
  const found: { excess: number; first: number; second: number }[] = [];
  let worst = Number.POSITIVE_INFINITY;
  const consider = (excess: number, a: number, b: number): void => {
    let at = found.length;
    while (at > 0 && (found[at - 1]?.excess as number) > excess) at--;
    found.splice(at, 0, { excess, first: a, second: b });
    if (found.length > MAX_RESULTS) found.pop();
    if (found.length === MAX_RESULTS) worst = found.at(-1)?.excess as number;
  };
  const least = second.reduced.reduce((all, value) => Math.min(all, value), 0);
  for (const a of byCost) {
    if ((first.reduced[a] as number) + least >= worst) break;
    const host = room.host - (first.host[a] as number);
    // Rows are whole: what rounding leaves is no room.
    if (host < -1e-9 * Math.abs(room.host)) continue;
    const base = (first.reduced[a] as number) + prices.host * Math.max(0, host);
    const left = room.memory - (first.memory[a] as number);
    const apart = room.imbalance + (first.imbalance[a] as number);
    let from = firstFrom(memory.length, (k) => (memory[k] as number) > left) - 1;
    for (let looked = 0; from >= 0 && looked < MAX_PARTNERS; looked++, from--) {
      const unused = base + prices.memory * (left - (memory[from] as number));
      if (unused + least >= worst) break;
      const b = byMemory[from] as number;
      const difference = apart + (second.imbalance[b] as number);
      const weight = difference > 0 ? prices.weights[1] : prices.weights[0];
      const excess = unused + (second.reduced[b] as number) + weight * Math.abs(difference);
      if (excess < worst) consider(excess, a, b);
    }
  }
  return found.map(({ first: a, second: b }) => [...movesOf(first, a), ...movesOf(second, b)]);
}

function movesOf({ moves, one, other }: Pairs, at: number): Move[] {
  return [one[at] as number, other[at] as number].filter((k) => k !== -1).map((k) => moves[k] as Move);
}

/** Places of values in rising order. */
function order(values: Float64Array): Int32Array {
  return Int32Array.from(values, (_, k) => k).sort((a, b) => (values[a] as number) - (values[b] as number) || a - b);
}
