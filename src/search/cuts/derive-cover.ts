import { Rational } from "../../exact/rational.js";
import { linearForm } from "../../program/program.js";
import { greatestBeyond } from "../../proof/kernel/knapsack.js";
import type { Box, View } from "../../proof/kernel/view.js";
import type { ProvedCut } from "../branch-and-bound/space.js";
import type { CoverProposal } from "./lifted-covers.js";

/** The cut that a proposal is, if exact arithmetic shows it; `null` where it does not. */
export function deriveCover(view: View, box: Box, { rows, form: terms, side }: CoverProposal): ProvedCut | null {
  if (!Number.isSafeInteger(side)) return null;
  const form = linearForm([...terms].map(([j, value]) => [j, Rational.of(BigInt(value))] as const));
  const least = Rational.of(BigInt(side));
  const knapsack = new Map([...rows].map(([r, weight]) => [r, Rational.fromNumber(weight)] as const));
  const beyond = shown(() => greatestBeyond(view, box, form, least, knapsack));
  if (beyond === null || (beyond !== "empty" && beyond.sign() >= 0)) return null;
  return { form, least, knapsack };
}

/** `null` where the dynamic program would be too long. */
function shown<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
