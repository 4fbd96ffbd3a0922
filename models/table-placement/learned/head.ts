import type { Dense } from "../../../src/cost/neural/dense.js";
import type { NetworkTable } from "../../../src/cost/neural/features.js";
import { REPRESENTATION } from "../../../src/cost/neural/network.js";
import { readNetwork } from "../../../src/cost/neural/placement-costs.js";
import type { SetCost } from "../../../src/cost/neural/set-cost.js";
import { representationsOf } from "../../../src/cost/neural/trained-network.js";
import { decomposeDouble, Rational } from "../../../src/exact/rational.js";
import type { TableFeatures, TablePlacementInstance } from "../../../src/instance/types/table-placement.js";

/** The representations of parts are whole multiples of 2⁻²⁴, as predictions have them (src/cost/neural/predict.ts). */
const GRAIN_BITS = 24;

/**
 * The head of a cost network, in exact arithmetic: what a device with a set S of parts costs is
 *
 *   h(S) = constant + Σ_j sign_j · max(0, offset_j + Σ_{p in S} slope_jp),
 *
 * with the outgoing weight |w_j| multiplied into each ReLU j. All numbers are whole multiples of 1 / denominator milliseconds,
 * the exact values of the doubles of the weights file: no rounding is left but that of the representations.
 */
export interface NeuralHead {
  /** A power of two. */
  readonly denominator: bigint;
  /** b₂ · denominator. */
  readonly constant: bigint;
  /** ReLUs with an outgoing weight other than zero. */
  readonly units: readonly HeadUnit[];
}

/** One ReLU; offset and slopes are in units of 1 / denominator. */
export interface HeadUnit {
  readonly sign: 1n | -1n;
  readonly offset: bigint;
  /** By part (see `SetCost.parts`). */
  readonly slopes: readonly bigint[];
}

/**
 * The head of the network that an instance's cost model names, for the parts of its set cost. Throws `InputError` where the
 * weights cannot be read, and `RangeError` where the instance has no such cost model.
 */
export function neuralHead({ costModel, file, tables }: TablePlacementInstance, { parts }: SetCost): NeuralHead {
  if (costModel.kind !== "neural") throw new RangeError("the instance's costs are not those of a network");
  const trained = readNetwork(file, costModel.file);
  const shapes = parts.map(
    ({ table, dim }) => ({ ...(tables[table]?.features as TableFeatures), dim }) as NetworkTable,
  );
  return exactHead(trained.network.head, representationsOf(trained, shapes));
}

/** The head of two layers over the representations of parts (one after the other), which are rounded to the grain here. */
export function exactHead([hidden, output]: readonly [Dense, Dense], representations: Float64Array): NeuralHead {
  const grains = Array.from(representations, (value) => BigInt(Math.round(value * 2 ** GRAIN_BITS)));
  const inner = wholeNumbers([...hidden.weights.values, ...hidden.biases.values]);
  const outer = wholeNumbers([...output.weights.values]);
  const bits = GRAIN_BITS + inner.bits + outer.bits;
  const units = outer.values.flatMap((weight, j): HeadUnit[] => {
    if (weight === 0n) return [];
    const magnitude = weight < 0n ? -weight : weight;
    const row = inner.values.slice(j * REPRESENTATION, (j + 1) * REPRESENTATION);
    const bias = inner.values[hidden.outputs * REPRESENTATION + j] as bigint;
    return [
      {
        sign: weight < 0n ? -1n : 1n,
        offset: (magnitude * bias) << BigInt(GRAIN_BITS),
        slopes: Array.from({ length: grains.length / REPRESENTATION }, (_, p) => {
          let sum = 0n;
          for (const [i, entry] of row.entries()) sum += entry * (grains[p * REPRESENTATION + i] as bigint);
          return magnitude * sum;
        }),
      },
    ];
  });
  const bias = Rational.fromNumber(output.biases.values[0] as number);
  // A bias of more bits than the products have makes all numbers finer.
  const denominator = bias.denominator > 1n << BigInt(bits) ? bias.denominator : 1n << BigInt(bits);
  const factor = denominator >> BigInt(bits);
  return {
    denominator,
    constant: bias.numerator * (denominator / bias.denominator),
    units: units.map(({ sign, offset, slopes }) => ({
      sign,
      offset: offset * factor,
      slopes: slopes.map((slope) => slope * factor),
    })),
  };
}

/** What a device with these parts costs, in milliseconds; a device without parts costs 0. */
export function exactCost(head: NeuralHead, parts: readonly number[]): Rational {
  return parts.length === 0 ? Rational.zero : Rational.of(headValue(head, parts), head.denominator);
}

/** The head over these parts, in units: that of no parts is its value where nothing is added up. */
export function headValue({ constant, units }: NeuralHead, parts: readonly number[]): bigint {
  let value = constant;
  for (const { sign, offset, slopes } of units) {
    let sum = offset;
    for (const p of parts) sum += slopes[p] as bigint;
    if (sum > 0n) value += sign * sum;
  }
  return value;
}

/** Doubles as integers over one power of two. */
function wholeNumbers(doubles: readonly number[]): { readonly bits: number; readonly values: readonly bigint[] } {
  const parts = doubles.map((value) => (value === 0 ? { mantissa: 0n, exponent: 0 } : decomposeDouble(value)));
  const bits = Math.max(0, ...parts.map(({ exponent }) => -exponent));
  return { bits, values: parts.map(({ mantissa, exponent }) => mantissa << BigInt(exponent + bits)) };
}
