import type { LoadLimit, SizeWindow } from "./limits.js";

/**
 * Makes a labeling with sizes in the window keep to the load: while a cluster carries too much, one of its elements
 * moves to a lighter cluster or changes places with a lighter element there, whichever brings two clusters nearest
 * together. `null` where that ends with a cluster that still carries too much, which says nothing about whether there
 * is a way.
 */
export function relieve(
  labels: ArrayLike<number>,
  clusters: number,
  window: SizeWindow,
  load: LoadLimit,
): Int32Array | null {
  const state: Loads = {
    labels: Int32Array.from(labels),
    sizes: new Int32Array(clusters),
    loads: new Float64Array(clusters),
  };
  for (const [element, cluster] of state.labels.entries()) put(state, element, cluster, load);
  for (;;) {
    const over = state.loads.findIndex((own) => own > load.most);
    if (over === -1) return state.labels;
    const change = bestChange(state, window, load);
    if (change === null) return null;
    const { element, to, back } = change;
    const from = state.labels[element] as number;
    take(state, element, load);
    if (back !== null) take(state, back, load);
    put(state, element, to, load);
    if (back !== null) put(state, back, from, load);
  }
}

interface Loads {
  readonly labels: Int32Array;
  readonly sizes: Int32Array;
  readonly loads: Float64Array;
}

interface Change {
  readonly element: number;
  readonly to: number;
  /** What takes its place. */
  readonly back: number | null;
}

/** Rounding must not make two changes undo each other for ever. */
const MIN_SHARE = 1e-9;

/**
 * With weight d from a cluster of load a to one of load b, Σ load² falls by 2d(a − b − d): the change of an overloaded
 * cluster's element with which it falls most.
 */
function bestChange({ labels, sizes, loads }: Loads, window: SizeWindow, { weights, most }: LoadLimit): Change | null {
  let best: Change | null = null;
  let largest = MIN_SHARE * most * most;
  const consider = (change: Change, weight: number, from: number) => {
    const fall = weight * ((loads[from] as number) - (loads[change.to] as number) - weight);
    if (fall <= largest) return;
    largest = fall;
    best = change;
  };
  for (const [element, from] of labels.entries()) {
    if ((loads[from] as number) <= most) continue;
    const weight = weights[element] as number;
    if ((sizes[from] as number) > window.least) {
      for (const [to, size] of sizes.entries()) {
        if (to !== from && size < window.most) consider({ element, to, back: null }, weight, from);
      }
    }
    for (const [back, to] of labels.entries()) {
      if (to !== from) consider({ element, to, back }, weight - (weights[back] as number), from);
    }
  }
  return best;
}

function put({ labels, sizes, loads }: Loads, element: number, cluster: number, { weights }: LoadLimit): void {
  labels[element] = cluster;
  sizes[cluster] = (sizes[cluster] as number) + 1;
  loads[cluster] = (loads[cluster] as number) + (weights[element] as number);
}

function take({ labels, sizes, loads }: Loads, element: number, { weights }: LoadLimit): void {
  const cluster = labels[element] as number;
  sizes[cluster] = (sizes[cluster] as number) - 1;
  loads[cluster] = (loads[cluster] as number) - (weights[element] as number);
}
