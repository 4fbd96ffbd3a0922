import { type Draw, drawFrom } from "../oracle/draw.js";
import { type AimedForgery, aimedForgeries } from "./aimed-forgeries.js";
import { forge, lieIn } from "./forge.js";
import { forgedJoint } from "./joint-forgery.js";
import { type Json, type JsonObject, leavesOf, type Path, valueAt, withValue } from "./plan-json.js";
import { JOINT_PLANS, PLANS, type PlanSubject, planSubject } from "./plan-subjects.js";
import type { Attack, Tally } from "./tally.js";

/** Plans of all problems, a field or a list changed at random, or several on purpose, and all that depends on them. */
export const plans: Attack = { name: "plans", round: (seed, tally) => attackOneOf(PLANS, seed, tally) };

/** The same of plans of a joint choice; and one in which a number of towers is left out. */
export const joint: Attack = {
  name: "joint",
  async round(seed, tally) {
    if (seed % 50 !== 0) return attackOneOf(JOINT_PLANS, seed, tally);
    const { subject, forgery } = await forgedJoint();
    await tryForgery(subject, forgery, tally, `seed ${seed}`);
  },
};

async function attackOneOf(files: typeof PLANS, seed: number, tally: Tally): Promise<void> {
  const draw = drawFrom(seed);
  const subject = await planSubject(...draw.of(files));
  const aimed = draw.oneIn(3) ? await aimedForgeries(subject) : [];
  await tryForgery(
    subject,
    aimed.length > 0 ? draw.of(aimed) : drawnForgery(draw, subject.plan),
    tally,
    `seed ${seed}`,
  );
}

/** Hands a forgery in, and tells the tally what came of it. */
export async function tryForgery(
  subject: PlanSubject,
  forgery: AimedForgery,
  tally: Tally,
  where: string,
): Promise<void> {
  const { name, plan, insisted } = forgery;
  const outcome = await forge(subject, plan, insisted);
  tally.add("files verified", outcome.checks);
  tally.add(`forgeries ${outcome.verdict}`);
  if (outcome.verdict === "refused") return;
  const lie = lieIn(subject.plan, forgery, outcome);
  if (lie !== null) tally.fault(`${where}, ${subject.file}, ${name}: ${lie}`);
}

/** One value, or one list, changed. */
function drawnForgery(draw: Draw, plan: JsonObject): AimedForgery {
  const { path } = draw.of(leavesOf(plan));
  const at = draw.oneIn(3) && path.length > 1 ? path.slice(0, draw.int(1, path.length - 1)) : path;
  const value = valueAt(plan, at) as Json;
  const changed = changeOf(draw, value, plan);
  return { name: `${at.join(".")} changed`, plan: withValue(plan, at, changed) as JsonObject, insisted: [at as Path] };
}

function changeOf(draw: Draw, value: Json, plan: JsonObject): Json {
  if (Array.isArray(value) && value.length > 0) {
    const at = draw.int(0, value.length - 1);
    return draw.of([value.toSpliced(at, 1), [...value, value[at] as Json], draw.shuffled(value), []]);
  }
  if (typeof value === "number")
    return draw.of([value + 1, value - 1, -value, 0, value * (1 + 1e-9), value * 2, 1e300]);
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return draw.of<Json>([null, 0, "", 1, "proved"]);
  if (/^-?\d+(\/\d+)?$/.test(value)) return draw.of([`${value}1`, `-${value}`, "0", "1", "1/3", `${value}7/8`]);
  const words = leavesOf(plan).flatMap((leaf) => (typeof leaf.value === "string" ? [leaf.value] : []));
  return draw.of([...["proved", "feasible", "infeasible", "unknown", "heuristic"], draw.of(words), `${value}'`]);
}
