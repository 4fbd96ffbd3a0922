import { addWork, crossNet, type DenseWork, linear, NO_WORK } from "./dense-work.js";

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
