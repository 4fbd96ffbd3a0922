import { Rational } from "../../../src/exact/rational.js";
import type { ShardColumn } from "../option-site.js";
import type { IntegerTerms, ProgramDraft } from "../program-draft.js";
import type { HeadUnit } from "./head.js";

/** A column that counts shards, with the part that they are. */
export interface PartColumn extends ShardColumn {
  readonly part: number;
}

/** A ReLU of a device in the program: p stands for |w|·max(0, a). */
export interface UnitColumns {
  readonly unit: HeadUnit;
  readonly sign: 1n | -1n;
  /** p, from 0 on. */
  readonly column: number;
  /** δ, 1 where the ReLU is on; `null` for ReLUs that make the device dearer, which need none. */
  readonly on: number | null;
  /** The row p ≥ |w|·a. */
  readonly reluRow: number;
  /** The rows p ≤ |w|·a − least·(1 − δ) and p ≤ most·δ; `null` without δ. */
  readonly activeRow: number | null;
  readonly offRow: number | null;
  /** The least and the most that |w|·a can be, of different signs, in units of 1 / denominator. */
  readonly least: bigint;
  readonly most: bigint;
  /** Sets p and δ for a device with these parts. */
  write(parts: readonly number[], point: Rational[]): void;
}

/**
 * Adds a ReLU that may be on or off on a device. One that makes the device dearer is as small as its rows allow in any best
 * point, so that p ≥ a and p ≥ 0 say all; one that makes it cheaper is as large, and a binary says on which side of 0 it is.
 */
export function addUnit(
  draft: ProgramDraft,
  {
    name,
    unit,
    shards,
    denominator,
    least,
    most,
  }: {
    readonly name: string;
    readonly unit: HeadUnit;
    readonly shards: readonly PartColumn[];
    readonly denominator: bigint;
    readonly least: bigint;
    readonly most: bigint;
  },
): UnitColumns {
  const isDearer = unit.sign > 0n;
  const on = isDearer ? null : draft.addCount(`on_${name}`);
  const column = draft.addAmount(`p_${name}`, Rational.of(most, denominator));
  const addRow = (row: string, terms: IntegerTerms, lower: bigint | null, upper: bigint | null) =>
    draft.addRow(row, terms, lower, upper, denominator);
  const input = shards.map(({ column: at, part }) => [at, -(unit.slopes[part] as bigint)] as const);
  const own = [column, denominator] as const;
  const reluRow = addRow(`relu_${name}`, [...input, own], unit.offset, null);
  const sided =
    on === null
      ? { reluRow, activeRow: null, offRow: null }
      : {
          reluRow,
          activeRow: addRow(`active_${name}`, [...input, own, [on, -least]], null, unit.offset - least),
          offRow: addRow(`off_${name}`, [own, [on, -most]], null, 0n),
        };
  return {
    ...{ unit, sign: unit.sign, column, on, ...sided, least, most },
    write: (parts, point) => {
      let sum = unit.offset;
      for (const part of parts) sum += unit.slopes[part] as bigint;
      point[column] = sum > 0n ? Rational.of(sum, denominator) : Rational.zero;
      if (on !== null) point[on] = sum > 0n ? Rational.one : Rational.zero;
    },
  };
}
