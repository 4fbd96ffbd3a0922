import type { Rational } from "../exact/rational.js";
import { type Grouping, isGrouping } from "../program/grouping/grouping.js";
import { groupingHash } from "../program/grouping/hash.js";
import { requireGrouping } from "../program/grouping/well-formed.js";
import { programHash } from "../program/hash.js";
import { ladderHash } from "../program/ladder/hash.js";
import { isLadder, type Ladder } from "../program/ladder/ladder.js";
import { requireLadder } from "../program/ladder/well-formed.js";
import { makeProgram, type Program } from "../program/program.js";
import { type Certificate, latticeOf, readCertificate } from "./certificate.js";
import { CertificateError, readNumber } from "./grammar.js";
import { BasisError, reformulate } from "./kernel/reformulate.js";
import { GroupingTree } from "./rules/grouping/tree.js";
import { replayLadder } from "./rules/ladder/replay.js";
import { replayProgram } from "./rules/program/replay.js";
import { GROUPING_RULES } from "./rules/registry.js";
import { replay } from "./rules/rule.js";

/** What a certificate may speak of. */
export type Provable = Program | Ladder | Grouping;

/** What a certificate was found to prove. Only {@link checkCertificate} makes one; its private field cannot be imitated. */
export class CheckedCertificate {
  readonly #bound: Rational | null;
  /** As it was given. */
  readonly certificate: Certificate;
  readonly programHash: string;

  private constructor(bound: Rational | null, certificate: Certificate, hash: string) {
    this.#bound = bound;
    this.certificate = certificate;
    this.programHash = hash;
  }

  get steps(): number {
    return this.certificate.steps.length;
  }

  /** In the program's own sense: no feasible point is better. `null`: there is no feasible point. */
  get bound(): Rational | null {
    return this.#bound;
  }

  /**
   * Replays a certificate in exact arithmetic, trusting nothing but the program: one written column by column, a ladder
   * (rules/ladder/replay.ts), of which the same certificate means the same, or a grouping (rules/grouping).
   * `checkTime` is called between steps and within long ones; what it throws ends the check, and nothing is proved.
   *
   * Throws {@link CertificateError} with the step's number: the grammar does not allow it, the hash is another program's, a
   * name is unknown, a branch splits a column that is not an open integer, a node's multipliers prove less than the claim, steps
   * are missing or left over. Throws `ProgramError` where the program itself is not well formed.
   */
  static check(program: Provable, given: Certificate, checkTime: () => void = () => {}): CheckedCertificate {
    // What the grammar asks of numbers and lists is part of why steps are sound, and nobody else may have read it.
    const certificate = readCertificate(given);
    const hash = hashOf(program);
    if (certificate.program !== hash) {
      throw new CertificateError(0, `it was made for another program (hash ${certificate.program}, not ${hash})`);
    }
    const bound = certificate.claim.kind === "bound" ? readNumber(certificate.claim.bound, 0) : null;
    const { steps } = certificate;
    const next = replayed(program, certificate, bound, checkTime);
    if (next < steps.length) {
      throw new CertificateError(next + 1, "every node is closed already; this step is left over");
    }
    return new CheckedCertificate(bound, given, hash);
  }
}

/** See {@link CheckedCertificate.check}. */
export function checkCertificate(
  program: Provable,
  certificate: Certificate,
  checkTime?: () => void,
): CheckedCertificate {
  return CheckedCertificate.check(program, certificate, checkTime);
}

/** What a certificate calls the program that it speaks of. */
export function hashOf(program: Provable): string {
  if (isGrouping(program)) return groupingHash(program);
  return isLadder(program) ? ladderHash(program) : programHash(program);
}

/** Takes a certificate's steps until every node is closed; returns the index of the next. */
function replayed(program: Provable, certificate: Certificate, bound: Rational | null, checkTime: () => void): number {
  const { steps, lattice } = certificate;
  if (isGrouping(program) || isLadder(program)) {
    if (lattice !== undefined) throw new CertificateError(0, "only a program has a lattice basis");
    if (isGrouping(program)) {
      requireGrouping(program);
      const tree = new GroupingTree(program, bound, checkTime);
      return replay(tree, GROUPING_RULES, steps, 0, "this step is of a program, not of a grouping");
    }
    requireLadder(program);
    return replayLadder(program, bound, steps, checkTime);
  }
  const target = bound !== null && program.objective.sense === "maximize" ? bound.negate() : bound;
  // Made anew, a program is well formed.
  return replayProgram(inBasis(makeProgram(program), certificate), target, steps, { checkTime });
}

/** The program that a certificate's steps speak of. */
function inBasis(program: Program, certificate: Certificate): Program {
  const basis = latticeOf(certificate);
  try {
    return basis === null ? program : reformulate(program, basis);
  } catch (error) {
    if (error instanceof BasisError) throw new CertificateError(0, error.message);
    throw error;
  }
}
