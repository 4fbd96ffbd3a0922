import type { ExchangeProblem } from "./exchange-problem.js";
import {
  flatBackward,
  flatForward,
  gradientsAtOnce,
  lookedUpAtOnce,
  type Outputs,
  type ShardGradients,
} from "./flat-exchange.js";
import type { StepBytes } from "./layout.js";
import { type Allowances, roundingAllowance } from "./rounding-allowance.js";
import { newRun } from "./run.js";
import { spttBackward, spttForward } from "./sptt.js";

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
