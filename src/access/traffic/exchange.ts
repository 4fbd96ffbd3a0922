/** The ranks (GPUs) of a job, the hosts they sit in and the towers that hosts make up. */
export interface World {
  /** G: number of ranks; hosts are filled one after the other, so rank g is in host ⌊g/L⌋. */
  readonly ranks: number;
  /** L: ranks per host, joined by NVLink. */
  readonly gpusPerHost: number;
  /** K: hosts per tower (1 in all of the paper's measurements). */
  readonly hostsPerTower: number;
}

/** M = K·L, the ranks of a tower: rank g is slot g mod M of tower ⌊g/M⌋. */
export function ranksPerTower({ gpusPerHost, hostsPerTower }: World): number {
  return gpusPerHost * hostsPerTower;
}

/**
 * T = G/M, the number of towers (DMT, section 3.1.3).
 *
 * Throws `RangeError` where a number of the world is not a positive integer, or where hosts or towers would not be full.
 */
export function towerCount(world: World): number {
  const { ranks, gpusPerHost, hostsPerTower } = world;
  for (const [name, value] of Object.entries({ ranks, gpusPerHost, hostsPerTower })) {
    if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`${name} is ${value}, not a positive integer`);
  }
  const towers = ranks / ranksPerTower(world);
  if (Number.isInteger(towers)) return towers;
  throw new RangeError(`${ranks} ranks do not fill towers of ${hostsPerTower} × ${gpusPerHost} ranks each`);
}

/**
 * How a feature's table lies on the slots (ranks) of its tower: whole on one; its columns parted (widths add up to the
 * feature's); its rows parted, every shard of full width. A slot may hold several shards.
 */
export type Sharding =
  | { readonly kind: "table"; readonly slot: number }
  | { readonly kind: "columns"; readonly shards: readonly { readonly slot: number; readonly columns: number }[] }
  | { readonly kind: "rows"; readonly shards: readonly { readonly slot: number; readonly rows: number }[] };

/** A sparse feature and its table. */
export interface Feature {
  /** N_f: elements of an embedding vector. */
  readonly dim: number;
  /** h_f: ids per sample. */
  readonly hotness: number;
  readonly sharding: Sharding;
}

/** A group of features, held by the ranks of one tower. */
export interface Tower<Own extends Feature = Feature> {
  readonly features: readonly Own[];
  /** O_t: elements per sample that its tower module puts out; absent where there is none, and vectors go out as they are. */
  readonly outputDim?: number;
}

/** Elements per sample that a tower's embeddings have: Σ N_f. */
export function embeddingDim({ features }: Tower): number {
  return features.reduce((sum, { dim }) => sum + dim, 0);
}

/** Elements per sample that leave a tower: O_t, or Σ N_f where it has no module. */
export function outputDim(tower: Tower): number {
  return tower.outputDim ?? embeddingDim(tower);
}

/** A step of an exchange, by the paper's letter: ids (a), vectors in the order of peers (c), inside towers (d), transposed (e), between peers (f). */
export interface ExchangeStep {
  readonly pass: "forward" | "backward";
  readonly step: "a" | "c" | "d" | "e" | "f";
}

/** Amounts by the kind of link that they cross. */
export interface ByLink<Amount> {
  /** From a rank to itself: moved in its own memory. */
  readonly sameRank: Amount;
  /** Between ranks of a host: NVLink. */
  readonly insideHost: Amount;
  /** Between hosts: the network. */
  readonly acrossHosts: Amount;
}
