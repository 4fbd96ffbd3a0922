import type { NamedMultipliers, Step } from "../../proof/certificate.js";

/** Steps in pre-order without the cuts that no bound, fixing or needed cut names. */
export function withoutUnusedCuts(steps: readonly Step[]): readonly Step[] {
  if (!steps.some((step) => "cut" in step || "knapsack" in step)) return steps;
  const used = new Set<string>();
  const use = (named: NamedMultipliers) => {
    for (const name of Object.keys(named)) used.add(name);
  };
  const kept: Step[] = [];
  for (const step of steps.toReversed()) {
    if ("cut" in step) {
      if (!used.has(step.cut)) continue;
      use(step.below.rows);
      use(step.above.rows);
    } else if ("knapsack" in step) {
      if (!used.has(step.knapsack)) continue;
      use(step.rows);
    } else if ("bound" in step) use(step.bound);
    else if ("infeasible" in step) use(step.infeasible);
    else if ("fix" in step) use(step.fix);
    else if ("decompose" in step) use(step.decompose);
    else if ("narrow" in step) use(step.narrow);
    kept.push(step);
  }
  return kept.reverse();
}
