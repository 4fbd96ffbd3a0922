import type { PlanEnvelope } from "./envelope.js";

/** What a plan file says of its first goal, as far as methods are compared by it. */
export interface FirstGoal {
  readonly value: number | null;
  readonly bound: number | null;
  readonly exact: { readonly value: string | null; readonly bound: string | null };
  /** Of the goal alone, `null` where nothing was proved of it. */
  readonly status: string | null;
}

/** A plan file that may have goals in order. */
type Staged = Pick<PlanEnvelope, "status" | "objective" | "exact"> & {
  readonly stages?:
    | readonly {
        readonly status: string | null;
        readonly best: number | null;
        readonly bound: number | null;
        readonly exact: { readonly best: string | null; readonly bound: string | null };
      }[]
    | null
    | undefined;
};

/**
 * What methods are compared by: the objective, and of goals in order the least that was found of the first, since the plan
 * itself may have more of it for the sake of the others.
 */
export function firstGoal({ status, objective, exact, stages }: Staged): FirstGoal {
  const first = stages?.[0];
  if (first === undefined || first.best === null) return { ...objective, exact, status };
  const { best, bound } = first.exact;
  return { value: first.best, bound: first.bound, exact: { value: best, bound }, status: first.status };
}
