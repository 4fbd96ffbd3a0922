import type { Multipliers } from "../../proof/bound.js";
import type { Box, View } from "../../proof/view.js";

/** What a relaxation claims about a box. Nothing in it is trusted: bounds are recomputed from the multipliers. */
export type RelaxationAnswer =
  | {
      readonly kind: "infeasible";
      /** Multipliers that should show it (see `lagrangianBound` with purpose "infeasibility"). */
      readonly multipliers: Multipliers;
    }
  | {
      readonly kind: "solved";
      /** An optimum of the relaxation, by the view's columns: where it is fractional, branching helps. */
      readonly point: Float64Array;
      readonly multipliers: Multipliers;
      /** Points that may be feasible, by the view's columns, most promising first, each with its objective in doubles. */
      readonly candidates: readonly Candidate[];
      /** Where to branch, if the relaxation knows better than "the most fractional column": column ≤ at, or above. */
      readonly branch?: { readonly column: number; readonly at: number };
    };

export interface Candidate {
  readonly point: Float64Array;
  readonly objective: number;
}

/** A relaxation of one view's program, to be solved over many boxes. */
export interface Relaxation {
  solve(box: Box): RelaxationAnswer;
}

/** Opens the relaxation of a view; called anew for every view that fixing reduces to. */
export type OpenRelaxation = (view: View) => Relaxation;
