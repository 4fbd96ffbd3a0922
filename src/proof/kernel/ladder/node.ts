import type { Rational } from "../../../exact/rational.js";
import type { Chain, Ladder, LadderTerm } from "../../../program/ladder/ladder.js";
import type { Column } from "../../../program/program.js";
import { rangeOfSum } from "../range-of-sum.js";

/**
 * A part of a ladder in which every class is open: which tiers its chains may use, and the bounds of its auxiliaries.
 */
export interface LadderNode {
  /** `allowed[chain][tier]`. */
  readonly allowed: readonly (readonly boolean[])[];
  /** The auxiliary columns with the bounds that hold here. */
  readonly auxiliaries: readonly Column[];
}

/** The whole ladder. */
export function rootNode(ladder: Ladder): LadderNode {
  return { allowed: ladder.chains.map(() => ladder.tiers.map(() => true)), auxiliaries: ladder.auxiliaries };
}

/** A node with other bounds of one auxiliary column. */
export function withAuxiliary(
  node: LadderNode,
  index: number,
  lower: Rational | null,
  upper: Rational | null,
): LadderNode {
  return {
    ...node,
    auxiliaries: node.auxiliaries.map((column, a) => (a === index ? { ...column, lower, upper } : column)),
  };
}

/**
 * Bound propagation where it bans whole tiers: in a row without negative terms that has nothing left to give (its side
 * less the least that its auxiliaries take is zero), no unit can take a tier that counts in it. `null` when some row
 * has less than nothing left: the node is empty.
 */
export function banTiers(ladder: Ladder, node: LadderNode): LadderNode | null {
  const allowed = node.allowed.map((ofChain) => ofChain.slice());
  for (const { form, upper } of ladder.rows) {
    if (!form.terms.every((ofChain) => ofChain.every(isNotNegative))) continue;
    const terms = form.auxiliaries.map((factor, a) => ({ factor, ...(node.auxiliaries[a] as Column) }));
    const { lower: taken } = rangeOfSum(terms);
    if (taken === null) continue;
    const left = upper.subtract(taken).sign();
    if (left < 0) return null;
    if (left > 0) continue;
    form.terms.forEach((ofChain, r) => {
      ofChain.forEach((term, t) => {
        if (countsEverywhere(term, ladder.chains[r] as Chain)) (allowed[r] as boolean[])[t] = false;
      });
    });
  }
  return { ...node, allowed };
}

function isNotNegative({ fixed, perRate }: LadderTerm): boolean {
  return fixed.sign() >= 0 && perRate.sign() >= 0;
}

function countsEverywhere({ fixed, perRate }: LadderTerm, { rates }: Chain): boolean {
  return fixed.sign() > 0 || (perRate.sign() > 0 && (rates.at(-1) ?? 0n) > 0n);
}
