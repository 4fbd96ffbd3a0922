import { Rational } from "../exact/rational.js";
import type { Multipliers } from "../proof/kernel/bound.js";

/** Multipliers with so many binary digits behind the point. */
export function rounded(multipliers: Multipliers, digits: bigint): Multipliers {
  const unit = Rational.of(1n << digits);
  return new Map([...multipliers].map(([r, y]) => [r, Rational.of(toZero(y.multiply(unit))).divide(unit)] as const));
}

function toZero(value: Rational): bigint {
  return value.sign() < 0 ? value.ceil() : value.floor();
}
