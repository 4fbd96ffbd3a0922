import type { Rational } from "../../../exact/rational.js";
import { planDigest } from "../../../plan-file/canonical-json.js";
import type { Program } from "../../../program/program.js";
import type { Certificate } from "../../../proof/certificate.js";
import { type CheckedOutcome, dialectField, objectiveOf } from "./outcome.js";
import type { CertificateFile, ProgramReference } from "./schema.js";

/** Everything that a certificate file is computed from. `outcome` is what `checkOutcome` says of the rest. */
export interface CertificateParts {
  readonly model: ProgramReference;
  readonly program: Program;
  readonly gap: number;
  readonly outcome: CheckedOutcome;
  readonly point: readonly Rational[] | null;
  readonly certificate: Certificate;
}

/** The certificate file that follows from its parts; a pure function, so that a verifier can compute it again. */
export function assembleCertificate(parts: CertificateParts): CertificateFile {
  const { model, program, gap, outcome, point, certificate } = parts;
  const file: Omit<CertificateFile, "digest"> = {
    shardproof: 1,
    kind: "certificate",
    model: { name: model.name, sha256: model.sha256, file: model.file, ...dialectField(model.dialect) },
    request: { gap },
    status: outcome.status,
    objective: objectiveOf(outcome, program),
    exact: { value: outcome.value?.toString() ?? null, bound: outcome.bound?.toString() ?? null },
    point: point === null ? null : byName(program, point, (value) => value.toString()),
    certificate,
  };
  return { ...file, digest: planDigest(file) };
}

/** One field per column of a program, in their order. Names such as `__proto__` are fields like any other. */
export function byName<T>(
  { columns }: Program,
  point: readonly Rational[],
  write: (value: Rational) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(columns.map(({ name }, j) => [name, write(point[j] as Rational)]));
}
