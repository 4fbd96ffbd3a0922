import type { Instance } from "../../../src/problems/planning/instances.js";
import { type Json, type JsonObject, leavesOf, type Path, valueAt, withValue } from "./plan-json.js";
import { type PlanSubject, planSubjectOf } from "./plan-subjects.js";

/** A plan with something in it on purpose; all but `insisted` may be repaired. */
export interface AimedForgery {
  readonly name: string;
  readonly plan: JsonObject;
  readonly insisted: readonly Path[];
  /** What is there must stay as it was, although the verifier computes it. */
  readonly unmoved?: readonly Path[];
  /** Nothing that keeps what is insisted on can be true. */
  readonly isNeverTrue?: boolean;
}

const known = new WeakMap<PlanSubject, Promise<readonly AimedForgery[]>>();

/** What somebody would try who knows the format, wherever the plan has a place for it. */
export function aimedForgeries(subject: PlanSubject): Promise<readonly AimedForgery[]> {
  const made = known.get(subject) ?? make(subject);
  known.set(subject, made);
  return made;
}

async function make(subject: PlanSubject): Promise<readonly AimedForgery[]> {
  const { plan } = subject;
  const harder = await harderCertificate(subject);
  return [
    ...rowsDropped(plan),
    ...statusesSwapped(plan),
    ...baselinesForged(plan),
    ...idleSteps(plan),
    ...uncertified(plan),
    ...(harder === null ? [] : [harder]),
  ];
}

/** An element of every list left out. */
function rowsDropped(plan: JsonObject): AimedForgery[] {
  const lists = new Set(
    leavesOf(plan).flatMap(({ path }) =>
      path.flatMap((key, k) => (typeof key === "number" ? [path.slice(0, k).join("\n")] : [])),
    ),
  );
  return [...lists].flatMap((text) => {
    const path = pathOf(plan, text);
    const list = valueAt(plan, path);
    if (!Array.isArray(list) || list.length < 2 || path.includes("certificate")) return [];
    return [0, list.length - 1].map((at) => ({
      name: `${path.join(".")} without element ${at}`,
      plan: withValue(plan, path, list.toSpliced(at, 1)) as JsonObject,
      insisted: [path],
    }));
  });
}

function pathOf(plan: JsonObject, text: string): Path {
  let at: Json | undefined = plan;
  return text.split("\n").map((key) => {
    const own = Array.isArray(at) ? Number(key) : key;
    at = valueAt(at as Json, [own]);
    return own;
  });
}

/** Every status turned into every other. */
function statusesSwapped(plan: JsonObject): AimedForgery[] {
  return leavesOf(plan).flatMap(({ path, value }) => {
    if (path.at(-1) !== "status") return [];
    const others = ["proved", "feasible", "infeasible", "unknown"].filter((status) => status !== value);
    return others.map((status) => ({
      name: `${path.join(".")} is ${status}`,
      plan: withValue(plan, path, status) as JsonObject,
      insisted: [path],
    }));
  });
}

/** A baseline under another name, with what another one found, or none at all. */
function baselinesForged(plan: JsonObject): AimedForgery[] {
  const { baseline } = plan;
  if (!Array.isArray(baseline) || baseline.length === 0) return [];
  const methods = baseline.map((one) => (one as JsonObject).method as string);
  const renamed = ["no-such-method", "<script>alert(1)</script>", ...methods.slice(1)].map((method) => ({
    name: `the first baseline called ${method}`,
    plan: withValue(plan, ["baseline", 0, "method"], method) as JsonObject,
    insisted: [["baseline", 0, "method"]] as const,
  }));
  const exchanged = baseline.slice(1).map((other, k) => ({
    name: `the first baseline with what ${methods[k + 1]} found`,
    plan: withValue(plan, ["baseline", 0], { ...(other as JsonObject), method: methods[0] as string }) as JsonObject,
    insisted: [["baseline", 0]] as const,
  }));
  const none = { name: "no baselines", plan: { ...plan, baseline: [] }, insisted: [["baseline"]] as const };
  return [...renamed, ...exchanged, none];
}

/** Steps before the proof that are sound and decide nothing: prices must not come from them. */
function idleSteps(plan: JsonObject): AimedForgery[] {
  const steps = valueAt(plan, ["certificate", "steps"]);
  if (!Array.isArray(steps) || plan.problem !== "row-tiers") return [];
  return ["-1", "-1000000000", "0"].map((price) => ({
    name: `a step without effect at the price ${price}`,
    plan: withValue(plan, ["certificate", "steps"], [{ fix: { memory: price } }, ...steps]) as JsonObject,
    insisted: [["certificate"]],
    unmoved: [["prices"]],
  }));
}

/** A certificate left out, and the words beside it kept. */
function uncertified(plan: JsonObject): AimedForgery[] {
  const paths = new Set(
    leavesOf(plan).flatMap(({ path }) =>
      path.includes("certificate") ? [path.slice(0, path.indexOf("certificate") + 1).join("\n")] : [],
    ),
  );
  return [...paths].flatMap((text) => {
    const path = pathOf(plan, text);
    // A heuristic's plan has none.
    if (valueAt(plan, path) === null) return [];
    const status = [...path.slice(0, -1), "status"];
    const forged = withValue(plan, path, null) as JsonObject;
    const insisted = [path, ["status"], status];
    return [{ name: `${path.join(".")} left out`, plan: forged, insisted, isNeverTrue: true }];
  });
}

/** The plan of an instance with less room as one of this instance, its certificate under this program's hash. */
async function harderCertificate(subject: PlanSubject): Promise<AimedForgery | null> {
  const tighter = withLessRoom(subject.instance);
  if (tighter === null) return null;
  const other = await planSubjectOf(tighter, subject.file).catch(() => null);
  if (other === null || other.plan.status !== "proved") return null;
  const hash = valueAt(subject.plan, ["certificate", "program"]) as Json;
  const plan = withValue({ ...other.plan, instance: subject.plan.instance as Json }, ["certificate", "program"], hash);
  return {
    name: "the plan of an instance with less room",
    plan: plan as JsonObject,
    insisted: [["certificate"], ["status"]],
  };
}

function withLessRoom(instance: Instance): Instance | null {
  if (instance.problem === "row-tiers") {
    const { budget } = instance;
    return budget.kind === "bytesPerGpu" ? { ...instance, budget: { ...budget, bytes: budget.bytes * 0.8 } } : null;
  }
  if (instance.problem === "tower-partition") {
    return instance.sizeRatio > 1 ? { ...instance, sizeRatio: 1 } : null;
  }
  return null;
}
