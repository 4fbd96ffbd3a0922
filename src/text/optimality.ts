import { percent, significant } from "./units.js";

/**
 * What is known of a plan or a solution, as its file has it. Every plan file, and every solution of a program, is one;
 * `seconds` of a joint plan with the plan's status is another.
 */
export interface Answer {
  readonly status: string;
  /** Of the search; a solution of a program has none. */
  readonly method?: string;
  /** Integers or fractions in lowest terms, so that equal numbers are equal texts. */
  readonly exact: { readonly value: string | null; readonly bound: string | null };
  /** Numbers, or exact texts where they are beyond the range of doubles; `gap` is |value − bound| / |value|, rounded up. */
  readonly objective: {
    readonly value: number | string | null;
    readonly bound: number | string | null;
    readonly gap: number | string | null;
  };
}

/** How value and bound are written beside one another, and what has a better value. */
export interface AnswerTexts {
  readonly value: string;
  /** Never more than was proved. */
  readonly bound: string;
  /** Which way a worse value lies; `above` where the objective is minimised. */
  readonly worse?: "above" | "below";
}

/**
 * - `optimal`: proved, and the value is the bound, exactly: the only case in which it is called so;
 * - `within`: proved to the gap that was asked for, and there is a gap;
 * - `found`: a plan whose gap is wider, or that has no bound; `heuristic`: no bound was asked for;
 * - `nothing`: neither a plan nor a proof that there is none; `infeasible`; `unbounded`.
 */
export type Standing = "optimal" | "within" | "found" | "heuristic" | "nothing" | "infeasible" | "unbounded";

/** What may be said of an answer. A status that is none of the known ones claims nothing. */
export function standingOf({ status, exact, objective }: Answer): Standing {
  if (status === "infeasible" || status === "unbounded") return status;
  if (objective.value === null) return "nothing";
  if (status === "proved") return exact.value !== null && exact.value === exact.bound ? "optimal" : "within";
  return status === "heuristic" ? "heuristic" : "found";
}

/** A piece of a sentence: words, or a number of the file that a page marks as such. */
export type Piece = string | { readonly of: "value" | "bound"; readonly text: string };

/** A sentence as one text. */
export function plainText(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}

/** An answer in a few words: a badge, a cell of a table, the begin of a verdict. */
export function standingWords(answer: Answer): string {
  switch (standingOf(answer)) {
    case "optimal":
      return "proved optimal";
    case "within":
      return withinWords(answer) ?? "proved to the gap";
    case "found":
      return answer.exact.bound === null ? "best found, no bound proved" : "best found, not proved to the gap";
    case "heuristic":
      return answer.method === undefined ? "no bound asked for" : `by ${methodName(answer.method)}, no bound asked for`;
    case "nothing":
      return "nothing found, nothing proved";
    case "infeasible":
      return "infeasible, proved";
    case "unbounded":
      return "unbounded";
  }
}

/**
 * What is known of the value of an answer, to follow a colon or a comma. `none` is what would be better, of which there is
 * none where the value is optimal: `no plan is better than`.
 */
export function valueWords(answer: Answer, texts: AnswerTexts, none: string): readonly Piece[] {
  const { worse = "above" } = texts;
  const bound: Piece = { of: "bound", text: texts.bound };
  const between: readonly Piece[] = ["the optimum is between ", bound, " and ", { of: "value", text: texts.value }];
  switch (standingOf(answer)) {
    case "optimal":
      return [`${none} `, bound];
    case "within": {
      const words = withinWords(answer);
      return words === null ? between : [`${words} (bound `, bound, ")"];
    }
    case "found": {
      if (answer.exact.bound === null) return ["best found, no bound proved"];
      const share = shareOff(answer);
      if (share === null) return ["best found, ", ...between];
      return [`best found, at most ${percentUp(share)} ${worse} the optimum (proved bound `, bound, ")"];
    }
    default:
      return [standingWords(answer)];
  }
}

/** A value that may be as good as the proved bound: `optimal too`, `6.9 % above the bound`, or nothing that can be said. */
export function besideBound(aboveBound: number | null): string | null {
  if (aboveBound === null || aboveBound < 0) return null;
  return isOptimalToo(aboveBound) ? "optimal too" : `${percent(aboveBound)} above the bound`;
}

/** Whether a method's value is the proved bound: 0 is written for equal rationals alone. */
export function isOptimalToo(aboveBound: number | null): boolean {
  return aboveBound === 0;
}

/** A method as people read its name: `optimal` is what the exact one aims at, not what its plans are. */
export function methodName(method: string): string {
  return method === "optimal" ? "exact" : method;
}

function withinWords(answer: Answer): string | null {
  const share = shareOff(answer);
  return share === null ? null : `within ${percentUp(share)} of the optimum, proved`;
}

/**
 * (value − optimum) / |optimum| at most, from the gap, which is relative to the value; `null` where the optimum may be 0 or
 * on the other side of it.
 */
function shareOff({ objective: { value, bound, gap } }: Answer): number | null {
  if (typeof value !== "number" || typeof bound !== "number" || typeof gap !== "number") return null;
  if (Math.sign(value) !== Math.sign(bound) || value === 0) return null;
  const boundOverValue = Math.abs(bound) > Math.abs(value) ? 1 + gap : 1 - gap;
  return boundOverValue > 0 ? gap / boundOverValue : null;
}

/** A share above 0 as a percentage that is not less than it: `5.8 %` for 0.0571. */
function percentUp(share: number): string {
  const value = share * 100;
  const exponent = Math.floor(Math.log10(value));
  // As `percent` has them: one decimal, two digits of what is small, an exponent below that.
  const decimals = exponent < -1 ? 1 - exponent : 1;
  if (decimals > 100) return `${Number.MIN_VALUE} %`;
  const nearest = Number(value.toFixed(decimals));
  const least = nearest >= value ? nearest : nearest + 10 ** -decimals;
  if (exponent < -4) return `${least.toExponential(1)} %`;
  return `${exponent < -1 ? significant(least, 2) : least.toFixed(decimals)} %`;
}
