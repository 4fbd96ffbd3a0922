import type { DeviceBlocks } from "../../../../../models/table-placement/goal-program.js";
import { Rational } from "../../../../exact/rational.js";
import type { Step } from "../../../../proof/certificate.js";
import { lagrangianBound, type Multipliers } from "../../../../proof/kernel/bound.js";
import { fixByReducedCost } from "../../../../proof/kernel/fix.js";
import { propagate } from "../../../../proof/kernel/propagate.js";
import type { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import { UNITS } from "../../../../search/work.js";
import { copyOf } from "../bounds/reduction-steps.js";
import type { DeviceProblem } from "./device-model.js";

/** An option that takes all devices together above what they may cost, by a part of that, is as dear as any cutoff. */
const PART = Rational.of(1000n);

/** A space without what no point below a cutoff has, and the steps that show it. */
export interface Narrowed {
  readonly space: SearchSpace;
  readonly steps: readonly Step[];
}

/**
 * Leaves out the columns that alone come to the cutoff, and the options that cost more in all than devices have left when every
 * table takes the option that costs least in all: options on all devices, of which a relaxation would take a part. `null` where
 * nothing is left.
 */
export function withoutHeavyOptions({ blocks, whole }: DeviceProblem, cutoff: Rational): Narrowed | null {
  let narrowed: Narrowed | null = { space: whole, steps: [] };
  for (const multipliers of [new Map<number, Rational>(), loadMultipliers(blocks, whole, cutoff)]) {
    narrowed = narrowed && propagated(fixed(narrowed, multipliers, cutoff));
  }
  return narrowed;
}

/** All loads at one price, and shards at what they cost at that: what is left of an option is its cost in all. */
function loadMultipliers({ shards, capRows, unit }: DeviceBlocks, { program }: SearchSpace, cutoff: Rational) {
  const room = capRows.reduce(
    (sum, row) => sum.add((row === null ? null : program.rows[row]?.upper) ?? Rational.zero),
    Rational.zero,
  );
  const price = room.sign() <= 0 ? Rational.zero : cutoff.multiply(PART).divide(room);
  const multipliers = new Map<number, Rational>();
  for (const row of capRows) if (row !== null) multipliers.set(row, price.negate());
  for (const { placeRow, need } of shards) {
    if (multipliers.has(placeRow)) continue;
    multipliers.set(placeRow, price.multiply(Rational.fromNumber(need.cost).divide(unit)));
  }
  return multipliers;
}

function fixed({ space, steps }: Narrowed, multipliers: Multipliers, cutoff: Rational): Narrowed {
  const box = copyOf(space.box);
  const result = lagrangianBound(space.view, box, multipliers);
  let changes = 0;
  fixByReducedCost(space.view, box, result, cutoff, () => {
    changes++;
  });
  if (changes === 0) return { space, steps };
  return { space: space.within(box).reduced(), steps: [...steps, { fix: space.named(multipliers) }] };
}

/** Units of work that it takes to propagate a space and to write what is left. */
export function propagationUnits({ view }: SearchSpace): number {
  let entries = 0;
  for (const { form } of view.rows.values()) entries += form.columns.length;
  return UNITS.node * entries;
}

/** `null` where nothing is left. */
export function propagated({ space, steps }: Narrowed): Narrowed | null {
  const box = copyOf(space.box);
  let changes = 0;
  const isLeft = propagate(space.view, box, () => {
    changes++;
  });
  if (!isLeft || changes === 0) return isLeft ? { space, steps } : null;
  return { space: space.within(box).reduced(), steps: [...steps, { propagate: {} }] };
}
