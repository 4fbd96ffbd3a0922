import { leastCommonMultiple, Rational } from "../exact/rational.js";
import type { Program } from "../program/program.js";
import { accumulate, type Coefficients, Combination, type Fact } from "./combination.js";
import { factOf, negated, objectiveOf, type Problem, type Side } from "./problem.js";

type Reason =
  | { readonly rule: "asm" }
  | { readonly rule: "lin" | "rnd"; readonly multipliers: readonly (readonly [line: number, factor: string])[] }
  | { readonly rule: "uns"; readonly lines: readonly [number, number, number, number] };

/** What a line says; `"OBJ"`: the objective's own coefficients. */
interface Stated {
  readonly sense: "G" | "L";
  readonly rhs: Rational;
  readonly coefficients: Coefficients | "OBJ";
}

interface DerivedLine {
  /** What it says, as the file has it. */
  readonly text: string;
  readonly reason: Reason;
}

/** Told of every line that is derived, and of how many bytes all of them have so far: what it throws ends the writing. */
export type OnLine = (lines: number, bytes: number) => void;

/** The program that a certificate's steps speak of, and how its forms read in the file's own columns. */
export interface Walked {
  readonly program: Program;
  /** A form over the walked program's columns as one over the program's own. */
  readonly own: (coefficients: Coefficients) => Coefficients;
}

/**
 * The DER section while it is written. Every proof of a node ends in the same statement, the goal: the objective
 * reaches the target; or, where nothing is feasible, `0 ≥ 1`.
 */
export class Derivations {
  readonly #problem: Problem;
  readonly #maximise: boolean;
  /** Of the minimisation, without the objective's constant; `null` when infeasibility is to be shown. */
  readonly #target: Rational | null;
  /** The objective as a minimisation. */
  readonly #objective: Coefficients;
  readonly #own: Walked["own"];
  readonly #onLine: OnLine;
  #bytes = 0;
  readonly #lines: DerivedLine[] = [];
  /** By derived line, the assumptions that it rests on. */
  readonly #assumptions: ReadonlySet<number>[] = [];

  constructor(problem: Problem, walked: Walked, maximise: boolean, target: Rational | null, onLine: OnLine = () => {}) {
    this.#problem = problem;
    this.#objective = objectiveOf(walked.program);
    this.#own = walked.own;
    this.#onLine = onLine;
    this.#maximise = maximise;
    this.#target = target;
  }

  /** Assumes `coefficients · x ≥ value` (side `lower`) or `≤ value` (side `upper`). */
  assume(coefficients: Coefficients, value: Rational, side: Side): Fact {
    const stated = { sense: side === "lower" ? "G" : "L", rhs: value, coefficients: this.#own(coefficients) } as const;
    const line = this.#push(stated, { rule: "asm" });
    return factOf(coefficients, value, line, side);
  }

  /**
   * States what a combination says, with a right-hand side that is not greater (`lin`), or not greater than the next
   * integer (`rnd`: integer coefficients of integer columns and no weight on the objective).
   */
  derive(rule: "lin" | "rnd", from: Combination, rhs: Rational, side: Side): Fact {
    const isEquation = (line: number) => this.#problem.lines[line]?.sense === "E";
    if (rule === "rnd" && [...from.multipliers.keys()].every(isEquation)) {
      // A sum of equations is an equation, which VIPR does not round: one of its sides is stated first.
      const stated = new Combination().add(this.derive("lin", from, from.rhs, side), Rational.one);
      return this.derive("rnd", stated, rhs, side);
    }
    const stated = new Map(from.coefficients);
    const { weight } = from;
    let total = rhs;
    if (weight.sign() !== 0) {
      for (const [column, c] of this.#objective) accumulate(stated, column, c.multiply(weight));
      total = rhs.add(weight.multiply(this.#target as Rational));
    }
    const upper = side === "upper";
    const line = this.#push(
      {
        sense: upper ? "L" : "G",
        rhs: upper ? total.negate() : total,
        coefficients: this.#own(upper ? negated(stated) : stated),
      },
      { rule, multipliers: multipliersOf(from, Rational.of(upper ? -1n : 1n)) },
    );
    return { coefficients: new Map(from.coefficients), weight, rhs, line, negated: upper };
  }

  /**
   * States the goal, from a combination in which no column is left: 0 ≥ something positive, or the objective ≥ the
   * target. Throws when the combination says less, which a checked certificate does not allow.
   */
  goal(from: Combination): number {
    const weighted = from.weight.sign() > 0;
    if (from.coefficients.size > 0 || from.rhs.sign() < (weighted ? 0 : 1)) {
      throw new Error("a step of a checked certificate did not lead to its goal");
    }
    // A contradiction implies the goal at any scale, and integers are shorter than fractions.
    const scale = weighted ? Rational.one.divide(from.weight) : Rational.of(commonDenominator(from));
    const upper = this.#target !== null && this.#maximise;
    const multipliers = multipliersOf(from, upper ? scale.negate() : scale);
    return this.#push(this.#goal(), { rule: "lin", multipliers });
  }

  /** Whether the proof of a line uses an assumption. */
  restsOn(line: number, assumption: number): boolean {
    return this.#assumptionsOf(line).has(assumption);
  }

  /**
   * The goal, from two proofs of it: one under an assumption, the other under the assumption's opposite. A proof that
   * does not use its assumption is enough by itself.
   */
  unsplit(first: number, firstAssumption: number, second: number, secondAssumption: number): number {
    return this.#unsplit([first, firstAssumption, second, secondAssumption], () => this.#goal());
  }

  /** A fact `form ≥ rhs`, from two proofs of it as {@link unsplit} has them: lines that state it. */
  unsplitFact(first: Fact, firstAssumption: number, second: Fact, secondAssumption: number): Fact {
    const line = this.#unsplit([first.line, firstAssumption, second.line, secondAssumption], () => {
      return { sense: "G", rhs: first.rhs, coefficients: this.#own(first.coefficients) };
    });
    return line === second.line ? second : { ...first, line };
  }

  #unsplit(lines: Extract<Reason, { readonly rule: "uns" }>["lines"], stated: () => Stated) {
    const [first, firstAssumption, second, secondAssumption] = lines;
    if (!this.restsOn(first, firstAssumption)) return first;
    if (!this.restsOn(second, secondAssumption)) return second;
    return this.#push(stated(), { rule: "uns", lines });
  }

  /** The section, ending in `last`; lines that it does not rest on are left out and the others renumbered. */
  *text(last: number): Generator<string> {
    const first = this.#problem.lines.length;
    const lastUse = this.#lastUses(last);
    const position = new Map<number, number>();
    for (let index = 0; index <= last; index++) {
      if (index < first || lastUse.has(index)) position.set(index, position.size);
    }
    const at = (index: number) => position.get(index) as number;
    yield `DER ${lastUse.size}`;
    const prefix = freePrefix(this.#problem);
    for (const [index, use] of [...lastUse].sort(([a], [b]) => a - b)) {
      const { text, reason } = this.#lines[index - first] as DerivedLine;
      yield `${prefix}${at(index)} ${text} { ${reasonText(reason, at)} } ${use === -1 ? -1 : at(use)}`;
    }
  }

  /** By derived line that `last` rests on: the last line that refers to it, −1 for none. */
  #lastUses(last: number): Map<number, number> {
    const first = this.#problem.lines.length;
    const lastUse = new Map([[last, -1]]);
    for (let index = last; index >= first; index--) {
      if (!lastUse.has(index)) continue;
      const used = usedBy((this.#lines[index - first] as DerivedLine).reason);
      for (const line of used) if (line >= first && !lastUse.has(line)) lastUse.set(line, index);
    }
    return lastUse;
  }

  #goal(): Stated {
    if (this.#target === null) return { sense: "G", rhs: Rational.one, coefficients: new Map() };
    return this.#maximise
      ? { sense: "L", rhs: this.#target.negate(), coefficients: "OBJ" }
      : { sense: "G", rhs: this.#target, coefficients: "OBJ" };
  }

  #push({ sense, rhs, coefficients }: Stated, reason: Reason): number {
    const text = `${sense} ${rhs} ${coefficients === "OBJ" ? "OBJ" : vectorText(coefficients)}`;
    const count = this.#lines.push({ text, reason });
    const index = this.#problem.lines.length + count - 1;
    this.#assumptions.push(this.#restingOn(reason, index));
    this.#bytes += text.length + reasonText(reason, String).length;
    this.#onLine(count, this.#bytes);
    return index;
  }

  #restingOn(reason: Reason, index: number): ReadonlySet<number> {
    if (reason.rule === "asm") return new Set([index]);
    if (reason.rule !== "uns") return union(usedBy(reason).map((line) => this.#assumptionsOf(line)));
    const [first, firstAssumption, second, secondAssumption] = reason.lines;
    const without = (line: number, assumption: number) => {
      const left = new Set(this.#assumptionsOf(line));
      left.delete(assumption);
      return left;
    };
    return union([without(first, firstAssumption), without(second, secondAssumption)]);
  }

  #assumptionsOf(line: number): ReadonlySet<number> {
    return this.#assumptions[line - this.#problem.lines.length] ?? NONE;
  }
}

const NONE: ReadonlySet<number> = new Set();

/** The union of sets, most of which are empty or the same: shared where it can be. */
function union(sets: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  let all = NONE;
  let own: Set<number> | null = null;
  for (const set of sets) {
    if (set.size === 0 || set === all) continue;
    if (all.size === 0) {
      all = set;
      continue;
    }
    for (const line of set) {
      if (all.has(line)) continue;
      own ??= new Set(all);
      own.add(line);
      all = own;
    }
  }
  return all;
}

/** The lines that a reason refers to. */
function usedBy(reason: Reason): readonly number[] {
  if (reason.rule === "asm") return [];
  return reason.rule === "uns" ? reason.lines : reason.multipliers.map(([line]) => line);
}

/** `nnz index value …` */
export function vectorText(coefficients: Coefficients): string {
  const terms = [...coefficients].sort(([a], [b]) => a - b).map(([column, value]) => ` ${column} ${value}`);
  return `${terms.length}${terms.join("")}`;
}

function reasonText(reason: Reason, at: (index: number) => number | string): string {
  if (reason.rule === "asm") return "asm";
  if (reason.rule === "uns") return `uns ${reason.lines.map(at).join(" ")}`;
  return `${reason.rule} ${[reason.multipliers.length, ...reason.multipliers.flatMap(([line, factor]) => [at(line), factor])].join(" ")}`;
}

/** Of the multipliers; 1 where it is so large that integers are not shorter. */
function commonDenominator({ multipliers }: Combination): bigint {
  let common = 1n;
  for (const { denominator } of multipliers.values()) {
    if (denominator !== common) common = leastCommonMultiple(common, denominator);
    if (common > LARGEST_DENOMINATOR) return 1n;
  }
  return common;
}

const LARGEST_DENOMINATOR = 1n << 64n;

function multipliersOf(from: Combination, scale: Rational): (readonly [number, string])[] {
  return [...from.multipliers].map(([line, factor]) => [line, factor.multiply(scale).toString()]);
}

/** A prefix that no constraint's name begins with. */
function freePrefix({ lines }: Problem): string {
  let prefix = "D";
  while (lines.some(({ name }) => name.startsWith(prefix))) prefix += "_";
  return prefix;
}
