import type { EXACT_METHOD } from "./method-names.js";

/**
 * Plan files as unions that `status` tells apart, of which each problem has its own:
 *
 * - `proved`, `feasible`: there is a plan and a bound that was checked, so value, bound, gap and certificate are there;
 * - `heuristic`: a published method's plan, for which no bound was asked;
 * - `unknown`: no bound was proved within the limits; a plan may be there;
 * - `infeasible`: there is no plan, with the certificate that shows it, and the reason in words.
 *
 * The same as a table, {@link StatusTable}, is what a plan file that is read is held against.
 */

export interface Bounded {
  readonly value: number;
  /** Proved in exact arithmetic: no plan is better. */
  readonly bound: number;
  /** |value − bound| / |value|. */
  readonly gap: number;
}

export type Unbounded = Pick<Bounded, "value"> & Without<"bound" | "gap">;
export type NoValue = Without<keyof Bounded>;

/** Keys under which there is nothing. */
export type Without<Keys extends PropertyKey> = { readonly [Key in Keys]: null };

/** Keys under which there is something. */
export type Having<File, Keys extends keyof File> = { readonly [Key in Keys]: NonNullable<File[Key]> };

/** A file's objective with its numbers told apart. */
export type Goal<Objective, Numbers> = Omit<Objective, keyof Bounded> & Numbers;

/** The keys of plan files that a status decides. */
export type Told = "status" | "method" | "objective" | "infeasibility" | "proof" | "certificate";

type Decided = { readonly objective: unknown; readonly infeasibility: unknown } & Proof;
type Proof = Readonly<Record<"proof" | "certificate", unknown>>;

/** What a file says by its status of what was proved. */
export type Proved<File extends Proof> = Having<File, "proof" | "certificate"> & {
  readonly status: "proved";
  readonly method: typeof EXACT_METHOD;
  readonly infeasibility: null;
};

/** The same with a gap that is wider than was asked for: a status each, so that all others are left where one is not. */
export type Feasible<Plan extends { readonly status: "proved" }> = Omit<Plan, "status"> & {
  readonly status: "feasible";
};

export type Unproved = Without<"infeasibility" | "proof" | "certificate">;

/** What stands in the way, in words and numbers. */
export type Infeasible<File extends Decided> = Having<File, "infeasibility" | "proof" | "certificate"> & {
  readonly status: "infeasible";
  readonly method: typeof EXACT_METHOD;
};

/** The files of a problem with one goal, `Decision` being the keys that tell of the decision, `Published` the names of its methods. */
export type ByStatus<File extends Decided, Decision extends keyof File, Published extends string> = Omit<
  File,
  Told | Decision
> &
  (
    | ((Proved<File> | Feasible<Proved<File>>) & Having<File, Decision> & ObjectiveOf<File, Bounded>)
    | (Having<File, Decision> & Unproved & ObjectiveOf<File, Unbounded> & HeuristicOf<Published>)
    | (Pick<File, Decision> & Unproved & ObjectiveOf<File, Open> & UnknownOf)
    | (Without<Decision> & Infeasible<File> & ObjectiveOf<File, NoValue>)
  );

type ObjectiveOf<File extends Decided, Numbers> = { readonly objective: Goal<File["objective"], Numbers> };
type Open = Without<"bound" | "gap"> & { readonly value: number | null };
type HeuristicOf<Published> = { readonly status: "heuristic"; readonly method: Published };
type UnknownOf = { readonly status: "unknown"; readonly method: typeof EXACT_METHOD };

/** A key that a status decides: there is something, or nothing, under it. Keys that are not listed may be either. */
export interface Promised {
  readonly some: readonly string[];
  readonly none: readonly string[];
}

/** What a problem's plan files hold by their status; a status that is not listed is none of theirs. */
export type StatusTable = Readonly<Record<string, Promised>>;

export const GOAL_NUMBERS = ["objective.value", "objective.bound", "objective.gap"] as const;
export const PROOF_KEYS = ["proof", "certificate"] as const;

/**
 * The table of a problem whose plan files have one goal. `decided`: the keys that tell of the decision; `hasUnknown`: whether
 * there are files without any bound.
 */
export function statusTable(decided: readonly string[], { hasUnknown = true } = {}): StatusTable {
  const bounded = { some: [...GOAL_NUMBERS, ...decided, ...PROOF_KEYS], none: ["infeasibility"] };
  const unbounded = ["objective.bound", "objective.gap", ...PROOF_KEYS, "infeasibility"];
  return {
    proved: bounded,
    feasible: bounded,
    heuristic: { some: ["objective.value", ...decided], none: unbounded },
    ...(hasUnknown ? { unknown: { some: [], none: unbounded } } : {}),
    infeasible: { some: ["infeasibility", ...PROOF_KEYS], none: [...GOAL_NUMBERS, ...decided] },
  };
}

/**
 * What of a plan file contradicts its status, in words; `null`: nothing does. Only whether something is there is looked at:
 * whether it is right is for `verify`.
 */
export function againstStatus(table: StatusTable, file: { readonly status: string }): string | null {
  const { status } = file;
  if (!Object.hasOwn(table, status)) return `${status} is no status of such a plan`;
  const { some, none } = table[status] as Promised;
  const missing = some.find((path) => at(file, path) === null || at(file, path) === undefined);
  if (missing !== undefined) return `${missing} is missing in a plan that is ${status}`;
  const extra = none.find((path) => at(file, path) !== null);
  return extra === undefined ? null : `${extra} is there in a plan that is ${status}`;
}

function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null)?.[key], value);
}
