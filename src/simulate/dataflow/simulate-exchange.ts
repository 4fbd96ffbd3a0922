import type { ExchangeFeature, ExchangeProblem } from "./exchange-problem.js";
import {
  flatBackward,
  flatForward,
  gradientsAtOnce,
  lookedUpAtOnce,
  type Outputs,
  type ShardGradients,
  spttBackward,
  spttForward,
} from "./exchanges.js";
import type { StepBytes } from "./layout.js";
import { everyRank, featuresOf, newRun, type Run } from "./run.js";

/** How the numbers of an exchange compare with those of one machine that holds all tables. */
export interface ExchangeCheck {
  /** Numbers compared: every element of every rank's outputs, or every gradient of every shard. */
  readonly compared: number;
  /** Those whose bits differ. */
  readonly differing: number;
  /** Those that differ by more than another order of additions explains; of integers, none may differ at all. */
  readonly wrong: number;
}

export interface ExchangeSimulation {
  /** Whether both exchanges, forward and backward, give what one machine gives: nothing is `wrong`. */
  readonly equal: boolean;
  /** The same, bit for bit: nothing is `differing`. */
  readonly bitEqual: boolean;
  readonly flat: { readonly outputs: ExchangeCheck; readonly gradients: ExchangeCheck };
  readonly sptt: { readonly outputs: ExchangeCheck; readonly gradients: ExchangeCheck };
  /** Every byte that was moved, by step and kind of link. */
  readonly steps: readonly StepBytes[];
}

/**
 * Runs one iteration's embedding exchange on arrays, rank by rank, by the flat exchange and by SPTT (DMT, section 3.1),
 * forward and backward, and compares both with a look-up on one machine. The look-up of a row-wise bag is added shard by
 * shard, so that numbers other than integers may differ from one machine's in their last bits; all else is bit for bit.
 *
 * It knows nothing of the cost model: its bytes are those of the arrays that were moved.
 *
 * Throws `RangeError` where the problem does not fit together.
 */
export function simulateExchange(problem: ExchangeProblem): ExchangeSimulation {
  const run = newRun(problem);
  const expected = lookedUpAtOnce(run);
  const expectedGradients = gradientsAtOnce(run);
  const allowed = problem.values === "floats" ? roundingAllowance(run) : null;
  const flat = {
    outputs: compareOutputs(flatForward(run), expected, allowed),
    gradients: compareGradients(flatBackward(run), expectedGradients),
  };
  const sptt = {
    outputs: compareOutputs(spttForward(run), expected, allowed),
    gradients: compareGradients(spttBackward(run), expectedGradients),
  };
  const checks = [flat.outputs, flat.gradients, sptt.outputs, sptt.gradients];
  return {
    equal: checks.every(({ wrong }) => wrong === 0),
    bitEqual: checks.every(({ differing }) => differing === 0),
    flat,
    sptt,
    steps: run.wires.steps(),
  };
}

function compareOutputs(outputs: Outputs, expected: Outputs, allowed: Allowances | null): ExchangeCheck {
  return addChecks(
    expected.flatMap((towers, rank) =>
      towers.map((values, tower) => compare(outputs[rank]?.[tower], values, allowed?.[rank]?.[tower] ?? null)),
    ),
  );
}

function compareGradients(gradients: ShardGradients, expected: ShardGradients): ExchangeCheck {
  return addChecks(
    expected.flatMap((sources, owner) =>
      sources.flatMap((block, source) =>
        block.map((values, shard) => compare(gradients[owner]?.[source]?.[shard], values, null)),
      ),
    ),
  );
}

function compare(
  values: Float32Array | undefined,
  expected: Float32Array,
  allowed: Float64Array | null,
): ExchangeCheck {
  const compared = expected.length;
  if (values?.length !== compared) return { compared, differing: compared, wrong: compared };
  let differing = 0;
  let wrong = 0;
  for (let k = 0; k < compared; k++) {
    const value = values[k] as number;
    const other = expected[k] as number;
    if (Object.is(value, other)) continue;
    differing++;
    if (!(Math.abs(value - other) <= (allowed?.[k] ?? 0))) wrong++;
  }
  return { compared, differing, wrong };
}

function addChecks(checks: readonly ExchangeCheck[]): ExchangeCheck {
  return checks.reduce(
    (sum, { compared, differing, wrong }) => ({
      compared: sum.compared + compared,
      differing: sum.differing + differing,
      wrong: sum.wrong + wrong,
    }),
    { compared: 0, differing: 0, wrong: 0 },
  );
}

/** Half a unit in the last place of single precision. */
const UNIT_ROUNDOFF = 2 ** -24;

/** γ_n = n·u/(1 − n·u): the relative error that n additions can make (Higham 2002, section 3.1). */
function gamma(additions: number): number {
  return (additions * UNIT_ROUNDOFF) / (1 - additions * UNIT_ROUNDOFF);
}

/** By rank and tower: samples × elements that the tower puts out. */
type Allowances = readonly (readonly Float64Array[])[];

/**
 * By rank and tower, how far each output may be from `lookedUpAtOnce`: 0, and so bit for bit, but where a bag of several
 * ids lies on several row-wise shards. There its h vectors are added in another order, either of which is within
 * γ_{h−1}·Σ|w| of the sum: twice that. A module of n inputs and entries in {−1, 0, 1} adds up the differences of its inputs,
 * and those of its own n additions.
 */
function roundingAllowance(run: Run): Allowances {
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
