import { CertificateError, fields, list, type Reader, readNumber, record } from "./grammar.js";
import type { LatticeBasis } from "./kernel/reformulate.js";
import type { DecomposeStep as Decomposing } from "./rules/program/bound.js";
import type { NarrowStep as Narrowing } from "./rules/program/fix.js";
import { type AnyStep, readStep } from "./rules/registry.js";

export { CertificateError, type NamedMultipliers, orNull, readNumber } from "./grammar.js";
export type { ClustersCut, ClustersDuals, ClustersStep, ListedClusters } from "./rules/grouping/groups.js";
export type { BlockClaim, Parts } from "./rules/program/blocks.js";
export type { CutStep, KnapsackStep } from "./rules/program/lemma.js";

/**
 * A certificate: why no feasible point of a program is better than a bound, or why there is none at all. Plain JSON;
 * README.md beside this file says what it is, and each file of `rules` what one kind of step may say.
 */
export interface Certificate {
  readonly format: "shardproof-certificate 1";
  /** `programHash` of the program it speaks of. */
  readonly program: string;
  readonly claim: Claim;
  /**
   * The steps speak of the program in another basis of the integer lattice (kernel/reformulate.ts): integers as text.
   */
  readonly lattice?: { readonly matrix: IntegerMatrix; readonly inverse: IntegerMatrix };
  /** A branching tree in pre-order: each step acts on the open node last opened. */
  readonly steps: readonly Step[];
}

export type IntegerMatrix = readonly (readonly string[])[];

/** `bound`: in the program's own sense, no feasible point has a better objective. Numbers are integers or fractions. */
export type Claim = { readonly kind: "bound"; readonly bound: string } | { readonly kind: "infeasible" };

export type DecomposeStep = Decomposing<Step>;

/** One step of a kind that the registry lists: its first key says of which. */
export type Step = Exclude<AnyStep, Decomposing | Narrowing> | DecomposeStep | Narrowing<Step>;

/** Whether a step of a proof about a program or a ladder closes its node, and leaves the next open one. */
export function closesNode(step: Step): boolean {
  return ["bound", "infeasible", "enumerate", "decompose", "partition", "pack"].some((kind) => kind in step);
}

/** Certificates that were read: they are frozen, and not read again. */
const known = new WeakSet<Certificate>();

/**
 * Reads a certificate from parsed JSON. Throws {@link CertificateError} on anything that the grammar does not allow.
 */
export function readCertificate(json: unknown): Certificate {
  if (known.has(json as Certificate)) return json as Certificate;
  const { format, program, claim, steps, lattice } = fields(json, ["format", "program", "claim", "steps"], 0, [
    "lattice",
  ]);
  if (format !== "shardproof-certificate 1") {
    throw new CertificateError(0, `format "shardproof-certificate 1" was expected, ${JSON.stringify(format)} is there`);
  }
  if (typeof program !== "string") throw new CertificateError(0, "the program's hash is missing");
  if (!Array.isArray(steps)) throw new CertificateError(0, "steps must be a list");
  const certificate: Certificate = {
    format,
    program,
    claim: readClaim(claim),
    ...(lattice === undefined ? {} : { lattice: readLattice(lattice, 0, readStep) }),
    steps: steps.map((step, index) => readStep(step, index + 1) as Step),
  };
  freezeAll(certificate);
  known.add(certificate);
  return certificate;
}

/** Freezes a value and all below it: what was read stays what it was. */
function freezeAll(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freezeAll(part);
}

const integer: Reader<string> = (json, step) => {
  const value = readNumber(json, step);
  if (!value.isInteger()) throw new CertificateError(step, `an integer was expected, ${json} is there`);
  return value.toString();
};
const matrix: Reader<IntegerMatrix> = list("rows of a lattice basis", list("integers", integer));
const readLattice = record({ matrix, inverse: matrix });

/** The basis of a certificate that was read; `null`: the program's own. */
export function latticeOf({ lattice }: Certificate): LatticeBasis | null {
  const read = (rows: IntegerMatrix) => rows.map((row) => row.map(BigInt));
  return lattice === undefined ? null : { matrix: read(lattice.matrix), inverse: read(lattice.inverse) };
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
