import { addWork, dotInteraction, flops, linear, mlp } from "./dense-work.js";
import type { TowerModule } from "./tower-modules.js";

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
