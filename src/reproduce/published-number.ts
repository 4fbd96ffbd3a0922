/** Whether a number of a paper is as it says. */
export const VERDICTS = ["holds", "does not hold", "cannot be checked"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What a number counts. */
export type NumberUnit =
  | ""
  | "AUC"
  | "bytes"
  | "elements"
  | "GB"
  | "GiB"
  | "G parameters"
  | "MFlops"
  | "MiB"
  | "ms"
  | "ms²"
  | "rows"
  | "s"
  | "share"
  | "times";

/** A number that a paper prints, or a statement of its text, with what this program computes in its place. */
export interface PublishedNumber {
  /** Of the paper: `table 5`, `section 6.2`. */
  readonly where: string;
  readonly what: string;
  /** A statement without a number of its own is right or wrong as its words have it. */
  readonly kind: "number" | "statement";
  readonly unit: NumberUnit;
  /** As printed; `null` where words alone say it. */
  readonly published: number | null;
  /** `null` where nothing is computed in its place. */
  readonly ours: number | null;
  readonly verdict: Verdict;
  /** What it was held to, or why it cannot be checked. */
  readonly by: string;
  /** Of the paper, or this program's: what ours is computed by; `null` where nothing is. */
  readonly equation: string | null;
  /** Whether ours is a proved optimum, or stands beside one: checked in exact arithmetic. */
  readonly proved: boolean;
}

/** How near a number has to be. */
export interface Rule {
  readonly says: string;
  readonly holds: (ours: number, published: number) => boolean;
}

/** Within a share of the printed number. */
export function within(share: number, what: string): Rule {
  return {
    says: `within ${100 * share} %: ${what}`,
    holds: (ours, published) => Math.abs(ours - published) <= share * Math.abs(published),
  };
}

/** Rounded as it is printed: `unit` is what one of its last digit is worth. */
export function printedTo(unit: number, says: string): Rule {
  return {
    says,
    holds: (ours, published) => Math.round(ours / unit) === Math.round(published / unit),
  };
}

/** One rule or another. */
export function either(one: Rule, other: Rule): Rule {
  return {
    says: `${one.says}, ${other.says}`,
    holds: (ours, published) => one.holds(ours, published) || other.holds(ours, published),
  };
}

export type Judged = Pick<PublishedNumber, "published" | "ours" | "verdict" | "by">;

/** A number that can be set beside the printed one; nothing was reached where ours is `null`. */
export function judged(ours: number | null, published: number, rule: Rule): Judged {
  if (ours === null) return unchecked(published, NOT_REACHED);
  const verdict = rule.holds(ours, published) ? "holds" : "does not hold";
  return { published, ours, verdict, by: rule.says };
}

/** A number of the paper with its verdict. */
export function numberIn(
  where: string,
  what: string,
  unit: NumberUnit,
  equation: string | null,
  verdict: Judged,
): PublishedNumber {
  return { where, what, kind: "number", unit, ...verdict, equation, proved: false };
}

/** A statement of the text with its verdict. */
export function statementIn(where: string, what: string, equation: string | null, verdict: Judged): PublishedNumber {
  return { where, what, kind: "statement", unit: "", ...verdict, equation, proved: false };
}

/** A number that nothing here is evidence for or against, and why. */
export function unchecked(published: number, why: string, ours: number | null = null): Judged {
  return { published, ours, verdict: "cannot be checked", by: why };
}

/** A statement in words; `null` where the part that it is about was not reached. */
export function said(holds: boolean | null, by: string): Judged {
  const verdict = holds === null ? "cannot be checked" : holds ? "holds" : "does not hold";
  return { published: null, ours: null, verdict, by: holds === null ? NOT_REACHED : by };
}

const NOT_REACHED = "not reached in the time limit";
