import type { PlanRequest } from "../plan/row-tiers/plan-file.js";
import { Refusal } from "./refusal.js";

/** What a plan says it was asked for, if that can be. Throws {@link Refusal} where not. */
export function checkRequest(request: PlanRequest): PlanRequest {
  const { gap, timeLimitSeconds, seed } = request;
  if (!(gap >= 0 && timeLimitSeconds > 0 && Number.isSafeInteger(seed) && seed >= 0)) {
    throw new Refusal("request", `no request has ${JSON.stringify(request)}`);
  }
  return request;
}
