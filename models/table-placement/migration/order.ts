import { type Random, seededRandom } from "../../../src/exact/random.js";

/**
 * Moves between memories as what they take and free: an order is asked for in which no memory is exceeded on the way. Bytes
 * are integers, their sums exact.
 */
export interface MoveProblem {
  /** Of every memory; infinite where nothing limits it. */
  readonly limits: readonly number[];
  /** What there is at first. */
  readonly copies: readonly Copy[];
  readonly moves: readonly Move[];
}

/** Bytes by memory. */
export type Amounts = readonly (readonly [memory: number, bytes: number])[];

/** Something that takes memory until the last move that reads it is done; at once freed where none does. */
export interface Copy {
  readonly takes: Amounts;
  /** Where it may be put aside, dearer ones later; empty where it stays. */
  readonly shelters: readonly Amounts[];
}

export interface Move {
  readonly takes: Amounts;
  /** The copies that it reads. */
  readonly reads: readonly number[];
  /** The copy that it takes the place of; `null`: none. */
  readonly replaces: number | null;
}

/** What is done next: a move, or a copy put aside. */
export type Action =
  | { readonly kind: "move"; readonly move: number }
  | { readonly kind: "park"; readonly copy: number; readonly takes: Amounts };

/** Where moves stand. */
export class MoveState {
  readonly use: number[];
  readonly done: boolean[];
  /** Of every copy: moves that still have to read it. */
  readonly readers: number[];
  /** What every copy takes now; `null`: it is freed. */
  readonly held: (Amounts | null)[];
  readonly parked = new Set<number>();
  readonly #problem: MoveProblem;

  constructor(problem: MoveProblem) {
    const { limits, copies, moves } = problem;
    this.#problem = problem;
    this.use = limits.map(() => 0);
    this.done = moves.map(() => false);
    this.readers = copies.map(() => 0);
    this.held = copies.map(({ takes }) => takes);
    for (const { takes } of copies) this.#add(takes, 1);
    for (const { reads } of moves) for (const copy of new Set(reads)) this.#reads(copy, 1);
    const replaced = new Set(moves.map(({ replaces }) => replaces));
    for (const copy of copies.keys()) if (!replaced.has(copy)) this.#freeUnread(copy);
  }

  /** What an action needs beyond what is taken, while it is under way. */
  during(action: Action): Amounts {
    if (action.kind === "park") return action.takes;
    const { takes, replaces } = this.#problem.moves[action.move] as Move;
    const own = replaces === null ? null : this.held[replaces];
    if (own === null || own === undefined) return takes;
    return takes.map(([memory, bytes]) => [memory, Math.max(0, bytes - amountAt(own, memory))] as const);
  }

  /** By how much an action exceeds the memory that it exceeds most; 0 where it fits. */
  excess(action: Action): number {
    return this.during(action).reduce((most, [memory, bytes]) => {
      const over = bytes === 0 ? 0 : (this.use[memory] as number) + bytes - (this.#problem.limits[memory] as number);
      return Math.max(most, over);
    }, 0);
  }

  apply(action: Action): void {
    this.#add(action.kind === "park" ? action.takes : (this.#problem.moves[action.move] as Move).takes, 1);
    if (action.kind === "park") {
      this.#add(this.held[action.copy] as Amounts, -1);
      this.held[action.copy] = action.takes;
      this.parked.add(action.copy);
      return;
    }
    this.done[action.move] = true;
    const { reads, replaces } = this.#problem.moves[action.move] as Move;
    if (replaces !== null) {
      this.#add(this.held[replaces] as Amounts, -1);
      this.held[replaces] = null;
    }
    for (const copy of new Set(reads)) {
      this.#reads(copy, -1);
      this.#freeUnread(copy);
    }
  }

  /** Whether a copy may be put aside: it is there, nothing takes its place, and it was not before. */
  isMovable(copy: number): boolean {
    return this.held[copy] !== null && (this.readers[copy] as number) > 0 && !this.parked.has(copy);
  }

  #reads(copy: number, sign: 1 | -1): void {
    this.readers[copy] = (this.readers[copy] as number) + sign;
  }

  #freeUnread(copy: number): void {
    const own = this.held[copy];
    if (this.readers[copy] !== 0 || own === null || own === undefined || this.#isReplaced(copy)) return;
    this.#add(own, -1);
    this.held[copy] = null;
  }

  /** A copy whose place a move takes is freed by that move alone. */
  #isReplaced(copy: number): boolean {
    this.#replaced ??= new Set(this.#problem.moves.flatMap(({ replaces }) => (replaces === null ? [] : [replaces])));
    return this.#replaced.has(copy);
  }
  #replaced: Set<number> | undefined;

  #add(takes: Amounts, sign: 1 | -1): void {
    for (const [memory, bytes] of takes) this.use[memory] = (this.use[memory] as number) + sign * bytes;
  }
}

export function amountAt(amounts: Amounts, memory: number): number {
  return amounts.reduce((sum, [own, bytes]) => (own === memory ? sum + bytes : sum), 0);
}

/** An order, and how many bytes more every memory must have for it. */
export interface FoundOrder {
  readonly actions: readonly Action[];
  readonly extra: number;
}

/** Orders that are drawn where the first is stuck. */
const RESTARTS = 24;

/** An order of the moves that keeps all limits, if one is found; with few bytes put aside on the way, where that is allowed. */
export function orderWithin(
  problem: MoveProblem,
  { mayPark, seed = 0 }: { readonly mayPark: boolean; readonly seed?: number },
): FoundOrder | null {
  return bestOf(seed, (random) => drawnOrder(problem, { mayPark, mayExceed: false, random }));
}

/** An order that needs few bytes more on every memory than there are, with nothing put aside. */
export function orderWithExtra(problem: MoveProblem, seed = 0): FoundOrder {
  const found = bestOf(seed, (random) => drawnOrder(problem, { mayPark: false, mayExceed: true, random }));
  // With enough memory every order is one.
  return found as FoundOrder;
}

function bestOf(seed: number, draw: (random: Random | null) => FoundOrder | null): FoundOrder | null {
  const parked = ({ actions }: FoundOrder) =>
    actions.reduce((sum, action) => (action.kind === "park" ? sum + total(action.takes) : sum), 0);
  const random = seededRandom(seed);
  let best: FoundOrder | null = null;
  for (let k = 0; k <= RESTARTS; k++) {
    const found = draw(k === 0 ? null : random);
    if (found === null) continue;
    const isBetter =
      best === null || found.extra < best.extra || (found.extra === best.extra && parked(found) < parked(best));
    if (isBetter) best = found;
    if (best !== null && best.extra === 0 && parked(best) === 0) break;
  }
  return best;
}

export function total(amounts: Amounts): number {
  return amounts.reduce((sum, [, bytes]) => sum + bytes, 0);
}

interface How {
  readonly mayPark: boolean;
  readonly mayExceed: boolean;
  /** Breaks the order of preference; `null`: as it is. */
  readonly random: Random | null;
}

/** Moves that free most go first. `null`: it is stuck. */
function drawnOrder(problem: MoveProblem, { mayPark, mayExceed, random }: How): FoundOrder | null {
  const state = new MoveState(problem);
  let extra = Math.max(0, ...state.use.map((use, memory) => use - (problem.limits[memory] as number)));
  if (extra > 0 && !mayExceed) return null;
  const actions: Action[] = [];
  let pending = Array.from(problem.moves.keys(), (move): Action & { kind: "move" } => ({ kind: "move", move }));
  const take = (action: Action) => {
    state.apply(action);
    actions.push(action);
  };
  while (pending.length > 0) {
    const gains = pending.map((action) => ({ action, gain: gainOf(problem, state, action.move, random) }));
    gains.sort((a, b) => b.gain - a.gain || a.action.move - b.action.move);
    let isStuck = true;
    for (const { action } of gains) {
      if (state.excess(action) > extra) continue;
      take(action);
      isStuck = false;
    }
    pending = pending.filter(({ move }) => !state.done[move]);
    if (!isStuck || pending.length === 0) continue;
    if (mayExceed) extra = Math.min(...pending.map((action) => state.excess(action)));
    else if (!mayPark || !park(problem, state, pending, take)) return null;
  }
  return { actions, extra };
}

/** Bytes that a move frees less those that it takes, where it frees any at once; moves that free nothing come last. */
function gainOf(problem: MoveProblem, state: MoveState, move: number, random: Random | null): number {
  const { takes, reads, replaces } = problem.moves[move] as Move;
  const freed = [...new Set(reads)].reduce(
    (sum, copy) => (state.readers[copy] === 1 ? sum + total(state.held[copy] ?? []) : sum),
    replaces === null ? 0 : total(state.held[replaces] ?? []),
  );
  const gain = freed - (freed > 0 ? total(takes) / 2 : total(takes));
  return random === null ? gain : gain * (0.5 + random.next()) + random.next();
}

/** Puts copies aside until one of the pending moves fits; `false` where they cannot be. */
function park(
  problem: MoveProblem,
  state: MoveState,
  pending: readonly (Action & { kind: "move" })[],
  take: (action: Action) => void,
): boolean {
  const options = pending.flatMap((wanted) => {
    const chosen = clearing(problem, state, wanted);
    return chosen === null ? [] : [{ chosen, bytes: chosen.reduce((sum, { takes }) => sum + total(takes), 0) }];
  });
  const [first, ...others] = options;
  if (first === undefined) return false;
  const best = others.reduce((least, option) => (option.bytes < least.bytes ? option : least), first);
  for (const action of best.chosen) {
    if (state.excess(action) > 0) return best.chosen[0] !== action;
    take(action);
  }
  return best.chosen.length > 0;
}

/** The copies to put aside so that a move fits, and where to. */
function clearing(
  { limits, copies }: MoveProblem,
  state: MoveState,
  wanted: Action & { kind: "move" },
): (Action & { kind: "park" })[] | null {
  const chosen: (Action & { kind: "park" })[] = [];
  const room = limits.map((limit, memory) => limit - (state.use[memory] as number));
  for (const [memory, bytes] of state.during(wanted)) {
    let missing = bytes - (room[memory] as number);
    if (bytes === 0 || missing <= 0) continue;
    const here = copies.flatMap(({ shelters }, copy) => {
      const own = state.isMovable(copy) && shelters.length > 0 ? amountAt(state.held[copy] ?? [], memory) : 0;
      return own === 0 || chosen.some((one) => one.copy === copy) ? [] : [{ copy, own, shelters }];
    });
    while (missing > 0) {
      // The smallest that is enough, or else the largest.
      here.sort((a, b) => a.own - b.own || a.copy - b.copy);
      const enough = here.findIndex(({ own }) => own >= missing);
      const at = Math.max(0, enough === -1 ? here.length - 1 : enough);
      const [picked] = here.splice(at, 1);
      if (picked === undefined) return null;
      const takes = picked.shelters.find((shelter) =>
        shelter.every(([to, amount]) => to !== memory && amount <= (room[to] as number)),
      );
      if (takes === undefined) continue;
      for (const [to, amount] of takes) room[to] = (room[to] as number) - amount;
      room[memory] = (room[memory] as number) + picked.own;
      chosen.push({ kind: "park", copy: picked.copy, takes });
      missing -= picked.own;
    }
  }
  return chosen.length === 0 ? null : chosen;
}
