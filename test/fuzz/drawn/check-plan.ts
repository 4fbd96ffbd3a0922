import { Rational } from "../../../src/exact/rational.js";
import { writePlan } from "../../../src/plan-file/write-plan.js";
import type { Instance } from "../../../src/problems/planning/instances.js";
import { planInstance } from "../../../src/problems/planning/plan.js";
import { verifyPlanText } from "../../../src/problems/planning/verify.js";
import type { Tally } from "../attack/tally.js";

/** Of one plan, in units of work, whatever the machine; what is open then is counted, not wrong. */
const LIMITS = { workLimitSeconds: 1, timeLimitSeconds: 300 };

/** What the brute force knows of one goal after the other: the least of each, within what those before it allow. */
export type Least = readonly Rational[];

/** Fields of a plan that say what was found and proved. */
interface Found {
  readonly status: string;
  readonly exact: { readonly value: string | null; readonly bound: string | null };
  readonly stages?: readonly (Proved & { readonly exact: { readonly best: string | null } })[] | null;
  readonly second?: (Proved & { readonly exact: { readonly value: string } }) | null;
}

interface Proved {
  readonly status: string | null;
  readonly exact: { readonly bound: string | null };
}

/** What was claimed of one goal. */
interface Claim {
  readonly isProved: boolean;
  readonly value: string | null;
  readonly bound: string | null;
}

/**
 * Plans an instance to gap 0 and verifies the plan; tells the tally what is other than by brute force (`null`: no plan is within the
 * limits). What was not proved in time is counted as open.
 */
export async function checkPlan(instance: Instance, least: Least | null, where: string, tally: Tally): Promise<void> {
  const fault = (what: string) => tally.fault(`${where}: ${what}`);
  tally.add("plans");
  let plan: Found;
  try {
    plan = (await planInstance(instance, { gap: 0, ...LIMITS })) as unknown as Found;
  } catch (error) {
    fault((error as Error).stack ?? String(error));
    return;
  }
  if (least === null) {
    tally.add(plan.status === "infeasible" ? "infeasible" : "left open");
    if (plan.exact.value !== null) fault(`a plan of ${plan.exact.value} where there is none`);
  } else {
    const claims = claimsOf(plan);
    tally.add(plan.status === "proved" && claims.every(({ isProved }) => isProved) ? "proved" : "left open");
    if (plan.status === "infeasible") fault(`infeasible, and ${least[0]} is possible`);
    const wrong = wrongClaim(claims, least);
    if (wrong !== null) fault(wrong);
  }
  try {
    const { passed, checks, differences } = await verifyPlanText(
      writePlan(plan as never),
      "plan.json",
      async () => instance,
    );
    if (!passed) fault(`not verified: ${JSON.stringify([checks.filter((check) => !check.passed), differences])}`);
    else tally.add("verified");
  } catch (error) {
    fault(`verify: ${(error as Error).stack ?? error}`);
  }
}

function claimsOf({ status, exact, stages, second }: Found): readonly Claim[] {
  if (stages) {
    return stages.map((stage) => ({ isProved: stage.status === "proved", ...stage.exact, value: stage.exact.best }));
  }
  const first = { isProved: status === "proved", ...exact };
  return !second ? [first] : [first, { isProved: second.status === "proved", ...second.exact }];
}

/** What of the claims is not so. A goal after one that is open may come to anything: what it is held to is no optimum. */
function wrongClaim(claims: readonly Claim[], least: Least): string | null {
  for (const [k, { isProved, value, bound }] of claims.entries()) {
    const best = least[k] as Rational;
    const what = `goal ${k + 1}, at best ${best}:`;
    if (bound !== null && Rational.parse(bound).compare(best) > 0) return `${what} bound ${bound}`;
    if (k === 0 && value !== null && Rational.parse(value).compare(best) < 0) return `${what} a plan of ${value}`;
    if (!isProved) return null;
    if (value === null || !Rational.parse(value).equals(best)) return `${what} proved ${value}`;
  }
  return null;
}
