import { type Column, ProgramError } from "../program.js";
import type { Ladder, LadderForm, Rail } from "./ladder.js";

/**
 * Whether a ladder is what {@link Ladder} says as far as proofs rest on it: nobody else may have looked. Throws
 * {@link ProgramError} with what is wrong.
 */
export function requireLadder(ladder: Ladder): void {
  const { name, tiers, rails, heatDenominator, auxiliaries, rows, objective } = ladder;
  const require = (holds: boolean, what: string): void => {
    if (!holds) throw new ProgramError(`the ladder "${name}": ${what}`);
  };
  require(heatDenominator > 0n, "heats have no positive denominator");
  for (const rail of rails) {
    require(rail.units.every(
      (count) => Number.isSafeInteger(count) && count > 0,
    ), "a rung has no positive count of units");
    require(rail.heats.length === rail.units.length, "not every rung has a heat");
    require(rail.heats.every(
      (heat, i) => heat >= 0n && (i === 0 || heat < (rail.heats[i - 1] as bigint)),
    ), "heats do not fall, or below zero");
    require(hasRunningSums(rail), "a rail's running sums are not those of its rungs");
  }
  for (const { form } of [...rows, objective])
    require(isOver(form, rails, tiers, auxiliaries), "a form has not one term for each rail and tier");
}

function hasRunningSums({ units, heats, unitsBefore, heatBefore }: Rail): boolean {
  if (unitsBefore.length !== units.length + 1 || heatBefore.length !== units.length + 1) return false;
  let sum = 0;
  let heat = 0n;
  for (let i = 0; i <= units.length; i++) {
    if (unitsBefore[i] !== sum || heatBefore[i] !== heat) return false;
    if (i === units.length) break;
    sum += units[i] as number;
    heat += BigInt(units[i] as number) * (heats[i] as bigint);
  }
  return Number.isSafeInteger(sum);
}

function isOver(
  { terms, auxiliaries: own }: LadderForm,
  rails: readonly Rail[],
  tiers: readonly string[],
  auxiliaries: readonly Column[],
): boolean {
  if (terms.length !== rails.length || own.length !== auxiliaries.length) return false;
  return terms.every((ofRail) => ofRail.length === tiers.length);
}
