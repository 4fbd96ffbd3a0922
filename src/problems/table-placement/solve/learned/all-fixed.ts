import type { DeviceColumns, NeuralStructure } from "../../../../../models/table-placement/learned/build.js";
import { headValue } from "../../../../../models/table-placement/learned/head.js";
import { Rational } from "../../../../exact/rational.js";

/** Bounds of the program's columns. */
export interface ProgramBounds {
  readonly lower: readonly (Rational | null)[];
  readonly upper: readonly (Rational | null)[];
}

/**
 * The best multipliers where every table has its place, by row; `null` where one has not. They are those of the costliest
 * device: every ReLU counts with the side of 0 that it is on.
 */
export function settledMultipliers(
  { devices, head, idle }: NeuralStructure,
  bounds: ProgramBounds,
): ReadonlyMap<number, Rational> | null {
  let worst: { readonly device: DeviceColumns; readonly parts: readonly number[]; readonly value: bigint } | null =
    null;
  for (const device of devices) {
    const parts = partsIn(device, bounds);
    if (parts === null) return null;
    const value = headValue(head, parts) - (parts.length === 0 ? idle : 0n);
    if (worst === null || value > worst.value) worst = { device, parts, value };
  }
  return worst === null ? null : deviceMultipliers(worst.device, worst.parts, bounds);
}

/** The parts of a device; `null` where one of its columns is open. */
function partsIn({ shards }: DeviceColumns, { lower, upper }: ProgramBounds): readonly number[] | null {
  const parts: number[] = [];
  for (const { column, part } of shards) {
    const count = lower[column] as Rational;
    if (!count.equals(upper[column] as Rational)) return null;
    for (let k = 0n; k < count.numerator; k++) parts.push(part);
  }
  return parts;
}

function deviceMultipliers(
  { costRow, units }: DeviceColumns,
  parts: readonly number[],
  { lower, upper }: ProgramBounds,
): ReadonlyMap<number, Rational> {
  const multipliers = new Map([[costRow, Rational.one.negate()]]);
  for (const { unit, reluRow, activeRow, offRow, on, least, most } of units) {
    const isOn = parts.reduce((sum, part) => sum + (unit.slopes[part] as bigint), unit.offset) > 0n;
    if (activeRow === null || offRow === null || on === null) {
      if (isOn) multipliers.set(reluRow, Rational.one);
      continue;
    }
    const isDecided = (lower[on] as Rational).equals(upper[on] as Rational);
    // Undecided, it is as cheap as its chord; decided, as its own side says.
    const slope = isDecided ? (upper[on] as Rational) : Rational.of(most, most - least);
    multipliers.set(activeRow, slope.negate());
    multipliers.set(offRow, slope.subtract(Rational.one));
  }
  return multipliers;
}
