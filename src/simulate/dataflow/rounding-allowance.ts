import type { ExchangeFeature } from "./exchange-problem.js";
import { everyRank, featuresOf, type Run } from "./run.js";

/** Half a unit in the last place of single precision. */
const UNIT_ROUNDOFF = 2 ** -24;

/** γ_n = n·u/(1 − n·u): the relative error that n additions can make (Higham 2002, section 3.1). */
function gamma(additions: number): number {
  return (additions * UNIT_ROUNDOFF) / (1 - additions * UNIT_ROUNDOFF);
}

/** By rank and tower: samples × elements that the tower puts out. */
export type Allowances = readonly (readonly Float64Array[])[];

/**
 * By rank and tower, how far each output may be from `lookedUpAtOnce`: 0, and so bit for bit, but where a bag of several
 * ids lies on several row-wise shards. There its h vectors are added in another order, either of which is within
 * γ_{h−1}·Σ|w| of the sum: twice that. A module of n inputs and entries in {−1, 0, 1} adds up the differences of its inputs,
 * and those of its own n additions.
 */
export function roundingAllowance(run: Run): Allowances {
  const samples = run.problem.localBatch;
  return everyRank(run).map((rank) =>
    run.problem.towers.map((_, tower) => {
      const inputs = inputAllowance(run, rank, tower);
      const weights = run.data.modules[tower] ?? null;
      return weights === null ? inputs.allowed : throughModule(weights, inputs, samples);
    }),
  );
}

interface Allowance {
  /** Samples × elements. */
  readonly allowed: Float64Array;
  /** The same, of Σ|w| over a bag. */
  readonly magnitude: Float64Array;
}

function inputAllowance(run: Run, rank: number, tower: number): Allowance {
  const samples = run.problem.localBatch;
  const features = featuresOf(run, tower);
  const width = features.reduce((sum, feature) => sum + (run.features[feature] as ExchangeFeature).dim, 0);
  const allowed = new Float64Array(samples * width);
  const magnitude = new Float64Array(samples * width);
  let first = 0;
  for (const feature of features) {
    const { dim, hotness, sharding } = run.features[feature] as ExchangeFeature;
    const table = run.data.tables[feature] as Float32Array;
    const ids = run.data.ids[rank]?.[feature] as Int32Array;
    const isReordered = sharding.kind === "rows" && sharding.shards.length > 1 && hotness > 1;
    for (let k = 0; k < samples * hotness * dim; k++) {
      const id = ids[Math.floor(k / dim)] as number;
      const place = Math.floor(k / (dim * hotness)) * width + first + (k % dim);
      magnitude[place] = (magnitude[place] as number) + Math.abs(table[id * dim + (k % dim)] as number);
    }
    if (isReordered) {
      for (let k = 0; k < samples * dim; k++) {
        const place = Math.floor(k / dim) * width + first + (k % dim);
        allowed[place] = 2 * gamma(hotness - 1) * (magnitude[place] as number);
      }
    }
    first += dim;
  }
  return { allowed, magnitude };
}

function throughModule(weights: Float32Array, { allowed, magnitude }: Allowance, samples: number): Float64Array {
  const width = allowed.length / samples;
  const outputs = weights.length / width;
  const result = new Float64Array(samples * outputs);
  for (let sample = 0; sample < samples; sample++) {
    for (let out = 0; out < outputs; out++) {
      let differences = 0;
      let inputs = 0;
      for (let k = 0; k < width; k++) {
        const weight = Math.abs(weights[out * width + k] as number);
        const place = sample * width + k;
        differences += weight * (allowed[place] as number);
        inputs += weight * ((magnitude[place] as number) + (allowed[place] as number));
      }
      result[sample * outputs + out] = differences === 0 ? 0 : differences + 2 * gamma(width) * inputs;
    }
  }
  return result;
}
