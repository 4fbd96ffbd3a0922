import { planDigest } from "../../../src/plan-file/canonical-json.js";
import { writePlan } from "../../../src/plan-file/write-plan.js";
import type { PlanOptions } from "../../../src/problems/plan-options.js";
import type { Instance } from "../../../src/problems/planning/instances.js";
import { loadInstance } from "../../../src/problems/planning/instances.js";
import { planInstance } from "../../../src/problems/planning/plan.js";
import { verifyPlanText } from "../../../src/problems/planning/verify.js";
import type { Json, JsonObject } from "./plan-json.js";

/** A plan that verifies, and an instance to verify it against. */
export interface PlanSubject {
  readonly file: string;
  readonly instance: Instance;
  readonly plan: JsonObject;
}

/** A plan of every problem and of every kind of answer, each made within a second or two. */
export const PLANS: readonly (readonly [file: string, options?: PlanOptions])[] = [
  ["tiny/two-tiers"],
  ["tiny/three-tiers-channels"],
  ["tiny/latency"],
  ["tiny/two-tables-bytes"],
  ["tiny/infeasible"],
  ["tiny/one-node", { method: "flexshard-3tier" }],
  ["tiny/placement-given"],
  ["tiny/placement-second-goal"],
  ["tiny/placement-infeasible"],
  ["tiny/placement-lookup", { method: "lookup-greedy" }],
  ["tiny/towers-load"],
  ["tiny/towers-kmeans"],
  ["tiny/towers-size-ratio"],
  ["tiny/towers-no-sizes"],
  ["tiny/towers-pairwise", { method: "tp" }],
];

export const JOINT_PLANS: readonly (readonly [file: string, options?: PlanOptions])[] = [
  ["tiny/towers-joint-partly"],
  ["tiny/towers-joint-rows"],
  ["tiny/towers-joint-infeasible"],
];

const known = new Map<string, Promise<PlanSubject>>();

/** The subject of a file in `instances`, made once. Throws where its plan does not verify as it is. */
export function planSubject(name: string, options: PlanOptions = {}): Promise<PlanSubject> {
  const made = known.get(name) ?? make(`instances/${name}.yaml`, options);
  known.set(name, made);
  return made;
}

async function make(file: string, options: PlanOptions): Promise<PlanSubject> {
  const subject = await planSubjectOf(await loadInstance(file), file, options);
  const { passed, checks } = await verifyJson(subject, subject.plan);
  if (!passed) throw new Error(`${file}: the plan does not verify as it is: ${JSON.stringify(checks)}`);
  return subject;
}

/** A plan of an instance as JSON. */
export async function planSubjectOf(instance: Instance, file: string, options: PlanOptions = {}): Promise<PlanSubject> {
  const plan = await planInstance(instance, { gap: 0, timeLimitSeconds: 60, ...options });
  return { file, instance, plan: JSON.parse(JSON.stringify(plan)) as JsonObject };
}

/** Verifies a plan under a digest made anew. */
export function verifyJson({ instance }: PlanSubject, plan: Json) {
  const forged = { ...(plan as JsonObject) };
  forged.digest = planDigest(forged);
  return verifyPlanText(writePlan(forged), "forged.json", async () => instance);
}
