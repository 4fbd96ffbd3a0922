import { CertificateError } from "../../grammar.js";
import { TooMany } from "../../kernel/grouping/too-many.js";

/** What a walk through all of something gave; that it was too much is the certificate's fault. */
export function whole<T>(step: number, result: T | TooMany): T {
  if (result instanceof TooMany) throw new CertificateError(step, result.what);
  return result;
}
