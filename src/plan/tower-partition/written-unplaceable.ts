import { readCertificate } from "../../proof/certificate.js";
import type { UnplaceableParts } from "./joint-row.js";
import type { WrittenUnplaceable } from "./joint-schema.js";

/**
 * Features that a plan file says have no place together, by their indices; the certificate is yet to be checked. Throws `RangeError` unless
 * they are features of the instance, each once, in its order, and what `readCertificate` throws.
 */
export function unplaceableOf(
  { features, certificate }: WrittenUnplaceable,
  names: readonly string[],
): UnplaceableParts {
  const indices = features.map((name) => {
    const feature = names.indexOf(name);
    if (feature === -1) throw new RangeError(`the instance has no feature ${JSON.stringify(name)}`);
    return feature;
  });
  if (indices.some((feature, k) => k > 0 && feature <= (indices[k - 1] as number))) {
    throw new RangeError("features without a place are named once each, in the order of the instance");
  }
  return { features: indices, certificate: readCertificate(certificate) };
}
