import { Rational } from "../../exact/rational.js";

/**
 * CR = Σ O_t / (F·N) (DMT, section 4): elements that all towers put out over those of all embeddings, the share of the bytes
 * across hosts that tower modules leave. The paper's table 5 prints its inverse. Throws `RangeError` for no embeddings.
 */
export function compressionRatio(outputDims: readonly number[], embeddingDims: number): Rational {
  const put = outputDims.reduce((sum, dim) => sum + dim, 0);
  return Rational.of(BigInt(put), BigInt(embeddingDims));
}
