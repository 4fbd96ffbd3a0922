import type { PlanClaim } from "./envelope.js";

/** Relative error that a floating-point solver's tolerances (1e-6) explain. */
const TOLERANCE = 1e-5;

/** What was proved, as far as a claim can contradict it. Doubles; `null` where the program has no plan. */
export interface Proved {
  readonly value: number | null;
  readonly bound: number | null;
}

/**
 * Whether a solver's claim about a minimisation can be true beside what was proved, in words. A claim disagrees when it
 * says infeasible where there is a plan, has a plan better than the proved bound, or a bound above a plan that exists.
 * `unit` is the objective's, with the space before it.
 */
export function compareClaim(
  claim: Omit<PlanClaim, "agrees" | "remark">,
  proved: Proved,
  unit = " s",
): Pick<PlanClaim, "agrees" | "remark"> {
  const { value, bound, status } = claim;
  const below = (a: number, b: number) => a < b - TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
  const no = (remark: string) => ({ agrees: false, remark });
  if (proved.value === null) {
    if (value !== null) return no(`claims a plan of ${value}${unit}, where it is proved that there is none`);
    return status === "infeasible"
      ? { agrees: true, remark: "also says that there is no plan" }
      : { agrees: true, remark: `says ${status}, which settles nothing` };
  }
  if (status === "infeasible") return no("claims that there is no plan, where one is at hand");
  if (value !== null && proved.bound !== null && below(value, proved.bound)) {
    return no(`claims a plan of ${value}${unit}, below the proved bound of ${proved.bound}${unit}`);
  }
  if (bound !== null && below(proved.value, bound)) {
    return no(`claims that no plan is below ${bound}${unit}, where one of ${proved.value}${unit} is at hand`);
  }
  if (status === "optimal" && value !== null && below(proved.value, value)) {
    return no(`claims ${value}${unit} as optimal, where a plan of ${proved.value}${unit} is at hand`);
  }
  return status === "optimal"
    ? { agrees: true, remark: "claims the same optimum" }
    : { agrees: true, remark: `says ${status}, which settles nothing` };
}

/** The gap that a solver's own words leave, relative to its value as ours is; `null` where one of them is missing. */
export function claimedGap({
  value,
  bound,
}: {
  readonly value: number | null;
  readonly bound: number | null;
}): number | null {
  if (value === null || bound === null) return null;
  return value === bound ? 0 : Math.abs(value - bound) / Math.abs(value === 0 ? bound : value);
}
