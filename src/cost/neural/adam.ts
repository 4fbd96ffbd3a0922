import type { Parameters } from "./dense.js";

/** PyTorch's defaults of Adam (Kingma and Ba 2015). */
const FIRST_DECAY = 0.9;
const SECOND_DECAY = 0.999;
const EPSILON = 1e-8;

/**
 * Adam over any parameters. Where the Euclidean norm of the gradient over all of them is above `clip` it is scaled down to
 * that (AutoShard clips at 40).
 */
export class Adam {
  readonly #parameters: readonly Parameters[];
  readonly #moments: readonly { readonly first: Float64Array; readonly second: Float64Array }[];
  readonly #clip: number;
  #steps = 0;

  constructor(parameters: readonly Parameters[], clip = Number.POSITIVE_INFINITY) {
    this.#parameters = parameters;
    this.#moments = parameters.map(({ values }) => ({
      first: new Float64Array(values.length),
      second: new Float64Array(values.length),
    }));
    this.#clip = clip;
  }

  /** One update by the gradients as they are, which are zero afterwards. */
  step(learningRate: number): void {
    this.#steps++;
    const norm = Math.sqrt(this.#parameters.reduce((sum, { gradients }) => sum + squares(gradients), 0));
    const scale = norm > this.#clip ? this.#clip / norm : 1;
    const rate = learningRate / (1 - FIRST_DECAY ** this.#steps);
    const correction = 1 / (1 - SECOND_DECAY ** this.#steps);
    for (const [p, { values, gradients }] of this.#parameters.entries()) {
      const { first, second } = this.#moments[p] as { first: Float64Array; second: Float64Array };
      for (let i = 0; i < values.length; i++) {
        const gradient = scale * (gradients[i] as number);
        const mean = FIRST_DECAY * (first[i] as number) + (1 - FIRST_DECAY) * gradient;
        const square = SECOND_DECAY * (second[i] as number) + (1 - SECOND_DECAY) * gradient * gradient;
        first[i] = mean;
        second[i] = square;
        values[i] = (values[i] as number) - (rate * mean) / (Math.sqrt(square * correction) + EPSILON);
      }
      gradients.fill(0);
    }
  }
}

function squares(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] as number) ** 2;
  return sum;
}
