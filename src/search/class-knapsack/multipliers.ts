import { Rational } from "../../exact/rational.js";
import type { Ladder, LadderForm, LadderRow } from "../../program/ladder/ladder.js";
import type { LadderNode } from "../../proof/kernel/ladder/node.js";
import { bestWeight, shareOfHigh, type Weighted } from "../larger-of-two.js";
import { capacityBreakpoint, type LadderBreakpoint, provedAt, valueAtOptimum } from "./breakpoint.js";
import type { LadderRoles } from "./roles.js";

type Solved = Extract<LadderBreakpoint, { kind: "solved" }>;

/** The relaxation at the best weights of its objective sums. */
export interface Weighing {
  readonly best: Trial;
  /** The optima at the last weights tried, the best first. */
  readonly facets: readonly Solved[];
  /** What a form's units come to at the optimum. */
  readonly valueOf: (form: LadderForm) => Rational;
}

export interface Trial extends Weighted {
  readonly breakpoint: Solved;
  readonly multipliers: ReadonlyMap<number, Rational>;
}

/** How many of the last weights tried give a candidate. */
const MAX_FACETS = 6;

/**
 * Solves the relaxation under the price of memory for the best weights of the objective sums, with further multipliers
 * as they are. With one sum there is nothing to weigh; with the larger of two, {@link bestWeight} is in doubles. `null`
 * when memory does not suffice.
 */
export function weigh(
  ladder: Ladder,
  node: LadderNode,
  { memoryRow, channels }: Pick<LadderRoles, "memoryRow" | "channels">,
  further: ReadonlyMap<number, Rational>,
): Weighing | null {
  const tried: Trial[] = [];
  const at = (weight: number): Trial | null => {
    const multipliers = new Map(further);
    const share = Rational.fromNumber(weight);
    channels?.rows.forEach((row, s) => {
      multipliers.set(row, (s === 0 ? share : Rational.one.subtract(share)).negate());
    });
    const breakpoint = capacityBreakpoint(ladder, node, memoryRow, multipliers);
    if (breakpoint.kind === "infeasible") return null;
    multipliers.set(memoryRow, breakpoint.price.negate());
    const trial = {
      weight,
      breakpoint,
      multipliers,
      values: sumValues(ladder, node, channels?.rows ?? [], breakpoint),
    };
    tried.unshift(trial);
    return trial;
  };
  const first = at(1);
  if (first === null) return null;
  const { best, low, high } =
    channels === null
      ? { best: first, low: first, high: first }
      : bestWeight(first, at as (weight: number) => Trial, ({ breakpoint }) => provedAt(breakpoint).toNumber());
  const facets = [best, ...tried.filter((trial) => trial !== best)]
    .slice(0, MAX_FACETS)
    .map(({ breakpoint }) => breakpoint);
  return { best, facets, valueOf: (form) => mixedValue(form, low, high) };
}

/** A form's value where the two sums are equal, between two optima. */
function mixedValue(form: LadderForm, low: Trial, high: Trial): Rational {
  const below = valueAtOptimum(low.breakpoint, form);
  if (low === high) return below;
  const share = Rational.fromNumber(shareOfHigh(low, high));
  return below.add(share.multiply(valueAtOptimum(high.breakpoint, form).subtract(below)));
}

function sumValues(ladder: Ladder, node: LadderNode, rows: readonly number[], breakpoint: Solved): readonly number[] {
  return rows.map((row) => {
    const { form } = ladder.rows[row] as LadderRow;
    // Charges that are paid for count; those still open, and the largest sum itself, do not.
    const charges = form.auxiliaries.reduce((sum, coefficient, a) => {
      const { lower, integer } = node.auxiliaries[a] as (typeof node.auxiliaries)[number];
      return integer && lower !== null ? sum.add(coefficient.multiply(lower)) : sum;
    }, Rational.zero);
    return valueAtOptimum(breakpoint, form).add(charges).toNumber();
  });
}
