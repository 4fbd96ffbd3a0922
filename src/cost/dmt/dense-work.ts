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
