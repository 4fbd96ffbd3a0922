import { Rational } from "../../exact/rational.js";
import { INFINITE_BOUND } from "../decimal.js";

/** Whose reading of a file is followed where readers differ by rule; `cplex`, the default, is that of the manuals. */
export const DIALECTS = ["cplex", "highs", "glpk", "cbc", "lp_solve", "scip"] as const;

export type Dialect = (typeof DIALECTS)[number];

/** The readers that are told of in notes. */
export const OTHERS = DIALECTS.slice(1) as readonly Exclude<Dialect, "cplex">[];

/** A reader as texts name it. */
export const READER_NAMES: Readonly<Record<Dialect, string>> = {
  cplex: "CPLEX's manual",
  highs: "HiGHS",
  glpk: "GLPK",
  cbc: "CBC",
  lp_solve: "lp_solve",
  scip: "SCIP",
};

/** What a section OBJSENSE does: `short`: MAX and MIN alone are obeyed. */
export type SenseRule = "obeyed" | "ignored" | "refused" | "short";

/**
 * The choices that are rules of a reader and not accidents of it, as HiGHS 1.15, GLPK 5.0, CBC 2.10, lp_solve 5.5.2 and
 * SCIP 10 were seen to make them.
 */
export interface ReadingRules {
  /** Whether an integer column of a MARKER block without bounds is in [0, 1]; else in [0, ∞). */
  readonly markedIsBinary: boolean;
  /** Whether LO or MI alone leaves such a column its upper bound 1. */
  readonly lowerKeepsOne: boolean;
  /** The sign with which the right-hand side of the objective is its constant. */
  readonly constantSign: -1 | 1;
  /** The lower bound beside a negative UP that stands alone in MPS (`refused`: none can be told). */
  readonly belowNegativeUpper: "refused" | "zero" | "none";
  /** OBJSENSE before ROWS with its word on a line of its own, and with its word on the header's line. */
  readonly senseOnOwnLine: SenseRule;
  readonly senseOnHeader: SenseRule;
  /** From this absolute value on a bound is none; `null`: no number is infinite. */
  readonly infiniteBound: Rational | null;
  /** The same of right-hand sides and ranges. */
  readonly infiniteSide: Rational | null;
  /** Of several sets in a section of MPS: refused, the first alone read, or all of them read as one. */
  readonly severalSets: "refused" | "first" | "merged";
}

const power = (exponent: bigint) => Rational.of(10n ** exponent);

const CPLEX: ReadingRules = {
  markedIsBinary: true,
  lowerKeepsOne: false,
  constantSign: -1,
  belowNegativeUpper: "refused",
  senseOnOwnLine: "obeyed",
  senseOnHeader: "obeyed",
  infiniteBound: INFINITE_BOUND,
  infiniteSide: INFINITE_BOUND,
  severalSets: "refused",
};

export const RULES: Readonly<Record<Dialect, ReadingRules>> = {
  cplex: CPLEX,
  highs: {
    ...CPLEX,
    belowNegativeUpper: "zero",
    senseOnHeader: "short",
    infiniteBound: power(20n),
    infiniteSide: power(20n),
    severalSets: "merged",
  },
  glpk: {
    ...CPLEX,
    lowerKeepsOne: true,
    constantSign: 1,
    belowNegativeUpper: "zero",
    senseOnOwnLine: "refused",
    senseOnHeader: "refused",
    infiniteBound: null,
    infiniteSide: null,
  },
  cbc: {
    ...CPLEX,
    belowNegativeUpper: "none",
    senseOnOwnLine: "ignored",
    senseOnHeader: "refused",
    infiniteBound: power(29n),
    severalSets: "first",
  },
  lp_solve: {
    ...CPLEX,
    markedIsBinary: false,
    constantSign: 1,
    belowNegativeUpper: "zero",
    senseOnHeader: "ignored",
    severalSets: "merged",
  },
  scip: {
    ...CPLEX,
    belowNegativeUpper: "zero",
    infiniteBound: power(20n),
    infiniteSide: power(20n),
    severalSets: "first",
  },
};

/** The other readers for which something holds, as a text names them: `GLPK and lp_solve`; `""` where there is none. */
export function othersWhere(holds: (rules: ReadingRules, dialect: Dialect) => boolean): string {
  return listed(OTHERS.filter((name) => holds(RULES[name], name)).map((name) => READER_NAMES[name]));
}

/** Several readers take, one takes. */
export function verb(readers: string, many: string): string {
  return readers.includes(" and ") ? many : `${many}s`;
}

/** `HiGHS`, `HiGHS and SCIP`, `HiGHS, CBC and SCIP`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
