import type { Rational } from "../../exact/rational.js";
import type { Multipliers } from "../bound.js";
import type { View } from "../view.js";
import type { Fact } from "./combination.js";
import type { Side } from "./problem.js";

/** A case distinction that a proof inside the node rests on, still to be resolved when the node closes. */
export interface Split {
  readonly time: number;
  /** From a proof of the goal under the split's assumption, one without it. */
  readonly discharge: (goal: number) => number;
}

/** A node of the branching tree on the way from the root to where the walk is. */
export interface Node {
  readonly parent: Node | null;
  readonly half: "root" | "below" | "above";
  /** The view changes when steps of the node substitute columns. */
  view: View;
  /** How long the trail of bounds was when the node was opened. */
  readonly mark: number;
  /** The branching that led here; without a line as long as no proof has used it. */
  assumption: Fact | null;
  readonly splits: Split[];
  /** The branching that the node ends in. */
  branching: { readonly column: number; readonly at: Rational } | null;
  /** Once the half below is closed: its goal and the line of its assumption. */
  below: { readonly goal: number; readonly assumption: number } | null;
}

export function openNode(parent: Node | null, half: Node["half"], view: View, mark: number): Node {
  return { parent, half, view, mark, assumption: null, splits: [], branching: null, below: null };
}

/** Why a bound holds. */
export type Cause =
  | { readonly kind: "given" }
  | { readonly kind: "rounded" }
  | { readonly kind: "branch" }
  | { readonly kind: "propagate"; readonly view: View }
  | { readonly kind: "fix"; readonly view: View; readonly multipliers: Multipliers };

/** One bound of one column from a moment on; proofs of later bounds rest on earlier ones alone. */
export interface BoundEntry {
  readonly value: Rational | null;
  readonly time: number;
  readonly cause: Cause;
  readonly owner: Node;
  readonly previous: BoundEntry | null;
  /** Made when a proof first needs it. */
  fact: Fact | null;
}

/** The bounds of all columns on the way from the root to the current node, with their history. */
export class BoundHistory {
  readonly #current: Readonly<Record<Side, BoundEntry[]>> = { lower: [], upper: [] };
  readonly #trail: { readonly column: number; readonly side: Side }[] = [];
  #clock = 0;

  tick(): number {
    return ++this.#clock;
  }

  get mark(): number {
    return this.#trail.length;
  }

  push(column: number, side: Side, value: Rational | null, cause: Cause, owner: Node, fact: Fact | null = null): void {
    const previous = this.#current[side][column] ?? null;
    this.#current[side][column] = { value, time: this.tick(), cause, owner, previous, fact };
    this.#trail.push({ column, side });
  }

  /** Takes back everything that was pushed since a mark. */
  undo(mark: number): void {
    while (this.#trail.length > mark) {
      const { column, side } = this.#trail.pop() as { column: number; side: Side };
      const entries = this.#current[side];
      entries[column] = (entries[column] as BoundEntry).previous as BoundEntry;
    }
  }

  /** The bound as it was before a moment. */
  before(time: number, column: number, side: Side): BoundEntry {
    let entry = this.#current[side][column] as BoundEntry;
    while (entry.time >= time) entry = entry.previous as BoundEntry;
    return entry;
  }

  now(column: number, side: Side): BoundEntry {
    return this.#current[side][column] as BoundEntry;
  }
}
