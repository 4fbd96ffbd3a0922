/**
 * The stand-in for a tower module that the simulation runs: a linear map W (outputs × inputs, row after row) of each sample.
 * Any function of one sample's embeddings of one tower would do; what is checked is that it gets the right ones.
 */
export function applyModule(weights: Float32Array | null, inputs: Float32Array, samples: number): Float32Array {
  if (weights === null || samples === 0) return inputs;
  const width = inputs.length / samples;
  const outputs = weights.length / width;
  const result = new Float32Array(samples * outputs);
  for (let sample = 0; sample < samples; sample++) {
    for (let out = 0; out < outputs; out++) {
      let sum = 0;
      for (let k = 0; k < width; k++) {
        const term = (weights[out * width + k] as number) * (inputs[sample * width + k] as number);
        sum = Math.fround(sum + term);
      }
      result[sample * outputs + out] = sum;
    }
  }
  return result;
}

/** Its backward pass: the gradient to the inputs, Wᵀ·g of each sample. */
export function moduleGradient(
  weights: Float32Array | null,
  gradient: Float32Array,
  samples: number,
  width: number,
): Float32Array {
  if (weights === null) return gradient;
  const outputs = weights.length / width;
  const result = new Float32Array(samples * width);
  for (let sample = 0; sample < samples; sample++) {
    for (let k = 0; k < width; k++) {
      let sum = 0;
      for (let out = 0; out < outputs; out++) {
        const term = (weights[out * width + k] as number) * (gradient[sample * outputs + out] as number);
        sum = Math.fround(sum + term);
      }
      result[sample * width + k] = sum;
    }
  }
  return result;
}
