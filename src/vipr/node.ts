import type { Rational } from "../exact/rational.js";
import type { Multipliers } from "../proof/kernel/bound.js";
import type { View } from "../proof/kernel/view.js";
import type { Fact } from "./combination.js";
import type { Side } from "./problem.js";

/** A case distinction that a proof inside the node rests on, still to be resolved when the node closes. */
export interface Split {
  readonly time: number;
  /** From a proof of the goal under the split's assumption, one without it. */
  readonly discharge: (goal: number) => number;
}

/** What a node ends in. */
export interface Branching {
  readonly column: number;
  readonly at: Rational;
  /** The side that the half bounds which is walked first: `upper` is the half below. */
  readonly first: Side;
  /** Where the steps of the second half begin, and where those of both end; `null` until that is known. */
  second: number | null;
  end: number | null;
  /** The goal, from proofs that may use assumptions of the first half. */
  goal: number;
  /** The first half, for its assumption. */
  node: Node | null;
}

/** A node of the branching tree on the way from the root to where the walk is. */
export interface Node {
  readonly parent: Node | null;
  readonly half: "root" | "first" | "second";
  /** The view changes when steps of the node substitute columns. */
  view: View;
  /** How long the trail of bounds was when the node was opened. */
  readonly mark: number;
  /** The branching that led here; without a line as long as no proof has used it. */
  assumption: Fact | null;
  /** Of a second half: the line of the assumption that it stands against. */
  against: number;
  readonly splits: Split[];
  branching: Branching | null;
}

export function openNode(parent: Node | null, half: Node["half"], view: View, mark: number): Node {
  return { parent, half, view, mark, assumption: null, against: -1, splits: [], branching: null };
}

/** Why a bound holds. */
export type Cause =
  | { readonly kind: "given" }
  | { readonly kind: "rounded" }
  | { readonly kind: "branch" }
  | { readonly kind: "propagate"; readonly view: View }
  | (Fixing & { readonly kind: "fix" });

/** A step of reduced-cost fixing: all that it concludes rests on the bounds that were so before. */
export interface Fixing {
  readonly view: View;
  readonly multipliers: Multipliers;
  /** What blocks are at least that are kept in the sum. */
  readonly facts: () => readonly Fact[];
  readonly since: number;
  /** Columns whose bounds meet since, so that every later view rests on them. */
  readonly fixed: number[];
}

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

  /** When the first bound of a cause was made that still stands behind one of now; never: infinity. */
  firstOf(kind: Cause["kind"]): number {
    let first = Number.POSITIVE_INFINITY;
    for (const entries of Object.values(this.#current)) {
      for (const latest of entries) {
        for (let entry: BoundEntry | null = latest; entry !== null; entry = entry.previous) {
          if (entry.cause.kind === kind) first = Math.min(first, entry.time);
        }
      }
    }
    return first;
  }

  now(column: number, side: Side): BoundEntry {
    return this.#current[side][column] as BoundEntry;
  }
}
