import { Rational } from "../../exact/rational.js";
import type { LadderPoint } from "../../program/ladder/evaluate.js";
import { columnOf, type Ladder } from "../../program/ladder/ladder.js";
import type { Certificate, NamedMultipliers } from "../../proof/certificate.js";

/**
 * The price of the certificate's resource row at a point: minus the multiplier of `row` in the first multipliers that
 * the certificate uses on the way to the point. By those multipliers the bound falls by at most this much for each unit
 * that the row is widened by. Zero where the row is not priced.
 */
export function priceOnPath(certificate: Certificate, ladder: Ladder, point: LadderPoint, row: string): Rational {
  // The open nodes of the pre-order walk; whether each holds the point.
  const open = [true];
  for (const step of certificate.steps) {
    const here = open.pop() as boolean;
    if ("branch" in step) {
      const value = valueAt(ladder, point, step.branch);
      const below = value.compare(Rational.parse(step.at)) <= 0;
      open.push(here && !below, here && below);
      continue;
    }
    const multipliers: NamedMultipliers | undefined =
      "fix" in step ? step.fix : "bound" in step ? step.bound : undefined;
    if (here && multipliers !== undefined) return Rational.parse(multipliers[row] ?? "0").negate();
    // Every other step works on the node and leaves it open.
    if (!("bound" in step || "infeasible" in step)) open.push(here);
  }
  return Rational.zero;
}

/** The value of a column, by its name; zero where there is none. */
function valueAt(ladder: Ladder, { counts, auxiliaries }: LadderPoint, name: string): Rational {
  const auxiliary = ladder.auxiliaries.findIndex((column) => column.name === name);
  if (auxiliary !== -1) return auxiliaries[auxiliary] as Rational;
  const column = columnOf(ladder, name);
  if (column === null) return Rational.zero;
  return Rational.of(BigInt(counts[column.rung * ladder.tiers.length + column.tier] as number));
}
