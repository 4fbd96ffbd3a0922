import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { ShardColumn } from "../../../../../models/table-placement/option-site.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import type { Step } from "../../../../proof/certificate.js";
import { lagrangianBound, type Multipliers } from "../../../../proof/kernel/bound.js";
import { fixByReducedCost } from "../../../../proof/kernel/fix.js";
import { propagate } from "../../../../proof/kernel/propagate.js";
import { type Box, type View, viewOf } from "../../../../proof/kernel/view.js";
import { aggregatedMultipliers } from "./aggregated-bound.js";
import type { BoundProof } from "./bound-proof.js";
import { namedMultipliers } from "./choice-prices.js";
import { type Reduction, reduceOptions } from "./reduction.js";

/** A step by which a proof tightens the program's box to what is below its claim. */
export type ReductionStep =
  | { readonly kind: "fix"; readonly multipliers: Multipliers }
  | { readonly kind: "propagate" };

/** Steps that leave out, in exact arithmetic, the options that a reduction does. */
export function reductionSteps(
  problem: PlacementProblem,
  direct: DirectProgram,
  { rounds }: Reduction,
): readonly ReductionStep[] {
  const steps: ReductionStep[] = [{ kind: "fix", multipliers: new Map() }, { kind: "propagate" }];
  for (const round of rounds) {
    steps.push({ kind: "fix", multipliers: aggregatedMultipliers(problem, direct, round) }, { kind: "propagate" });
  }
  return steps;
}

/** What is left of a program's box after such steps, in a proof of a claim. */
export class ReducedBox {
  readonly #view: View;
  readonly #claim: Rational;
  readonly box: Box;

  constructor({ program }: Pick<DirectProgram, "program">, claim: Rational) {
    const { view, box } = viewOf(program);
    this.#view = view;
    this.#claim = claim;
    this.box = box;
  }

  /** Of a `propagate`, whether it leaves anything; of a `fix`, whether it fixes anything. */
  apply(step: ReductionStep): boolean {
    if (step.kind === "propagate") return propagate(this.#view, this.box, () => {});
    let hasFixed = false;
    const bound = lagrangianBound(this.#view, this.box, step.multipliers);
    fixByReducedCost(this.#view, this.box, bound, this.#claim, () => {
      hasFixed = true;
    });
    return hasFixed;
  }

  /** Bounds of the box, to be put back by `restore`. */
  save(): Box {
    return copyOf(this.box);
  }

  restore({ lower, upper }: Box): void {
    lower.forEach((value, j) => {
      this.box.lower[j] = value;
      this.box.upper[j] = upper[j] ?? null;
    });
  }
}

/** The columns of shards that a box settles where they are. */
export function settledShards({ structure }: DirectProgram, { lower, upper }: Box): ShardColumn[] {
  return structure.shards.filter(({ column }) => {
    const low = lower[column] as Rational;
    return low.sign() !== 0 && low.equals(upper[column] as Rational);
  });
}

export function copyOf({ lower, upper }: Box): Box {
  return { lower: lower.slice(), upper: upper.slice() };
}

/** The parts of a box where a column is at most a whole number, and where it is more. */
export function halvesAt(box: Box, column: number, at: bigint): [below: Box, above: Box] {
  const [below, above] = [copyOf(box), copyOf(box)];
  below.upper[column] = Rational.of(at);
  above.lower[column] = Rational.of(at + 1n);
  return [below, above];
}

/** The step as a certificate writes it. */
export function writtenStep(direct: DirectProgram, step: ReductionStep): Step {
  return step.kind === "propagate" ? { propagate: {} } : { fix: namedMultipliers(direct, step.multipliers) };
}

/** The aggregated bound over the options that a reduction to a limit leaves: no largest cost is below the limit. */
export function reducedBound(
  problem: PlacementProblem,
  direct: DirectProgram,
  reduction: Reduction,
  limit: number,
): BoundProof {
  const steps = reductionSteps(problem, direct, reduction).map((step) => writtenStep(direct, step));
  return { claim: Rational.fromNumber(limit), steps: [...steps, closingStep(problem, direct, reduction)] };
}

/** What a proof of a claim begins with: the options that a reduction leaves, the steps that leave out the others, and the box after them. */
export interface Beginning {
  readonly reduction: Reduction;
  readonly reduced: ReducedBox;
  readonly steps: readonly Step[];
}

/** What reduction by bounds leaves below a limit; the proof, where that is nothing. */
export function beginningAt(problem: PlacementProblem, direct: DirectProgram, limit: number): Beginning | BoundProof {
  const reduction = reduceOptions(problem, limit);
  if (reduction.bound >= limit) return reducedBound(problem, direct, reduction, limit);
  const reduced = new ReducedBox(direct, Rational.fromNumber(limit));
  const steps = reductionSteps(problem, direct, reduction).map((step) => {
    reduced.apply(step);
    return writtenStep(direct, step);
  });
  return { reduction, reduced, steps };
}

/** The aggregated bound at the last prices of a reduction that reaches its limit. */
function closingStep(problem: PlacementProblem, direct: DirectProgram, { rounds }: Reduction): Step {
  const last = rounds.at(-1) ?? { hbm: 0, host: 0, ssd: 0 };
  return { bound: namedMultipliers(direct, aggregatedMultipliers(problem, direct, last)) };
}
