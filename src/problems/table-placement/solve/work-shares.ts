/** The longest slice of anything, as a share of all work; each is longer than the one before by this factor. */
export const LONGEST_SLICE = 0.25;
export const SLICE_GROWTH = 1.6;

/** What lifting costs may take, as a share of all work. */
export const LIFTING_SHARE = 0.1;

/**
 * What column generation may take at once, as a share of all work: little at first; twice as much after a better bound,
 * half after none.
 */
export const PATTERN_SHARE = 0.08;
export const MAX_PATTERN_SHARE = 0.3;

/** What the tree over bases may take at once, as a share of all work: little at first, then more, in turn with the others. */
export const BASE_SHARE = 0.1;
export const MAX_BASE_SHARE = 0.4;

/** Options are probed again where the best placement has come down to this part of what it was: what was found still holds. */
export const WORTH_PROBING_AGAIN = 0.99;

/** Of options and hosts, the share that probing is to decide for trees to begin anew. */
export const WORTH_BEGINNING_ANEW = 0.05;

/** What probing on options may take at first, as a share of all work, and half as much each time after. */
export const PROBING_SHARE = 0.2;

/** What branch and cut gets of what probing left, as a share of all work: where memory binds twice, and doubled each time. */
export const FIRST_CUTS_SHARE = 0.05;
export const MAX_CUTS_SHARE = 0.4;

/** What local search gets beside searches that take longer, as a share of all work. */
export const SEARCH_SHARE = 0.08;

/** What dives over options may take at once, as a share of all work. */
export const DIVE_SHARE = 0.2;

/** The most of it that one limit on cost may take before a lower one is asked about. */
export const PER_LIMIT = 0.2;

/** What a bound found in doubles is lowered by until it holds in exact arithmetic. */
export const LOST_TO_ROUNDING = [1e-12, 1e-8];

/**
 * Checks of the pooled bound that a proof takes as long as that leaves out options, and its share of all work at most.
 */
export const REDUCTION_CHECKS = 12;
export const REDUCTION_SHARE = 0.3;

/** Patterns begin anew where so few of the options are left. */
export const WORTH_A_NEW_MODEL = 0.85;

/** What trees get of their time before column generation has come to its end. */
export const BEFORE_THE_LAST_PATTERN = 0.25;

/** Above this many columns our branch and bound has nothing to offer. */
export const MAX_TREE_COLUMNS = 4000;

/** Up to this many columns a program is mostly proved soon without a tree over its base. */
export const FEW_COLUMNS = 300;

/** Up to about so many entries local search finds what it begins with soon, however many sizes of caches and hot rows there are. */
export const FEW_ENTRIES = 5000;

/** The first slice of local search in units of work, for a program of so many columns: small ones are proved at once. */
export function firstSlice(columns: number): number {
  return Math.min(columns ** 2 / FEW_COLUMNS, FEW_COLUMNS) + 0.1 * columns;
}

/** A start that is so many times the bound is nothing to go on from, unless local search finds nothing by itself. */
export const FAR_START = 1.1;
