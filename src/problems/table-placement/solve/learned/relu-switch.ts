import type { DeviceColumns } from "../../../../../models/table-placement/learned/build.js";
import type { NeuralHead } from "../../../../../models/table-placement/learned/head.js";
import { doubleNear } from "../../../../exact/rational.js";

/** A ReLU with the binary that says whether it is on, in doubles. */
export interface ReluSwitch {
  readonly on: number;
  readonly column: number;
  /** Its input, offset + Σ slope · column. */
  readonly offset: number;
  readonly terms: readonly (readonly [column: number, slope: number])[];
}

/** Those of a device; `here`: what a column of the program is called. */
export function switchesOf(
  { denominator }: Pick<NeuralHead, "denominator">,
  { shards, units }: Pick<DeviceColumns, "shards" | "units">,
  here = (column: number) => column,
): ReluSwitch[] {
  return units.flatMap(({ on, column, unit }) => {
    if (on === null) return [];
    const terms = shards.map(
      (shard) => [here(shard.column), doubleNear(unit.slopes[shard.part] as bigint, denominator)] as const,
    );
    return [{ on: here(on), column: here(column), offset: doubleNear(unit.offset, denominator), terms }];
  });
}

/** The input at a point. */
export function inputOf({ offset, terms }: ReluSwitch, pointAt: (column: number) => number): number {
  return terms.reduce((input, [column, slope]) => input + slope * pointAt(column), offset);
}
