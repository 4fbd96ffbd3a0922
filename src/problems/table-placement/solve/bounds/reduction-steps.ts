import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
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
import type { Reduction } from "./reduction.js";

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
    const sets =
      round === "unavoidable" ? leastLoadMultipliers(direct) : [aggregatedMultipliers(problem, direct, round)];
    for (const multipliers of sets) steps.push({ kind: "fix", multipliers });
    steps.push({ kind: "propagate" });
  }
  return steps;
}

/**
 * For each device, the multipliers by which its load alone bounds the largest cost: what tables cost it that are on
 * every device under all their options.
 */
function leastLoadMultipliers({ structure }: DirectProgram): Map<number, Rational>[] {
  const { unit, loadRows, shards } = structure;
  const perDevice = loadRows.map((row) => new Map([[row, unit.negate()]]));
  const homes = new Map<number, number>();
  for (const { placeRow } of shards) homes.set(placeRow, (homes.get(placeRow) ?? 0) + 1);
  for (const { placeRow, device, need } of shards) {
    // A shard that can be on one device alone is there if its option is chosen.
    if (homes.get(placeRow) === 1) perDevice[device]?.set(placeRow, Rational.fromNumber(need.cost));
  }
  return perDevice;
}

/** What is left of a program's box after such steps, in a proof of a claim. */
export class ReducedBox {
  readonly #view: View;
  readonly #claim: Rational;
  readonly box: Box;

  constructor(direct: DirectProgram, claim: Rational) {
    const { view, box } = viewOf(direct.program);
    this.#view = view;
    this.#claim = claim;
    this.box = box;
  }

  apply(step: ReductionStep): void {
    if (step.kind === "propagate") propagate(this.#view, this.box, () => {});
    else {
      const bound = lagrangianBound(this.#view, this.box, step.multipliers);
      fixByReducedCost(this.#view, this.box, bound, this.#claim, () => {});
    }
  }

  /** Bounds of the box, to be put back by `restore`. */
  save(): Box {
    return { lower: this.box.lower.slice(), upper: this.box.upper.slice() };
  }

  restore({ lower, upper }: Box): void {
    lower.forEach((value, j) => {
      this.box.lower[j] = value;
      this.box.upper[j] = upper[j] ?? null;
    });
  }
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

/** The aggregated bound at the last prices of a reduction that reaches its limit. */
export function closingStep(problem: PlacementProblem, direct: DirectProgram, { rounds }: Reduction): Step {
  const last = rounds.findLast((round) => round !== "unavoidable") ?? { hbm: 0, host: 0, ssd: 0 };
  return { bound: namedMultipliers(direct, aggregatedMultipliers(problem, direct, last)) };
}
