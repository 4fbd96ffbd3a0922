import { Dense, type Parameters } from "../../../../cost/neural/dense.js";
import { Mlp } from "../../../../cost/neural/mlp.js";
import { REPRESENTATION } from "../../../../cost/neural/network.js";
import type { Random } from "../../../../exact/random.js";
import { LstmLayer } from "./lstm.js";

/** Width of states and of actions: a representation of tables, and 32 for the progress or the load. */
const STATE = 64;
const EXTRA = STATE - REPRESENTATION;

/** What a device's load is made of, beside its tables' representations: predicted cost and bytes. */
const LOADS = 2;

/** A head's input: state, action and their product, element by element. */
const JOINT = 3 * STATE;

/** What there is to decide: `steps` tables one after the other, each on one of `devices`. */
export interface Decisions {
  readonly steps: number;
  readonly devices: number;
  /** steps × 32, the tables' representations in the order of the steps. */
  readonly representations: Float64Array;
  /** Whether a backward pass follows: then all steps' passes are kept, not only the last one's. */
  readonly isLearning: boolean;
}

/**
 * The policy-value network of AutoShard (Zha et al., KDD 2022, section 4.4 and appendix C.1, and its public code), apart from
 * the cost network, whose representations of tables it shares.
 *
 * - State: [representation of the table (32) | ReLU of a dense layer of the share of tables placed (32)], through an LSTM of
 *   two layers of 64. It does not depend on the actions, so that all states of a task are computed at once.
 * - Action, of each device: [Σ representations of its tables (32) | ReLU of a dense layer of its cost and bytes (32)].
 * - Score of a device: 192 → 128 → 128 → 64 → 1 over [state | action | state·action]; a softmax over the scores of the devices is
 *   the probability of each.
 * - Value of a state: 64 → 64 → 1.
 *
 * These are 120,482 parameters, 129,603 with the 9,121 of the cost network.
 */
export class PolicyNetwork {
  readonly #progress: Mlp;
  readonly #lstm: readonly [LstmLayer, LstmLayer];
  readonly #load: Mlp;
  readonly #head: Mlp;
  readonly #value: Mlp;
  readonly #parameters: readonly Parameters[];
  #decisions: Decisions = { steps: 0, devices: 0, representations: new Float64Array(0), isLearning: false };
  /** Of the LSTM, of its second layer, and what comes out: steps × 64. */
  #inputs: Float64Array = new Float64Array(0);
  #between: Float64Array = new Float64Array(0);
  #states: Float64Array = new Float64Array(0);

  private constructor(random: Random) {
    const layers = (...widths: readonly number[]) =>
      widths.slice(1).map((outputs, l) => Dense.drawn(widths[l] as number, outputs, random));
    this.#progress = new Mlp(layers(1, EXTRA), false);
    this.#lstm = [LstmLayer.drawn(STATE, random), LstmLayer.drawn(STATE, random)];
    this.#load = new Mlp(layers(LOADS, EXTRA), false);
    this.#head = new Mlp(layers(JOINT, 128, 128, 64, 1), true);
    this.#value = new Mlp(layers(STATE, 64, 1), true);
    this.#parameters = [this.#progress, ...this.#lstm, this.#load, this.#head, this.#value].flatMap((part) =>
      part.parameters(),
    );
  }

  /** A network before training, as PyTorch's layers begin. */
  static drawn(random: Random): PolicyNetwork {
    return new PolicyNetwork(random);
  }

  /** In a fixed order: {@link PARAMETER_NAMES}. */
  parameters(): readonly Parameters[] {
    return this.#parameters;
  }

  /** Passes the tables through the LSTM; the value of each step's state, where a backward pass follows. */
  begin(decisions: Decisions): Float64Array {
    this.#decisions = decisions;
    const { steps, devices, representations, isLearning } = decisions;
    const [first, second] = this.#lstm;
    this.#progress.reserve(steps);
    for (let t = 0; t < steps; t++) this.#progress.input[t] = t / steps;
    this.#progress.forward(0, steps);
    this.#inputs = new Float64Array(steps * STATE);
    for (let t = 0; t < steps; t++) {
      this.#inputs.set(row(representations, t, REPRESENTATION), t * STATE);
      this.#inputs.set(row(this.#progress.output, t, EXTRA), t * STATE + REPRESENTATION);
    }
    this.#between = first.forward(this.#inputs, steps);
    this.#states = second.forward(this.#between, steps);
    const rows = (isLearning ? steps : 1) * devices;
    this.#load.reserve(rows);
    this.#head.reserve(rows);
    if (!isLearning) return new Float64Array(0);
    this.#value.reserve(steps);
    this.#value.input.set(this.#states);
    this.#value.forward(0, steps);
    return this.#value.output.subarray(0, steps);
  }

  /**
   * The scores of the devices at a step.
   *
   * @param sums devices × 32, of the representations of the tables on each
   * @param loads devices × 2, cost and bytes of each, in the units that the policy learned with
   */
  scores(step: number, sums: Float64Array, loads: Float64Array): Float64Array {
    const { devices, isLearning } = this.#decisions;
    const from = isLearning ? step * devices : 0;
    this.#load.input.set(loads, from * LOADS);
    this.#load.forward(from, devices);
    const [state, joint] = [row(this.#states, step, STATE), this.#head.input];
    for (let d = 0; d < devices; d++) {
      const at = (from + d) * JOINT;
      joint.set(state, at);
      joint.set(row(sums, d, REPRESENTATION), at + STATE);
      joint.set(row(this.#load.output, from + d, EXTRA), at + STATE + REPRESENTATION);
      for (let i = 0; i < STATE; i++) {
        joint[at + 2 * STATE + i] = (state[i] as number) * (joint[at + STATE + i] as number);
      }
    }
    this.#head.forward(from, devices);
    return this.#head.output.subarray(from, from + devices);
  }

  /**
   * Adds the gradients of all parameters, given those of the scores (steps × devices) and of the values; follows a pass over
   * all steps that {@link begin} was told to keep.
   */
  backward(dScores: Float64Array, dValues: Float64Array): void {
    const { steps, devices } = this.#decisions;
    const rows = steps * devices;
    this.#value.backward(dValues, steps, true);
    const dStates = this.#value.inputGradient.slice(0, steps * STATE);
    this.#head.backward(dScores, rows, true);
    const [joint, dJoint] = [this.#head.input, this.#head.inputGradient];
    const dLoad = new Float64Array(rows * EXTRA);
    for (let r = 0; r < rows; r++) {
      const [at, state] = [r * JOINT, Math.floor(r / devices) * STATE];
      for (let i = 0; i < STATE; i++) {
        const product = dJoint[at + 2 * STATE + i] as number;
        const ofState = (dJoint[at + i] as number) + product * (joint[at + STATE + i] as number);
        dStates[state + i] = (dStates[state + i] as number) + ofState;
        if (i < REPRESENTATION) continue;
        const ofAction = (dJoint[at + STATE + i] as number) + product * (joint[at + i] as number);
        dLoad[r * EXTRA + i - REPRESENTATION] = ofAction;
      }
    }
    this.#load.backward(dLoad, rows, false);
    const [first, second] = this.#lstm;
    const dBetween = new Float64Array(steps * STATE);
    second.backward(this.#between, dStates, dBetween, steps);
    const dInputs = new Float64Array(steps * STATE);
    first.backward(this.#inputs, dBetween, dInputs, steps);
    const dProgress = new Float64Array(steps * EXTRA);
    for (let t = 0; t < steps; t++) dProgress.set(row(dInputs, t, STATE).subarray(REPRESENTATION), t * EXTRA);
    this.#progress.backward(dProgress, steps, false);
  }
}

/** The parameters' names in a policy's file, in the order in which the network has them. */
export const PARAMETER_NAMES: readonly string[] = [
  "progress",
  ...["lstm0.input", "lstm0.recurrent", "lstm1.input", "lstm1.recurrent"],
  "load",
  ...["head0", "head1", "head2", "head3"],
  ...["value0", "value1"],
].flatMap((layer) => [`${layer}.weights`, `${layer}.biases`]);

function row(matrix: Float64Array, index: number, width: number): Float64Array {
  return matrix.subarray(index * width, (index + 1) * width);
}
