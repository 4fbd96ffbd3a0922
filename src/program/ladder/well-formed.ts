import { type Column, ProgramError } from "../program.js";
import type { Chain, Ladder, LadderForm } from "./ladder.js";

/**
 * Whether a ladder is what {@link Ladder} says as far as proofs rest on it: nobody else may have looked. Throws
 * {@link ProgramError} with what is wrong.
 */
export function requireLadder(ladder: Ladder): void {
  const { name, tiers, chains, rateDenominator, auxiliaries, rows, objective } = ladder;
  const require = (holds: boolean, what: string): void => {
    if (!holds) throw new ProgramError(`the ladder "${name}": ${what}`);
  };
  require(rateDenominator > 0n, "heats have no positive denominator");
  for (const chain of chains) {
    require(chain.units.every(
      (count) => Number.isSafeInteger(count) && count > 0,
    ), "a rung has no positive count of units");
    require(chain.rates.length === chain.units.length, "not every rung has a heat");
    require(chain.rates.every(
      (rate, i) => rate >= 0n && (i === 0 || rate < (chain.rates[i - 1] as bigint)),
    ), "heats do not fall, or below zero");
    require(hasRunningSums(chain), "a rail's running sums are not those of its rungs");
  }
  for (const { form } of [...rows, objective])
    require(isOver(form, chains, tiers, auxiliaries), "a form has not one term for each rail and tier");
}

function hasRunningSums({ units, rates, unitsBefore, rateBefore }: Chain): boolean {
  if (unitsBefore.length !== units.length + 1 || rateBefore.length !== units.length + 1) return false;
  let sum = 0;
  let rate = 0n;
  for (let i = 0; i <= units.length; i++) {
    if (unitsBefore[i] !== sum || rateBefore[i] !== rate) return false;
    if (i === units.length) break;
    sum += units[i] as number;
    rate += BigInt(units[i] as number) * (rates[i] as bigint);
  }
  return Number.isSafeInteger(sum);
}

function isOver(
  { terms, auxiliaries: own }: LadderForm,
  chains: readonly Chain[],
  tiers: readonly string[],
  auxiliaries: readonly Column[],
): boolean {
  if (terms.length !== chains.length || own.length !== auxiliaries.length) return false;
  return terms.every((ofChain) => ofChain.length === tiers.length);
}
