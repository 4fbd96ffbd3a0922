import type { LoadLimit, SizeWindow } from "./limits.js";

/**
 * Makes a numbering with sizes in the window keep to the load: while a group carries too much, one of its items moves
 * to a lighter group or changes places with a lighter item there, whichever brings two groups nearest together. `null`
 * where that ends with a group that still carries too much, which says nothing about whether there is a way.
 */
export function relieve(
  numbering: ArrayLike<number>,
  groups: number,
  window: SizeWindow,
  load: LoadLimit,
): Int32Array | null {
  const state: Loads = {
    numbering: Int32Array.from(numbering),
    sizes: new Int32Array(groups),
    loads: new Float64Array(groups),
  };
  for (const [item, group] of state.numbering.entries()) put(state, item, group, load);
  for (;;) {
    const over = state.loads.findIndex((own) => own > load.most);
    if (over === -1) return state.numbering;
    const change = bestChange(state, window, load);
    if (change === null) return null;
    const { item, to, back } = change;
    const from = state.numbering[item] as number;
    take(state, item, load);
    if (back !== null) take(state, back, load);
    put(state, item, to, load);
    if (back !== null) put(state, back, from, load);
  }
}

interface Loads {
  readonly numbering: Int32Array;
  readonly sizes: Int32Array;
  readonly loads: Float64Array;
}

interface Change {
  readonly item: number;
  readonly to: number;
  /** What takes its place. */
  readonly back: number | null;
}

/** Rounding must not make two changes undo each other for ever. */
const MIN_SHARE = 1e-9;

/**
 * With weight d from a group of load a to one of load b, Σ load² falls by 2d(a − b − d): the change of an overloaded
 * group's item with which it falls most.
 */
function bestChange(
  { numbering, sizes, loads }: Loads,
  window: SizeWindow,
  { weights, most }: LoadLimit,
): Change | null {
  let best: Change | null = null;
  let largest = MIN_SHARE * most * most;
  const consider = (change: Change, weight: number, from: number) => {
    const fall = weight * ((loads[from] as number) - (loads[change.to] as number) - weight);
    if (fall <= largest) return;
    largest = fall;
    best = change;
  };
  for (const [item, from] of numbering.entries()) {
    if ((loads[from] as number) <= most) continue;
    const weight = weights[item] as number;
    if ((sizes[from] as number) > window.least) {
      for (const [to, size] of sizes.entries()) {
        if (to !== from && size < window.most) consider({ item, to, back: null }, weight, from);
      }
    }
    for (const [back, to] of numbering.entries()) {
      if (to !== from) consider({ item, to, back }, weight - (weights[back] as number), from);
    }
  }
  return best;
}

function put({ numbering, sizes, loads }: Loads, item: number, group: number, { weights }: LoadLimit): void {
  numbering[item] = group;
  sizes[group] = (sizes[group] as number) + 1;
  loads[group] = (loads[group] as number) + (weights[item] as number);
}

function take({ numbering, sizes, loads }: Loads, item: number, { weights }: LoadLimit): void {
  const group = numbering[item] as number;
  sizes[group] = (sizes[group] as number) - 1;
  loads[group] = (loads[group] as number) - (weights[item] as number);
}
