import { apart, type Block, besideOneAnother, type Run } from "./run.js";

/**
 * What a tower puts out of its features' vectors, for `localBatch` samples. The stand-in for a tower module that the simulation
 * runs is a linear map W (outputs × inputs, row after row) of each sample: any function of one sample's embeddings of one tower
 * would do; what is checked is that it gets the right ones.
 */
export function applyModule({ problem, data }: Run, tower: number, vectors: Block): Float32Array {
  const inputs = besideOneAnother(vectors, problem.localBatch);
  const weights = data.modules[tower] ?? null;
  if (weights === null) return inputs;
  const width = inputs.length / problem.localBatch;
  return mapped(weights, inputs, problem.localBatch, [weights.length / width, width, 1]);
}

/** Its backward pass: the gradients to the features' vectors, from Wᵀ·g of each sample. */
export function moduleGradients(run: Run, tower: number, gradient: Float32Array): Block {
  const samples = run.problem.localBatch;
  const dims = (run.problem.towers[tower]?.features ?? []).map(({ dim }) => dim);
  const width = dims.reduce((sum, dim) => sum + dim, 0);
  const weights = run.data.modules[tower] ?? null;
  return apart(weights === null ? gradient : mapped(weights, gradient, samples, [width, 1, width]), samples, dims);
}

/** Sums over inputs in single precision; the weight of an output and an input is at the sum of their steps. */
function mapped(
  weights: Float32Array,
  inputs: Float32Array,
  samples: number,
  [outputs, outputStep, inputStep]: readonly [outputs: number, outputStep: number, inputStep: number],
): Float32Array {
  const width = inputs.length / samples;
  const result = new Float32Array(samples * outputs);
  for (let sample = 0; sample < samples; sample++) {
    for (let out = 0; out < outputs; out++) {
      let sum = 0;
      for (let k = 0; k < width; k++) {
        const weight = weights[out * outputStep + k * inputStep] as number;
        sum = Math.fround(sum + weight * (inputs[sample * width + k] as number));
      }
      result[sample * outputs + out] = sum;
    }
  }
  return result;
}
