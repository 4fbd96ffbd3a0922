/** AutoShard's bins of the distinct indices of a batch, by how often each appears. */
export const BINS = 17;

const BYTES_PER_GIB = 2 ** 30;

/** What a cost network sees of a table, or of the part of its columns that a shard has. */
export interface NetworkTable {
  readonly rows: number;
  /** Elements per row. */
  readonly dim: number;
  /** Bytes per element. */
  readonly elementBytes: number;
  /** Mean look-ups per sample. */
  readonly poolingFactor: number;
  /** {@link BINS} shares of the distinct indices of a batch. */
  readonly accessBins: readonly number[];
}

/**
 * What networks may be: `neural` sees AutoShard's features, `neural-convex` too and has a head that is convex in the sum of the
 * representations, `neuroshard` sees NeuroShard's features.
 */
export const NETWORK_KINDS = ["neural", "neural-convex", "neuroshard"] as const;
export type NetworkKind = (typeof NETWORK_KINDS)[number];

const BIN_NAMES = Array.from({ length: BINS }, (_, bin) => `bin${bin}`);

/** AutoShard's 21 features (appendix B.2), of which the first three are normalised. */
const AUTOSHARD = { names: ["dim", "rows", "poolingFactor", "sizeGiB", ...BIN_NAMES], normalised: 3 };

/** NeuroShard's 20 (public code): without the size, all of them normalised. */
const NEUROSHARD = { names: ["dim", "rows", "poolingFactor", ...BIN_NAMES], normalised: 3 + BINS };

/** Added to deviations, as NeuroShard's code does: a feature that all tables share is no division by zero. */
const MIN_DEVIATION = 1e-6;

/** A feature with what makes a network's input of it: (value − mean) / deviation. */
export interface Feature {
  readonly name: string;
  readonly mean: number;
  readonly deviation: number;
}

/** Names of the features that networks of a kind see, in their order. */
export function featureNames(kind: NetworkKind): readonly string[] {
  return setOf(kind).names;
}

/**
 * The features of a kind, normalised over these tables: to a mean of 0 and a (population) deviation of 1 those that its paper
 * normalises, the others left as they are.
 */
export function featuresOver(tables: readonly NetworkTable[], kind: NetworkKind): readonly Feature[] {
  const { names, normalised } = setOf(kind);
  const raw = tables.map((table) => rawFeatures(table, kind));
  return names.map((name, f): Feature => {
    if (f >= normalised) return { name, mean: 0, deviation: 1 };
    const { mean, deviation } = momentsOf(raw.map((values) => values[f] as number));
    return { name, mean, deviation: deviation + MIN_DEVIATION };
  });
}

/** Mean and (population) deviation of some numbers, of which there is at least one. */
export function momentsOf(values: readonly number[]): Pick<Feature, "mean" | "deviation"> {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) };
}

/** Writes the network's inputs for a table to `out` from `offset` on. */
export function writeFeatures(
  table: NetworkTable,
  kind: NetworkKind,
  features: readonly Feature[],
  out: Float64Array,
  offset: number,
): void {
  for (const [f, value] of rawFeatures(table, kind).entries()) {
    const { mean, deviation } = features[f] as Feature;
    out[offset + f] = (value - mean) / deviation;
  }
}

function rawFeatures({ rows, dim, elementBytes, poolingFactor, accessBins }: NetworkTable, kind: NetworkKind) {
  const shape = [dim, rows, poolingFactor];
  if (setOf(kind) === AUTOSHARD) shape.push((rows * dim * elementBytes) / BYTES_PER_GIB);
  return [...shape, ...accessBins];
}

function setOf(kind: NetworkKind): { readonly names: readonly string[]; readonly normalised: number } {
  return kind === "neuroshard" ? NEUROSHARD : AUTOSHARD;
}
