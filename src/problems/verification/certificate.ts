import type { PlanRequest } from "../../plan-file/envelope.js";
import { boundBelow, nearest } from "../../plan-file/rounding.js";
import { type Certificate, readCertificate } from "../../proof/certificate.js";
import type { Provable } from "../../proof/check.js";
import { type PointOf, Verdict } from "../../proof/verdict.js";
import { some } from "../../text/units.js";
import type { ValueUnit } from "../../text/value-unit.js";
import { acceptedGap, tellGap } from "./request.js";
import type { VerificationDraft } from "./verification.js";

/** What is said of a certificate, and in which words. */
interface CertificateWords {
  /** The check's name; default `certificate`. */
  readonly name?: string;
  readonly what: "plan" | "partition";
  /** What an infeasible instance has no plan within; default `the limits`. */
  readonly limits?: string;
  /** Of the program, where its size is told. */
  readonly columns?: number;
  readonly unit: ValueUnit;
}

/**
 * Checks a certificate as a file has it on the program that was built again, and says what it came to. Throws what the
 * reader and the checker of certificates throw: see `refusing`.
 */
export function checkWritten<P extends Provable>(
  draft: VerificationDraft,
  { request, certificate: written }: { readonly request: PlanRequest; readonly certificate?: unknown },
  program: P,
  point: PointOf<P> | null,
  { name = "certificate", what, limits = "the limits", columns, unit }: CertificateWords,
): { readonly verdict: Verdict; readonly certificate: Certificate } {
  const certificate = readCertificate(written);
  const over = columns === undefined ? "" : ` over ${some(columns, "column")}`;
  const size = `${some(certificate.steps.length, "step")}${over}`;
  draft.steps.within(`the ${name}: ${size}`);
  const verdict = Verdict.of(program, certificate, point, acceptedGap(request));
  const said = verdict.bound === null ? `no ${what} is within ${limits}` : boundWords(what, verdict, unit);
  draft.check(name, true, `${said}: ${size}, checked in exact arithmetic`);
  tellGap(draft, request, verdict);
  return { verdict, certificate };
}

/** A proved bound as a person reads it: never as more than it is; where it is the value, that nothing is better. */
function boundWords(what: string, { bound, value }: Verdict, unit: ValueUnit): string {
  if (bound === null) return "";
  if (value?.equals(bound) === true) return `no ${what} is better than ${unit.text(nearest(value))}`;
  return `proved bound ${unit.boundText(value === null ? bound.toNumberDown() : boundBelow(bound, value))}`;
}
