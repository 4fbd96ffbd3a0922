import { type Action, type FoundOrder, type MoveProblem, MoveState, orderWithExtra } from "./order.js";

/** How many bytes more than its limit every memory must have, so that all moves can be made with nothing put aside. */
export interface ExtraMemory {
  /** No order does with less. */
  readonly atLeast: number;
  /** The least that an order was found for. */
  readonly found: FoundOrder;
  /** Why no order does with less. */
  readonly because: "every order was looked at" | "each move taken by itself needs as much";
}

/** Moves of which every order is looked at: as many subsets as 2 to the power of this. */
const MAX_EXHAUSTIVE = 12;

export function leastExtra(problem: MoveProblem, seed = 0): ExtraMemory {
  const found = orderWithExtra(problem, seed);
  const relaxed = relaxedExtra(problem);
  if (relaxed !== found.extra && problem.moves.length <= MAX_EXHAUSTIVE) {
    const best = bestOrder(problem);
    return { atLeast: best.extra, found: best, because: "every order was looked at" };
  }
  return { atLeast: relaxed, found, because: "each move taken by itself needs as much" };
}

/**
 * A bound from below. What moves have taken is forgotten, so that doing one never hinders another: the moves that can be done
 * with so many bytes more are then the same in every order. In any order some move is the first outside them, and it needs
 * more, even without what the moves before it have taken.
 */
export function relaxedExtra({ limits, copies, moves }: MoveProblem): number {
  // Moves take nothing that lasts; one that replaces a copy frees it as it would.
  const state = new MoveState({ limits, copies, moves });
  let extra = Math.max(0, ...state.use.map((use, memory) => use - (limits[memory] as number)));
  let pending = Array.from(moves.keys(), (move): Action => ({ kind: "move", move }));
  while (pending.length > 0) {
    const needs = pending.map((action) => state.excess(action));
    const least = Math.max(extra, Math.min(...needs));
    extra = least;
    for (const [k, action] of pending.entries()) {
      if (action.kind !== "move" || (needs[k] as number) > least) continue;
      state.apply(action);
      for (const [memory, bytes] of moves[action.move]?.takes ?? []) {
        state.use[memory] = (state.use[memory] as number) - bytes;
      }
    }
    pending = pending.filter((action) => action.kind === "move" && !state.done[action.move]);
  }
  return extra;
}

/** The order with the least extra memory of all: a bottleneck path over the sets of moves that are done. */
export function bestOrder(problem: MoveProblem): FoundOrder {
  const count = problem.moves.length;
  const start = Math.max(
    0,
    ...new MoveState(problem).use.map((use, memory) => use - (problem.limits[memory] as number)),
  );
  const least = new Array<number>(2 ** count).fill(Number.POSITIVE_INFINITY);
  const last = new Array<number>(2 ** count).fill(-1);
  least[0] = start;
  // A set's use does not depend on the order, and every set comes after those that it has one more than.
  for (let set = 0; set < 2 ** count; set++) {
    if (least[set] === Number.POSITIVE_INFINITY) continue;
    const state = new MoveState(problem);
    for (let move = 0; move < count; move++) if ((set >> move) & 1) state.apply({ kind: "move", move });
    for (let move = 0; move < count; move++) {
      if ((set >> move) & 1) continue;
      const next = set | (1 << move);
      const need = Math.max(least[set] as number, state.excess({ kind: "move", move }));
      if (need >= (least[next] as number)) continue;
      least[next] = need;
      last[next] = move;
    }
  }
  const actions: Action[] = [];
  for (let set = 2 ** count - 1; set !== 0; ) {
    const move = last[set] as number;
    actions.unshift({ kind: "move", move });
    set ^= 1 << move;
  }
  return { actions, extra: least[2 ** count - 1] as number };
}
