import { Rational } from "../exact/rational.js";

/** How much worse than its proved best value a goal may become for the goals after it. */
export type Allowance =
  /** Per cent of the value, as the file writes it. */
  | { readonly percent: string }
  /** In the goal's own unit. */
  | { readonly amount: number };

/** What a minimised value may come to, exactly. */
export function allowedValue(value: Rational, allow: Allowance): Rational {
  if ("amount" in allow) return value.add(Rational.fromNumber(allow.amount));
  const share = Rational.parse(allow.percent).divide(Rational.of(100n));
  return value.add(value.absolute().multiply(share));
}

/** As an instance has it. */
export function allowanceText(allow: Allowance): string {
  return "amount" in allow ? String(allow.amount) : `${allow.percent} %`;
}
