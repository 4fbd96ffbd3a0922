import { Rational } from "../../../exact/rational.js";
import type { LadderPoint } from "../../../program/ladder/evaluate.js";
import { columnOf, type Ladder } from "../../../program/ladder/ladder.js";
import { type Certificate, closesNode, type NamedMultipliers } from "../../../proof/certificate.js";
import { ladderBound } from "../../../proof/kernel/ladder/bound.js";
import { rootNode } from "../../../proof/kernel/ladder/node.js";

/**
 * How far below a plan's value the bound of multipliers may be for their prices to count, relatively: an integer
 * program's best multipliers mostly stop a little short of its optimum.
 */
const MAX_GAP = Rational.of(1n, 1000n);

/** Multipliers of a ladder's rows with what they prove of the whole ladder by themselves. */
export interface PricedBound {
  readonly multipliers: NamedMultipliers;
  /** No point of the ladder is below this: it falls by −multiplier for every unit that a row is widened by. */
  readonly bound: Rational;
}

/**
 * The multipliers that prove the highest bound by themselves, of those that the certificate uses on the way to the
 * point; of equals the first. Only what they prove counts: a step that decides nothing has no say. `null` where none
 * prove a bound within
 * {@link MAX_GAP} of the value, or within the gap that was asked for.
 */
export function bestMultipliers(
  certificate: Certificate,
  ladder: Ladder,
  point: LadderPoint,
  { value, gap }: { readonly value: Rational; readonly gap: Rational },
): PricedBound | null {
  let best: PricedBound | null = null;
  for (const multipliers of multipliersOnPath(certificate, ladder, point)) {
    const bound = boundOf(ladder, multipliers);
    if (bound !== null && (best === null || bound.compare(best.bound) > 0)) best = { multipliers, bound };
  }
  const most = gap.compare(MAX_GAP) > 0 ? gap : MAX_GAP;
  const isClose = best !== null && value.subtract(best.bound).compare(value.absolute().multiply(most)) <= 0;
  return isClose ? best : null;
}

/** What one unit more of a row's side lets the bound fall by. Zero where the row is not priced. */
export function priceOf({ multipliers }: PricedBound, row: string): Rational {
  const multiplier = Object.hasOwn(multipliers, row) ? (multipliers[row] as string) : "0";
  return Rational.parse(multiplier).negate();
}

/** The bound of the whole ladder by multipliers of its own rows; `null` where there is none. */
function boundOf(ladder: Ladder, named: NamedMultipliers): Rational | null {
  const multipliers = new Map<number, Rational>();
  for (const [index, { name }] of ladder.rows.entries()) {
    if (!Object.hasOwn(named, name)) continue;
    const multiplier = Rational.parse(named[name] as string);
    // Of a rounded row under the same name: the ladder's own has no such side.
    if (multiplier.sign() > 0) return null;
    multipliers.set(index, multiplier);
  }
  return ladderBound(ladder, rootNode(ladder), multipliers).bound;
}

/** Every set of multipliers that bounds the nodes which hold a point, once each. */
function multipliersOnPath(certificate: Certificate, ladder: Ladder, point: LadderPoint): readonly NamedMultipliers[] {
  const found = new Map<string, NamedMultipliers>();
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
    const multipliers = "fix" in step ? step.fix : "bound" in step ? step.bound : undefined;
    if (here && multipliers !== undefined) {
      const key = JSON.stringify(multipliers);
      if (!found.has(key)) found.set(key, multipliers);
    }
    if (!closesNode(step)) open.push(here);
  }
  return [...found.values()];
}

/** The value of a column, by its name; zero where there is none. */
function valueAt(ladder: Ladder, { counts, auxiliaries }: LadderPoint, name: string): Rational {
  const auxiliary = ladder.auxiliaries.findIndex((column) => column.name === name);
  if (auxiliary !== -1) return auxiliaries[auxiliary] as Rational;
  const column = columnOf(ladder, name);
  if (column === null) return Rational.zero;
  return Rational.of(BigInt(counts[column.unitClass * ladder.tiers.length + column.tier] as number));
}
