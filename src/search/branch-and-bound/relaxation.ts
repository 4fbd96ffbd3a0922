import type { Rational } from "../../exact/rational.js";
import type { Multipliers } from "../../proof/kernel/bound.js";
import type { Box } from "../../proof/kernel/view.js";
import type { ProvedCut, SearchSpace } from "./space.js";
import type { Half, Node } from "./tree.js";

/** What a relaxation claims about a box. Nothing in it is trusted: bounds are recomputed from the multipliers. */
export type RelaxationAnswer =
  | {
      readonly kind: "infeasible";
      /** Multipliers that should show it (see `lagrangianBound` with purpose "infeasibility"). */
      readonly multipliers: Multipliers;
      /** The same of more digits, where the others do not show it. */
      readonly fine?: () => Multipliers;
    }
  /** Nothing is known: the solver gave up. */
  | { readonly kind: "failed" }
  | {
      readonly kind: "solved";
      /** An optimum of the relaxation, by the view's columns: where it is fractional, branching helps. */
      readonly point: Float64Array;
      /** The optimum in doubles; absent: the multipliers prove all that there is. */
      readonly objective?: number;
      readonly multipliers: Multipliers;
      /** The same of more digits, for nodes that the others nearly close. */
      readonly fine?: () => Multipliers;
      /** Points that may be feasible, by the view's columns, most promising first, each with its objective in doubles. */
      readonly candidates: readonly Candidate[];
      /** Where to branch, if the relaxation knows better than "the most fractional column": column ≤ at, or above. */
      readonly branch?: { readonly column: number; readonly at: number };
    };

export interface Candidate {
  readonly point: Float64Array;
  readonly objective: number;
  /** The same point where it is known exactly. */
  readonly exact?: readonly Rational[];
}

/** A relaxation of one view's program, to be solved over many boxes. */
export interface Relaxation {
  /** Its optimum is an optimum of every smaller box that it is in; not so where boxes change what is relaxed. */
  readonly keepsOptima?: boolean;
  solve(box: Box): RelaxationAnswer;
  /**
   * Solves again in exact arithmetic, where that is affordable: asked for when a floating-point answer nearly closes a
   * node, and when no integer column is left open.
   */
  refine?(box: Box, answer: RelaxationAnswer): RelaxationAnswer | null;
  /** Cuts that the optimum of the last `solve` breaks; none where the relaxation has none. */
  separate?(box: Box, point: Float64Array): readonly ProvedCut[];
  /** The fractional column to branch on at the optimum of the last `solve`; −1 where the relaxation has no opinion. */
  branchOn?(box: Box, point: Float64Array): number;
  /** How much the optimum rose in a half that was branched on. */
  hasRisen?(half: Half, rise: number): void;
  /** How far below the cutoff a bound may be by rounding alone; default 10⁻⁶ · (1 + |cutoff|). */
  rounding?(cutoff: number): number;
}

/** Tells a relaxation once by how much its optimum has risen in a node from that of the node before. */
export function tellRise(node: Node, answer: RelaxationAnswer, relaxation: Relaxation): void {
  if (node.half !== null && answer.kind === "solved" && answer.objective !== undefined) {
    relaxation.hasRisen?.(node.half, answer.objective - node.half.objective);
  }
  node.half = null;
}

/** Opens the relaxation of a space's view; called anew for every view that fixing reduces to. */
export type OpenRelaxation = (space: SearchSpace) => Relaxation;
