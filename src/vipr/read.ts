import type { Rational } from "../exact/rational.js";
import { linearForm, makeProgram, type Program, ProgramError } from "../program/program.js";
import { type Word, Words } from "./words.js";

/** Coefficients by variable index, none of them zero. */
export type SparseVector = ReadonlyMap<number, Rational>;

export interface ViprConstraint {
  readonly name: string;
  readonly sense: "G" | "L" | "E";
  readonly rhs: Rational;
  readonly coefficients: SparseVector;
}

export type ViprReason =
  | { readonly rule: "asm" }
  | { readonly rule: "sol" }
  | { readonly rule: "lin" | "rnd"; readonly multipliers: ReadonlyMap<number, Rational> }
  /** Two proofs of the constraint and the assumption that each may use. */
  | { readonly rule: "uns"; readonly first: Proof; readonly second: Proof };

export interface Proof {
  readonly line: number;
  readonly assumption: number;
}

export interface ViprDerivation {
  readonly constraint: ViprConstraint;
  readonly reason: ViprReason;
  /** No line after this one refers to the derivation; −1: not said. */
  readonly lastUse: number;
  /** The writer says that it rests on no assumption. */
  readonly global: boolean;
}

/** What the file says it proves. `null`: no bound on that side. The objective has no constant. */
export type ViprClaim =
  | { readonly kind: "infeasible" }
  | { readonly kind: "range"; readonly lower: Rational | null; readonly upper: Rational | null };

export interface ViprFile {
  readonly version: string;
  /** The problem: bound constraints are the columns' bounds, the other constraints are rows. */
  readonly program: Program;
  /** As the file numbers them; derivations go on from there. */
  readonly constraints: readonly ViprConstraint[];
  readonly objective: SparseVector;
  readonly claim: ViprClaim;
  readonly solutions: readonly { readonly name: string; readonly values: SparseVector }[];
  readonly derivations: readonly ViprDerivation[];
}

/**
 * Reads a certificate in the VIPR format, version 1.0 or 1.1 (Cheung, Gleixner, Steffy 2017). Only its form is looked
 * at; `checkVipr` says whether it holds.
 *
 * Comments begin with `%` and end with their line: before everything else, and before or behind lines of CON and DER.
 *
 * Throws `InputError` with file:line:column for anything that the format does not allow, and for the derivations that
 * version 1.1 leaves incomplete (`lin weak`, `lin incomplete`), which VIPR's own viprcomp completes.
 */
export function readVipr(text: string, file: string): ViprFile {
  return new Reader(new Words(text, file)).read();
}

class Reader {
  readonly #words: Words;
  #names: readonly string[] = [];
  #objective: SparseVector = new Map();

  constructor(words: Words) {
    this.#words = words;
  }

  read(): ViprFile {
    const words = this.#words;
    words.skipComments();
    words.oneOf("VER");
    const version = words.oneOf("1.0", "1.1");
    words.oneOf("VAR");
    this.#names = this.#times(words.count("variables"), () => words.next("the name of a variable").text);
    const count = this.#names.length;
    words.oneOf("INT");
    const integers = new Set<number>();
    for (let left = words.count("integer variables"); left > 0; left--) {
      integers.add(words.index("the index of a variable", count));
    }
    words.oneOf("OBJ");
    const sense = words.oneOf("min", "max") === "min" ? "minimize" : "maximize";
    this.#objective = this.#vector();
    const start = words.next(`"CON"`);
    if (start.text !== "CON") throw words.error(`expected "CON", found "${start.text}"`, start);
    const total = words.count("constraints");
    const bounds = words.index("the number of bound constraints", total + 1);
    const constraints = this.#times(total, () => this.#constraint());
    const program = this.#program(sense, integers, constraints, bounds, start);
    words.skipComments();
    words.oneOf("RTP");
    const claim = this.#claim();
    words.oneOf("SOL");
    const solutions = this.#times(words.count("solutions"), () => {
      const name = words.next("the name of a solution").text;
      return { name, values: this.#vector() };
    });
    words.oneOf("DER");
    const derivations = this.#times(words.count("derivations"), (k) => this.#derivation(total + k));
    words.skipComments();
    words.end();
    return { version, program, constraints, objective: this.#objective, claim, solutions, derivations };
  }

  #times<T>(count: number, read: (k: number) => T): T[] {
    const list: T[] = [];
    for (let k = 0; k < count; k++) list.push(read(k));
    return list;
  }

  /** `OBJ`, or how many pairs of index and value follow. */
  #vector(): SparseVector {
    if (this.#words.skip("OBJ") !== null) return this.#objective;
    return this.#pairs("the index of a variable", this.#names.length);
  }

  #pairs(what: string, limit: number): SparseVector {
    const words = this.#words;
    const vector = new Map<number, Rational>();
    const seen = new Set<number>();
    for (let left = words.count("pairs"); left > 0; left--) {
      const index = words.index(what, limit);
      const value = words.next("a number");
      if (seen.has(index)) throw words.error(`expected each index once, found ${index} again`, value);
      seen.add(index);
      const number = words.toRational(value, "a number");
      if (number.sign() !== 0) vector.set(index, number);
    }
    return vector;
  }

  /** Comments may stand where a line of CON or DER begins: for viprchk such a line is one whose name begins with `%`. */
  #constraint(): ViprConstraint {
    const words = this.#words;
    words.skipComments();
    const { text: name } = words.next("the name of a constraint");
    const sense = words.oneOf("G", "L", "E");
    const rhs = words.rational("the right-hand side");
    return { name, sense, rhs, coefficients: this.#vector() };
  }

  #claim(): ViprClaim {
    const words = this.#words;
    if (words.oneOf("infeas", "range") === "infeas") return { kind: "infeasible" };
    const side = (none: string) => {
      const what = `a number or "${none}"`;
      return words.skip(none) === null ? words.rational(what) : null;
    };
    return { kind: "range", lower: side("-inf"), upper: side("inf") };
  }

  #derivation(index: number): ViprDerivation {
    const words = this.#words;
    const constraint = this.#constraint();
    words.oneOf("{");
    const reason = this.#reason(index);
    words.oneOf("}");
    const lastUse = words.skip("-1") === null ? words.index("the last line that refers here", Infinity) : -1;
    return { constraint, reason, lastUse, global: words.skip("global") !== null };
  }

  #reason(index: number): ViprReason {
    const words = this.#words;
    const rule = words.oneOf("asm", "lin", "rnd", "uns", "sol");
    if (rule === "asm" || rule === "sol") return { rule };
    const line = () => words.index("the index of an earlier constraint", index);
    if (rule === "uns") {
      const proof = (): Proof => ({ line: line(), assumption: line() });
      return { rule, first: proof(), second: proof() };
    }
    const incomplete = words.skip("weak") ?? words.skip("incomplete");
    if (incomplete !== null) {
      const found = `found an incomplete derivation ("${rule} ${incomplete.text}")`;
      throw words.error(`expected multipliers, ${found}; complete the file with viprcomp first`, incomplete);
    }
    return { rule, multipliers: this.#pairs("the index of an earlier constraint", index) };
  }

  #program(
    sense: "minimize" | "maximize",
    integers: ReadonlySet<number>,
    constraints: readonly ViprConstraint[],
    bounds: number,
    place: Word,
  ): Program {
    const lower: (Rational | null)[] = this.#names.map(() => null);
    const upper: (Rational | null)[] = this.#names.map(() => null);
    const rows = constraints.flatMap(({ name, sense, rhs, coefficients }, index) => {
      const [only] = coefficients;
      if (index < bounds && coefficients.size === 1 && only !== undefined) {
        const [column, coefficient] = only;
        const value = rhs.divide(coefficient);
        const turned = coefficient.sign() < 0;
        if (sense !== (turned ? "G" : "L")) lower[column] = tighter(lower[column], value, 1);
        if (sense !== (turned ? "L" : "G")) upper[column] = tighter(upper[column], value, -1);
        return [];
      }
      const form = linearForm(coefficients);
      return [{ name, form, lower: sense === "L" ? null : rhs, upper: sense === "G" ? null : rhs }];
    });
    const columns = this.#names.map((name, j) => {
      return { name, lower: lower[j] ?? null, upper: upper[j] ?? null, integer: integers.has(j) };
    });
    try {
      return makeProgram({ columns, rows, objective: { sense, form: linearForm(this.#objective) } });
    } catch (error) {
      if (error instanceof ProgramError) throw this.#words.error(error.message, place);
      throw error;
    }
  }
}

/** The greater (sign 1) or the smaller (sign −1) of two bounds. */
function tighter(bound: Rational | null | undefined, value: Rational, sign: 1 | -1): Rational {
  return bound === null || bound === undefined || value.compare(bound) * sign > 0 ? value : bound;
}
