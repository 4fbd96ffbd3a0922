import { Rational } from "../exact/rational.js";

/**
 * A certificate: why no feasible point of a program is better than a bound, or why there is none at all. Plain JSON;
 * its grammar and meaning are in README.md beside this file.
 */
export interface Certificate {
  readonly format: "shardproof-certificate 1";
  /** `programHash` of the program it speaks of. */
  readonly program: string;
  readonly claim: Claim;
  /** The steps speak of the program in another basis of the integer lattice (see reformulate.ts): integers as text. */
  readonly lattice?: { readonly matrix: IntegerMatrix; readonly inverse: IntegerMatrix };
  /** A branching tree in pre-order: each step acts on the open node last opened. */
  readonly steps: readonly Step[];
}

export type IntegerMatrix = readonly (readonly string[])[];

/** `bound`: in the program's own sense, no feasible point has a better objective. Numbers are integers or fractions. */
export type Claim = { readonly kind: "bound"; readonly bound: string } | { readonly kind: "infeasible" };

/** Multipliers by row name; rows left out have multiplier zero. */
export type NamedMultipliers = Readonly<Record<string, string>>;

export type Step =
  /** Splits the node at an integer column: first the part with column ≤ at, then the part with column ≥ at + 1. */
  | { readonly branch: string; readonly at: string }
  /**
   * Tightens the node's box by reduced costs, with the claimed bound as the cutoff. A `cutoff` of its own, above the
   * claimed bound, tells the walk of a ladder to decide no more than it decides: the steps that follow were made there.
   */
  | { readonly fix: NamedMultipliers; readonly cutoff?: string }
  /** Tightens the node's box by bound propagation (see propagate.ts). */
  | { readonly propagate: Readonly<Record<string, never>> }
  /** Leaves out what exchanging units between groups turns into something at least as good (see exchange.ts). */
  | { readonly exchange: Readonly<Record<string, never>> }
  /** Closes the node: the multipliers prove that nothing in it is better than the claimed bound. */
  | { readonly bound: NamedMultipliers }
  /** Closes the node: the multipliers prove that nothing in it is feasible. */
  | { readonly infeasible: NamedMultipliers };

/** A certificate is malformed or does not prove its claim. `step` counts from 1; 0 is the part before the steps. */
export class CertificateError extends Error {
  override readonly name = "CertificateError";
  readonly step: number;

  constructor(step: number, message: string) {
    super(step === 0 ? message : `step ${step}: ${message}`);
    this.step = step;
  }
}

/** Reads a certificate from parsed JSON. Throws {@link CertificateError} on anything that the grammar does not allow. */
export function readCertificate(json: unknown): Certificate {
  const { format, program, claim, steps, lattice } = fields(json, ["format", "program", "claim", "steps"], 0, [
    "lattice",
  ]);
  if (format !== "shardproof-certificate 1") {
    throw new CertificateError(0, `format "shardproof-certificate 1" was expected, ${JSON.stringify(format)} is there`);
  }
  if (typeof program !== "string") throw new CertificateError(0, "the program's hash is missing");
  if (!Array.isArray(steps)) throw new CertificateError(0, "steps must be a list");
  return {
    format,
    program,
    claim: readClaim(claim),
    ...(lattice === undefined ? {} : { lattice: readLattice(lattice) }),
    steps: steps.map((step, index) => readStep(step, index + 1)),
  };
}

/** A number of a certificate. Throws {@link CertificateError} unless it is an integer or a fraction in lowest terms. */
export function readNumber(text: unknown, step: number): Rational {
  if (typeof text === "string" && /^-?\d+(\/\d+)?$/.test(text) && !/\/0+$/.test(text)) {
    const value = Rational.parse(text);
    // One spelling per number: a certificate that was edited cannot hide behind an equal fraction.
    if (value.toString() === text) return value;
  }
  throw new CertificateError(
    step,
    `an integer or a fraction in lowest terms was expected, ${JSON.stringify(text)} is there`,
  );
}

function readLattice(json: unknown): { matrix: IntegerMatrix; inverse: IntegerMatrix } {
  const { matrix, inverse } = fields(json, ["matrix", "inverse"], 0);
  const read = (value: unknown): IntegerMatrix => {
    if (!Array.isArray(value) || !value.every(Array.isArray)) {
      throw new CertificateError(0, "a lattice basis must be two lists of rows of integers");
    }
    return value.map((row: unknown[]) => row.map((entry) => readInteger(entry).toString()));
  };
  return { matrix: read(matrix), inverse: read(inverse) };
}

/** An integer of a certificate's lattice basis. Throws {@link CertificateError}. */
export function readInteger(text: unknown): Rational {
  const value = readNumber(text, 0);
  if (!value.isInteger()) throw new CertificateError(0, `an integer was expected, ${text} is there`);
  return value;
}

function readClaim(json: unknown): Claim {
  const kind = typeof json === "object" && json !== null && "kind" in json ? json.kind : undefined;
  if (kind === "infeasible") {
    fields(json, ["kind"], 0);
    return { kind };
  }
  if (kind !== "bound") throw new CertificateError(0, `a claim "bound" or "infeasible" was expected`);
  const { bound } = fields(json, ["kind", "bound"], 0);
  return { kind, bound: readNumber(bound, 0).toString() };
}

function readStep(json: unknown, step: number): Step {
  const kinds = typeof json === "object" && json !== null ? Object.keys(json) : [];
  if (kinds.includes("branch")) {
    const { branch, at } = fields(json, ["branch", "at"], step);
    if (typeof branch !== "string") throw new CertificateError(step, "the name of a column was expected");
    return { branch, at: readNumber(at, step).toString() };
  }
  for (const kind of ["fix", "propagate", "exchange", "bound", "infeasible"] as const) {
    if (!kinds.includes(kind)) continue;
    const { [kind]: multipliers, cutoff } = fields(json, [kind], step, kind === "fix" ? ["cutoff"] : []);
    if (typeof multipliers !== "object" || multipliers === null || Array.isArray(multipliers)) {
      throw new CertificateError(step, "multipliers by row name were expected");
    }
    for (const value of Object.values(multipliers)) readNumber(value, step);
    if (kind === "exchange" || kind === "propagate") fields(multipliers, [], step);
    const own = cutoff === undefined ? {} : { cutoff: readNumber(cutoff, step).toString() };
    return { [kind]: multipliers, ...own } as unknown as Step;
  }
  throw new CertificateError(step, `unknown step ${JSON.stringify(json).slice(0, 80)}`);
}

function fields<K extends string, O extends string = never>(
  json: unknown,
  names: readonly K[],
  step: number,
  optional: readonly O[] = [],
): Record<K, unknown> & Partial<Record<O, unknown>> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new CertificateError(step, `an object with ${names.join(", ")} was expected`);
  }
  for (const name of names) {
    if (!(name in json)) throw new CertificateError(step, `"${name}" is missing`);
  }
  for (const name of Object.keys(json)) {
    if (![...names, ...optional].includes(name as K & O))
      throw new CertificateError(step, `"${name}" is not known here`);
  }
  return json as Record<K, unknown> & Partial<Record<O, unknown>>;
}
