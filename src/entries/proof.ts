/**
 * `shardproof/proof`: certificates, checked in exact arithmetic by code that knows no solver and no method; and VIPR's format.
 *
 * ```ts
 * import { checkCertificate, readCertificate } from "shardproof/proof";
 *
 * const { bound } = checkCertificate(program, readCertificate(json));
 * ```
 */

import type { OpenInstance } from "../plan-file/original-plan.js";
import { viprText } from "../problems/program/vipr-text.js";
import { provedPlacement } from "../problems/table-placement/proved.js";

export { Rational } from "../exact/rational.js";
export { assembleCertificate, type CertificateParts } from "../problems/program/answer/certificate-file.js";
export type { CertificateFile } from "../problems/program/answer/schema.js";
export { type OpenProgram, verifyProgramText } from "../problems/program/verify.js";
export { verifyViprText } from "../problems/program/verify-vipr.js";
export type { Uncovered } from "../problems/verification/uncovered.js";
export type { Check, Difference, Verification } from "../problems/verification/verification.js";
export { type Certificate, CertificateError, readCertificate } from "../proof/certificate.js";
export { checkCertificate } from "../proof/check.js";
export { relativeGap, Verdict } from "../proof/verdict.js";
export { type CheckedVipr, checkVipr } from "../vipr/check.js";
export { readVipr, type ViprClaim, type ViprFile } from "../vipr/read.js";
export { ViprUnsupportedError, writeVipr } from "../vipr/write.js";

/**
 * The proof of a table-placement plan file as VIPR's. Throws `InputError` where it has none, it does not hold, or VIPR has no words for a
 * step of it: `shardproof export --to vipr` then proves the program anew, which takes a search.
 */
export function planVipr(text: string, file: string, openInstance: OpenInstance): Promise<string> {
  return viprText(provedPlacement, { text, file, openInstance });
}
