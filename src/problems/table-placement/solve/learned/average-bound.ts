import type { DeviceColumns, NeuralProgram } from "../../../../../models/table-placement/learned/build.js";
import type { HeadUnit } from "../../../../../models/table-placement/learned/head.js";
import { Rational } from "../../../../exact/rational.js";
import type { Step } from "../../../../proof/certificate.js";
import { lagrangianBound } from "../../../../proof/kernel/bound.js";
import { viewOf } from "../../../../proof/kernel/view.js";
import { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import type { BoundProof } from "../bounds/bound-proof.js";

/**
 * Jensen's bound. For a convex head, the largest of k device costs is at least their mean, which is at least the head at the
 * mean of the devices' sums: Σ over all parts, divided by k. A subgradient there gives the multipliers, 1/k for every device. Where
 * the head is not convex, its ReLUs that make devices cheaper are replaced by their chords first.
 *
 * The head where nothing is added up is mostly not 0, and an empty device is: so the number k of devices that have something is
 * branched on first, the last devices being the empty ones where all are alike.
 *
 * Where tables may be sharded in several ways, all of these are added up: the multipliers are then a guess, and valid.
 *
 * `checkTime` is called between the cases; what it throws ends the work.
 */
export function averageBound({ program, structure }: NeuralProgram, checkTime: () => void = () => {}): BoundProof {
  const { devices, orderRows, idle } = structure;
  const totals = totalsOf(structure);
  const { view, box } = viewOf(program);
  const space = SearchSpace.of(program);
  const steps: Step[] = [];
  let claim: Rational | null = null;
  const close = (used: number): void => {
    checkTime();
    const multipliers = averageMultipliers(structure, totals, used);
    const { bound } = lagrangianBound(view, box, multipliers);
    if (bound === null) throw new RangeError("every column of the program has bounds");
    if (claim === null || bound.compare(claim) < 0) claim = bound;
    steps.push({ bound: space.named(multipliers) });
  };
  const canBranch = idle > 0n && orderRows.length > 0;
  for (let used = devices.length; used > 1 && canBranch; used--) {
    const empty = (devices[used - 1] as DeviceColumns).empty as number;
    steps.push({ branch: program.columns[empty]?.name as string, at: "0" });
    box.upper[empty] = Rational.zero;
    close(used);
    box.lower[empty] = Rational.one;
    box.upper[empty] = Rational.one;
  }
  close(canBranch ? 1 : devices.length);
  return { claim, steps };
}

/** By ReLU, what all parts together add to its input: those that the first device may have, which are all. */
function totalsOf({ devices, head }: NeuralProgram["structure"]): ReadonlyMap<HeadUnit, bigint> {
  const shards = devices[0]?.shards ?? [];
  return new Map(
    head.units.map((unit) => [unit, shards.reduce((sum, { part }) => sum + (unit.slopes[part] as bigint), 0n)]),
  );
}

/** Multipliers by row where the first `used` devices share everything evenly and the others are empty. */
function averageMultipliers(
  { devices, orderRows, idle, head }: NeuralProgram["structure"],
  totals: ReadonlyMap<HeadUnit, bigint>,
  used: number,
): ReadonlyMap<number, Rational> {
  const share = Rational.of(1n, BigInt(used));
  const multipliers = new Map<number, Rational>();
  let dearest = Rational.zero;
  const unit = (value: bigint) => Rational.of(value, head.denominator);
  for (const { shards, slopes, costRow, units } of devices.slice(0, used)) {
    multipliers.set(costRow, share.negate());
    const costs = slopes.slice();
    for (const { unit: relu, sign, reluRow, activeRow, offRow, least, most } of units) {
      if (activeRow === null || offRow === null) {
        if (relu.offset * BigInt(used) + (totals.get(relu) as bigint) <= 0n) continue;
        multipliers.set(reluRow, share);
      } else {
        const slope = Rational.of(most, most - least);
        multipliers.set(activeRow, share.multiply(slope).negate());
        multipliers.set(offRow, share.multiply(Rational.one.subtract(slope)).negate());
      }
      for (const [k, { part }] of shards.entries())
        costs[k] = (costs[k] as bigint) + sign * (relu.slopes[part] as bigint);
    }
    for (const cost of costs) {
      const own = unit(cost).multiply(share);
      if (own.compare(dearest) > 0) dearest = own;
    }
  }
  if (idle <= 0n) return multipliers;
  for (let d = 0; d + 1 < used && d < orderRows.length; d++) {
    multipliers.set(
      orderRows[d] as number,
      unit(-idle)
        .multiply(share)
        .multiply(Rational.of(BigInt(d + 1))),
    );
  }
  for (const { emptyRow } of devices.slice(used)) {
    if (emptyRow !== null) multipliers.set(emptyRow, dearest.negate());
  }
  return multipliers;
}
