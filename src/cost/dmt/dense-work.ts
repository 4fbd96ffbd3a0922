import { Rational } from "../../exact/rational.js";

/**
 * Work of the dense part of a model for one sample, forward and backward, as a profiler counts it.
 *
 * A layer's multiply-add is 2 flops forward and 4 backward (gradients to its input and to its weights): 6. An elementwise
 * product is 1 forward and 2 backward: 3. Neither factor is in the DMT paper: they were found by fitting its tables 3 to 5,
 * which they meet to the last digit printed.
 */
export interface DenseWork {
  readonly multiplyAdds: number;
  /** Products that are not added up. */
  readonly products: number;
}

/** Work of layers that run one after the other, or side by side. */
export function addWork(...parts: readonly DenseWork[]): DenseWork {
  return parts.reduce((sum, part) => ({
    multiplyAdds: sum.multiplyAdds + part.multiplyAdds,
    products: sum.products + part.products,
  }));
}

/** `inputs` → `outputs`, dense: inputs·outputs multiply-adds. */
export function linear(inputs: number, outputs: number): DenseWork {
  return { multiplyAdds: inputs * outputs, products: 0 };
}

/** Dense layers of the given widths, the input's first. */
export function mlp(widths: readonly number[]): DenseWork {
  return addWork(NO_WORK, ...widths.slice(1).map((width, k) => linear(widths[k] as number, width)));
}

/** All dot products of `vectors` vectors of `dim` elements with one another, the matrix in full: n·n·N multiply-adds. */
export function dotInteraction(vectors: number, dim: number): DenseWork {
  return { multiplyAdds: vectors * vectors * dim, products: 0 };
}

/**
 * A cross net of `layers` layers of rank r on n elements (DCN-v2, Wang et al. 2021): x₀ ⊙ (U(V·x) + b) + x, each of 2·n·r
 * multiply-adds and n products. One more multiply-add per element of the net's input is inferred: the tables' numbers
 * need it, and the paper does not say what it is.
 */
export function crossNet(layers: number, elements: number, rank: number): DenseWork {
  return { multiplyAdds: layers * 2 * elements * rank + elements, products: layers * elements };
}

export const NO_WORK: DenseWork = { multiplyAdds: 0, products: 0 };

/** Flops per sample of a whole model: 6 per multiply-add and 3 per product, without the gradient to its dense inputs. */
export function flops({ multiplyAdds, products }: DenseWork, denseInputGradient: DenseWork): number {
  return 6 * multiplyAdds + 3 * products - 2 * denseInputGradient.multiplyAdds;
}

/** A tower module: what it makes of a tower's embeddings, and the work per sample of making it. */
export interface TowerModule {
  /** O_t: elements that it puts out. */
  readonly outputDim: number;
  /** Vectors that the interaction after it sees. */
  readonly outputVectors: number;
  readonly work: DenseWork;
}

/** A tower without a module: its embeddings go out as they are. */
export function passThrough(features: number, dim: number): TowerModule {
  return { outputDim: features * dim, outputVectors: features, work: NO_WORK };
}

/**
 * DLRM's tower module (DMT, listing 1) on F_t features of N elements: o1 = linear(N·F_t → p·D) of all of them and o2 =
 * linear(N → c·D) of each, D·(c·F_t + p) elements in all.
 */
export function dlrmTowerModule(features: number, dim: number, c: number, p: number, width: number): TowerModule {
  const ofAll = linear(dim * features, p * width);
  const ofEach = linear(features * dim, c * width);
  const vectors = c * features + p;
  return { outputDim: width * vectors, outputVectors: vectors, work: addWork(ofAll, ofEach) };
}

/**
 * DCN's tower module (DMT, listing 2) on F_t features of N elements: one cross layer of rank r on F_t·N, then linear(F_t·N →
 * D). Listing 2 prints F_t·D as the width; only D meets table 4. A single feature's vector of D elements needs no linear.
 */
export function dcnTowerModule(features: number, dim: number, rank: number, width: number): TowerModule {
  const cross = crossNet(1, features * dim, rank);
  const isWide = features > 1 || dim !== width;
  return {
    outputDim: width,
    outputVectors: 1,
    work: isWide ? addWork(cross, linear(features * dim, width)) : cross,
  };
}

/**
 * CR = Σ O_t / (F·N) (DMT, section 4): elements that all towers put out over those of all embeddings, the share of the bytes
 * across hosts that tower modules leave. The paper's table 5 prints its inverse. Throws `RangeError` for no embeddings.
 */
export function compressionRatio(outputDims: readonly number[], embeddingDims: number): Rational {
  const put = outputDims.reduce((sum, dim) => sum + dim, 0);
  return Rational.of(BigInt(put), BigInt(embeddingDims));
}

/** A DLRM (Naumov et al. 2019), with or without tower modules. */
export interface Dlrm {
  /** Widths of the bottom layers without the last, which has the interaction's. */
  readonly bottom: readonly number[];
  /** Elements of every vector that interacts. */
  readonly dim: number;
  readonly towers: readonly TowerModule[];
  /** Widths of the layers over the interaction. */
  readonly over: readonly number[];
}

/**
 * Flops per sample of DLRM's dense part. n vectors interact, the towers' and the bottom's one; the layers above see their
 * n·(n − 1)/2 products and the bottom's vector.
 */
export function dlrmFlops({ bottom, dim, towers, over }: Dlrm): number {
  const vectors = 1 + towers.reduce((sum, { outputVectors }) => sum + outputVectors, 0);
  const layers = [...bottom, dim];
  const work = addWork(
    mlp(layers),
    ...towers.map((tower) => tower.work),
    dotInteraction(vectors, dim),
    mlp([(vectors * (vectors - 1)) / 2 + dim, ...over]),
  );
  return flops(work, linear(layers[0] as number, layers[1] as number));
}

/** A DCN-v2 (Wang et al. 2021) behind DLRM's embeddings, with or without tower modules. */
export interface Dcn {
  /** Widths of the bottom layers. */
  readonly bottom: readonly number[];
  readonly towers: readonly TowerModule[];
  readonly crossLayers: number;
  readonly crossRank: number;
  /** Widths of the layers over the cross net. */
  readonly over: readonly number[];
}

/** Flops per sample of DCN's dense part: cross net and layers over it work on the towers' outputs and the bottom's vector. */
export function dcnFlops({ bottom, towers, crossLayers, crossRank, over }: Dcn): number {
  const elements = (bottom.at(-1) as number) + towers.reduce((sum, { outputDim }) => sum + outputDim, 0);
  const work = addWork(
    mlp(bottom),
    ...towers.map((tower) => tower.work),
    crossNet(crossLayers, elements, crossRank),
    mlp([elements, ...over]),
  );
  return flops(work, linear(bottom[0] as number, bottom[1] as number));
}
