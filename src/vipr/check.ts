import { Rational } from "../exact/rational.js";
import { CertificateError } from "../proof/certificate.js";
import { areOpposite, combine, dominates, holds, isIntegral, product, rounded } from "./constraint.js";
import { readVipr, type ViprClaim, type ViprConstraint, type ViprDerivation, type ViprFile } from "./read.js";

/** What a VIPR file was found to prove. */
export interface CheckedVipr {
  readonly claim: ViprClaim;
  readonly file: ViprFile;
  /** The best objective of the file's solutions, all of them feasible; `null`: there are none. */
  readonly best: Rational | null;
}

/** A constraint that is known to hold wherever its assumptions (lines, by number) do. */
interface Known {
  readonly constraint: ViprConstraint;
  readonly assumptions: ReadonlySet<number>;
  readonly lastUse: number;
}

const NONE: ReadonlySet<number> = new Set();

/**
 * Checks a VIPR file (version 1.0 or 1.1) in exact arithmetic: its solutions, every derivation, and that the last one is
 * the claim and rests on no assumption. It shares no code with the writer.
 *
 * The rule `sol` adds that the objective is at most that of the best solution (by one less, where the objective is made
 * of integers): as points that are not better cannot spoil the claim, the claim's bound must not be beyond that solution.
 *
 * Throws `InputError` for what is not in the format, and `CertificateError` with the derivation's number (from 1; 0 for
 * solutions and claim) for what does not hold.
 */
export function checkVipr(text: string, file = "certificate"): CheckedVipr {
  const read = readVipr(text, file);
  const best = checkSolutions(read);
  const known: Known[] = read.constraints.map((constraint) => ({ constraint, assumptions: NONE, lastUse: -1 }));
  read.derivations.forEach((derivation, index) => {
    const { constraint, lastUse, global } = derivation;
    const derived = derive(read, derivation, known, best, index + 1);
    if (global && derived.size > 0) throw failure(index + 1, constraint, "is called global and rests on assumptions");
    known.push({ constraint, assumptions: derived, lastUse });
  });
  checkClaim(read, known, best);
  return { claim: read.claim, file: read, best };
}

function checkSolutions({ program, constraints, objective, claim, solutions }: ViprFile): Rational | null {
  const minimise = program.objective.sense === "minimize";
  let best: Rational | null = null;
  for (const { name, values } of solutions) {
    if (claim.kind === "infeasible")
      throw new CertificateError(0, `solution "${name}" beside a claim of infeasibility`);
    for (const [j, value] of values) {
      if (program.columns[j]?.integer === true && !value.isInteger()) {
        throw new CertificateError(0, `solution "${name}": "${program.columns[j].name}" is ${value}, not an integer`);
      }
    }
    for (const { name: broken, sense, rhs, coefficients } of constraints) {
      const order = product(coefficients, values).compare(rhs);
      if (sense === "G" ? order < 0 : sense === "L" ? order > 0 : order !== 0) {
        throw new CertificateError(0, `solution "${name}" breaks the constraint "${broken}"`);
      }
    }
    const value = product(objective, values);
    if (best === null || value.compare(best) < 0 === minimise) best = value;
  }
  return best;
}

function checkClaim(
  { program, objective, claim, derivations }: ViprFile,
  known: readonly Known[],
  best: Rational | null,
) {
  const last = derivations.length === 0 ? undefined : known.at(-1);
  const require = (wanted: ViprConstraint): void => {
    if (wanted.coefficients.size === 0 && holds(wanted)) return;
    if (last === undefined) throw new CertificateError(0, "the claim needs a derivation, and there is none");
    if (last.assumptions.size > 0) {
      const what = `is the last and rests on ${last.assumptions.size} assumptions`;
      throw failure(derivations.length, last.constraint, what);
    }
    if (!dominates(last.constraint, wanted)) throw failure(derivations.length, last.constraint, "is not the claim");
  };
  if (claim.kind === "infeasible") {
    require({ name: "", sense: "G", rhs: Rational.one, coefficients: new Map() });
    return;
  }
  const minimise = program.objective.sense === "minimize";
  const proved = minimise ? claim.lower : claim.upper;
  const reached = minimise ? claim.upper : claim.lower;
  const beyond = (a: Rational, b: Rational) => (minimise ? a.compare(b) : b.compare(a)) > 0;
  if (reached !== null && (best === null || beyond(best, reached))) {
    throw new CertificateError(0, `no solution of the file has an objective of ${reached} or better`);
  }
  if (proved === null) return;
  if (best !== null && beyond(proved, best)) {
    throw new CertificateError(0, `the claimed bound ${proved} is beyond a solution of ${best}`);
  }
  require({ name: "", sense: minimise ? "G" : "L", rhs: proved, coefficients: objective });
}

/** Checks one derivation and returns the assumptions that it rests on. */
function derive(
  file: ViprFile,
  { constraint, reason }: ViprDerivation,
  known: readonly Known[],
  best: Rational | null,
  step: number,
): ReadonlySet<number> {
  const index = known.length;
  const use = (line: number): Known => {
    const used = known[line] as Known;
    if (used.lastUse !== -1 && used.lastUse < index) {
      throw failure(step, constraint, `refers to line ${line}, which was to be used until line ${used.lastUse} only`);
    }
    return used;
  };
  if (reason.rule === "asm") return new Set([index]);
  if (reason.rule === "sol") {
    if (!dominates(cutoff(file, best, step, constraint), constraint)) {
      throw failure(step, constraint, "is more than the best solution allows");
    }
    return NONE;
  }
  if (reason.rule === "uns") {
    const { first, second } = reason;
    if (!areOpposite(file.program, use(first.assumption).constraint, use(second.assumption).constraint)) {
      throw failure(step, constraint, `: lines ${first.assumption} and ${second.assumption} do not cover all integers`);
    }
    for (const { line } of [first, second]) {
      if (!dominates(use(line).constraint, constraint)) throw failure(step, constraint, `does not follow from ${line}`);
    }
    const left = new Set(known[first.line]?.assumptions);
    left.delete(first.assumption);
    for (const assumption of (known[second.line] as Known).assumptions) {
      if (assumption !== second.assumption) left.add(assumption);
    }
    return left;
  }
  const combined = combine([...reason.multipliers].map(([line, factor]) => [use(line).constraint, factor]));
  if (combined === null) throw failure(step, constraint, "adds inequalities of opposite directions");
  const derived = reason.rule === "rnd" ? rounded(file.program, combined) : combined;
  if (derived === null) throw failure(step, constraint, "rounds a form that need not be an integer");
  if (!dominates(derived, constraint)) {
    throw failure(step, constraint, `does not follow: its reason gives ${derived.sense} ${derived.rhs}`);
  }
  return union([...reason.multipliers.keys()].map((line) => (known[line] as Known).assumptions));
}

function cutoff(file: ViprFile, best: Rational | null, step: number, constraint: ViprConstraint): ViprConstraint {
  if (best === null) throw failure(step, constraint, "needs a solution, and the file has none");
  const minimise = file.program.objective.sense === "minimize";
  const whole = isIntegral(file.program, file.objective) ? Rational.one : Rational.zero;
  const rhs = minimise ? best.subtract(whole) : best.add(whole);
  return { name: "", sense: minimise ? "L" : "G", rhs, coefficients: file.objective };
}

/** The union of sets, most of which are empty or the same. */
function union(sets: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  let all: ReadonlySet<number> = NONE;
  let copied: Set<number> | null = null;
  for (const set of sets) {
    if (set.size === 0 || set === all) continue;
    if (all.size === 0) {
      all = set;
      continue;
    }
    copied ??= new Set(all);
    for (const line of set) copied.add(line);
    all = copied;
  }
  return all;
}

function failure(step: number, { name }: ViprConstraint, message: string): CertificateError {
  return new CertificateError(step, `"${name}" ${message}`);
}
