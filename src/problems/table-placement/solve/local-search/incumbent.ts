import type { Snapshot, State } from "./state.js";

/** The best plan found so far, and when the search is over. */
export class Best {
  snapshot: Snapshot | null = null;
  largest = Number.POSITIVE_INFINITY;
  readonly #isOver: (largest: number, units: number) => boolean;
  readonly #onImproved: (snapshot: Snapshot, largest: number) => void;

  constructor(
    isOver: (largest: number, units: number) => boolean,
    onImproved: (snapshot: Snapshot, largest: number) => void = () => {},
  ) {
    this.#isOver = isOver;
    this.#onImproved = onImproved;
  }

  /** Keeps the state if it is a plan better than the best; its loads are added anew first. */
  offer(state: State): boolean {
    if (!state.isFeasible() || state.largest() >= this.largest) return false;
    state.refresh();
    const largest = state.largest();
    if (largest >= this.largest) return false;
    this.#take(state.save(), largest);
    return true;
  }

  /** The best of a part of the search: starts without a plan, and passes on what is better than this one. */
  inside(): Best {
    return new Best(
      (_, units) => this.isOver(units),
      (snapshot, largest) => this.#take(snapshot, largest),
    );
  }

  #take(snapshot: Snapshot, largest: number): void {
    if (largest >= this.largest) return;
    this.snapshot = snapshot;
    this.largest = largest;
    this.#onImproved(snapshot, largest);
  }

  /** Whether to stop, `units` of work after it was last asked. */
  isOver(units = 0): boolean {
    return this.#isOver(this.largest, units);
  }
}
