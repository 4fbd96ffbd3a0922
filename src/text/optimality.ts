import type { Said } from "./said.js";
import { aboveText, aboveWhat, count, relativeGap, roundedUp, significant } from "./units.js";

/** Integers or fractions in lowest terms, so that equal numbers are equal texts. */
interface ExactPair {
  readonly value: string | null;
  readonly bound: string | null;
}

/** Numbers, or exact texts where they are beyond the range of doubles; `gap` is |value − bound| / |value|, rounded up. */
interface Amounts {
  readonly value: number | string | null;
  readonly bound: number | string | null;
  readonly gap: number | string | null;
}

/** What is known of a plan or of a solution. */
export interface Answer {
  readonly status: string;
  /** Of the search; a solution of a program has none. */
  readonly method?: string;
  readonly exact: ExactPair;
  readonly objective: Amounts;
  /** What is to be proved beside the objective: a second goal, the partitions that a joint choice starts from. */
  readonly beside?: readonly ExactPair[];
}

/** A plan file of any problem, or the JSON of a solved program, as far as its value and bound go. */
export interface AnswerFile extends Omit<Answer, "beside"> {
  readonly second?: { readonly exact: ExactPair } | null;
  /** Goals in order, `best` of each being the least that was found of it; `null` where nothing was. */
  readonly stages?: readonly StageAnswer[] | null | undefined;
  readonly joint?:
    | {
        readonly seconds: Amounts & { readonly exact: ExactPair };
        readonly rows: readonly { readonly status: string; readonly partition: { readonly exact: ExactPair } }[];
      }
    | undefined;
}

interface StageAnswer extends Omit<Amounts, "value"> {
  readonly best: number | null;
  readonly exact: { readonly best: string | null; readonly bound: string | null };
}

function pairOf({ exact: { best: value, bound } }: StageAnswer): ExactPair {
  return { value, bound };
}

/**
 * The answer that a file gives, of goals in order the last one's, as far as something was found of each: of towers chosen with
 * their tables it is the seconds of their exchange.
 */
export function answerIn({ status, method, exact, objective, second, stages, joint }: AnswerFile): Answer {
  const known = { status, ...(method === undefined ? {} : { method }) };
  const last = stages?.at(-1);
  if (stages && last) {
    if (last.best === null) return { ...known, exact, objective, beside: stages.map(pairOf) };
    const beside = stages.slice(0, -1).map(pairOf);
    return { ...known, exact: pairOf(last), objective: { ...last, value: last.best }, beside };
  }
  if (joint === undefined) return { ...known, exact, objective, ...(second ? { beside: [second.exact] } : {}) };
  const open = joint.rows.filter((row) => row.status !== "infeasible");
  return {
    ...known,
    exact: joint.seconds.exact,
    objective: joint.seconds,
    beside: open.map(({ partition }) => partition.exact),
  };
}

/** How an answer is written. */
export interface AnswerTexts {
  readonly value: Said;
  /** Never more than was proved. */
  readonly bound: Said;
  /** What is so of an optimum, and of nothing else: `no plan is better than 12 ms`. */
  readonly optimum: Said;
  /** Of which plans bound and optimum are, where not of all: ` among those without ...`. */
  readonly among?: string;
  /** Which way worse values lie; `above` where the objective is minimised. */
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
export function standingOf({ status, exact, objective, beside = [] }: Answer): Standing {
  if (status === "infeasible" || status === "unbounded") return status;
  if (objective.value === null) return "nothing";
  if (status === "proved") return [exact, ...beside].every(isClosed) ? "optimal" : "within";
  return status === "heuristic" ? "heuristic" : "found";
}

function isClosed({ value, bound }: ExactPair): boolean {
  return value !== null && value === bound;
}

/** An answer in a few words: a badge, a cell of a table, the begin of a verdict. */
export function standingWords(answer: Answer): string {
  switch (standingOf(answer)) {
    case "optimal":
      return "proved optimal";
    case "within": {
      const share = isClosed(answer.exact) ? null : shareOff(answer.objective);
      return withinWords(share);
    }
    case "found":
      return answer.exact.bound === null ? "best found, no bound proved" : "best found, not proved to the gap";
    case "heuristic":
      return answer.method === undefined ? "no bound asked for" : `by ${methodName(answer.method)}, no bound asked for`;
    case "nothing":
      return answer.exact.bound === null ? "nothing found, nothing proved" : "nothing found, a bound proved";
    case "infeasible":
      return "proved infeasible";
    case "unbounded":
      return "unbounded";
  }
}

/** What is known of the value of an answer: the end of a sentence that has said the value. */
export function valueWords(answer: Answer, texts: AnswerTexts): Said {
  switch (standingOf(answer)) {
    case "optimal":
    case "within":
      return provedWords(answer, texts);
    case "found":
      return foundWords(answer, texts);
    default:
      return standingWords(answer);
  }
}

/** The same of the first goal alone, where it is within the gap that was asked for and a second goal is not. */
export function firstGoalWords({ beside: _, ...first }: Answer, texts: AnswerTexts): Said {
  return provedWords(first, texts);
}

function provedWords(answer: Answer, texts: AnswerTexts): Said {
  const { bound, among = "" } = texts;
  if (isClosed(answer.exact)) {
    // What else was to be proved has a gap, of which the objective's per cent would say nothing.
    return (answer.beside ?? []).every(isClosed) ? texts.optimum : ["proved to the gap, proved bound ", bound, among];
  }
  const share = shareOff(answer.objective);
  return share === null ? between(texts) : [`within ${percentUp(share)} of the optimum${among}, proved bound `, bound];
}

function foundWords(answer: Answer, texts: AnswerTexts): Said {
  const { bound, among = "" } = texts;
  if (answer.exact.bound === null) return "best found, no bound proved";
  if (isClosed(answer.exact)) return ["best found, proved bound ", bound, among];
  const share = shareOff(answer.objective);
  if (share === null) return ["best found, ", between(texts)];
  const far = share > 9 ? `${count(Math.ceil(share + 1))} times` : `${percentUp(share)} ${texts.worse ?? "above"}`;
  return [`best found, at most ${far} the optimum${among}, proved bound `, bound];
}

function between({ value, bound, among = "" }: AnswerTexts): Said {
  return [`the optimum${among} is between `, bound, " and ", value];
}

/**
 * A method's value beside the proved bound: `optimal too`, `6.9 % above the bound` as `above` writes it, or nothing that can be
 * said. Of the first of two goals it is told how good a method is in that one alone.
 */
export function besideBound<Text = string>(
  aboveBound: number | null,
  isFirstOfTwo = false,
  above: (share: number) => Text | string = (share) => aboveWhat(share, "the bound"),
): Text | string | null {
  if (aboveBound === null || aboveBound < 0) return null;
  if (!isOptimalToo(aboveBound)) return above(aboveBound);
  return isFirstOfTwo ? "at the bound" : "optimal too";
}

/** The status of the exact method in a comparison, where `aboveBound` is its value's. */
export function comparedWords(status: string, aboveBound: number | null): string {
  if (status === "feasible") return "best found, not proved to the gap";
  if (status !== "proved") return status;
  return aboveBound === 0 ? "proved optimal" : withinWords(aboveBound);
}

/** A value that is proved to the gap by how far it is above its bound: (value − bound) / bound. */
export function withinWords(aboveBound: number | null): string {
  return aboveBound !== null && aboveBound > 0
    ? `within ${percentUp(aboveBound)} of the optimum, proved`
    : "proved to the gap";
}

/** Whether a method's value is the proved bound: 0 is written for equal rationals alone. */
export function isOptimalToo(aboveBound: number | null): boolean {
  return aboveBound === 0;
}

/** A point of a frontier: an answer for a budget of its own. */
export type FrontierAnswer = Amounts & { readonly status: string; readonly exact: ExactPair };

/** What the exact method's points of a frontier are: optima where each is its bound. */
export function pointsName(points: readonly FrontierAnswer[]): "optimum" | "exact" {
  return points.every((point) => standingOf(answerAt(point)) === "optimal") ? "optimum" : "exact";
}

/** What is known of all of them, where all are proved to the gap: of the one with the widest. */
export function pointsWords(points: readonly FrontierAnswer[]): string {
  if (pointsName(points) === "optimum") return "the optimum";
  const widest = points.reduce((most, point) => (Number(point.gap) > Number(most.gap) ? point : most));
  return standingWords(answerAt(widest));
}

function answerAt({ status, exact, ...objective }: FrontierAnswer): Answer {
  return { status, exact, objective };
}

/** A method as people read its name: `optimal` is what the exact one aims at, not what its plans are. */
export function methodName(method: string): string {
  return method === "optimal" ? "exact" : method;
}

/**
 * (value − optimum) / |optimum| at most, from the gap, which is relative to the value; `null` where the optimum may be 0 or
 * on the other side of it.
 */
function shareOff({ value, bound, gap }: Amounts): number | null {
  if (typeof value !== "number" || typeof bound !== "number" || typeof gap !== "number") return null;
  if (Math.sign(value) !== Math.sign(bound) || value === 0 || gap === 0) return null;
  const boundOverValue = Math.abs(bound) > Math.abs(value) ? 1 + gap : 1 - gap;
  return boundOverValue > 0 ? gap / boundOverValue : null;
}

/**
 * A gap as every sentence has it, as a share of the bound and never less than it is: `29.6 %`, `2.4e-7` below a hundredth of a per
 * cent, `0` for none. Of the value where value and bound are on two sides of 0.
 */
export function gapText(amounts: Amounts): string {
  const share = shareOff(amounts);
  if (share === null) return relativeGap(Number(amounts.gap));
  if (share > 9) return aboveText(share);
  return share < 1e-4 ? roundedUp(share, 2).toExponential(1) : percentUp(share);
}

/** What {@link gapText} is a share of, where there is a gap. */
export function gapOf(amounts: Amounts): string {
  if (Number(amounts.gap) === 0) return "";
  return shareOff(amounts) === null ? " of the value" : " of the bound";
}

/** A share above 0 as a percentage that is not less than it: `5.8 %` for 0.0571. */
function percentUp(share: number): string {
  // More than the rounding of two divisions and this product.
  const value = share * 100 * (1 + 2 ** -50);
  const exponent = Math.floor(Math.log10(value));
  // As `percent` has them: one decimal, two digits of what is small, an exponent below that.
  if (exponent >= -1) return `${roundedUp(value, exponent + 2).toFixed(1)} %`;
  const least = roundedUp(value, 2);
  return `${exponent < -4 ? least.toExponential(1) : significant(least, 2)} %`;
}
