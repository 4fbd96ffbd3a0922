import { InputError } from "../../../src/errors/input-error.js";
import { Rational } from "../../../src/exact/rational.js";
import type { AimedForgery } from "./aimed-forgeries.js";
import { changedLeaves, type Json, type JsonObject, type Path, parsePath, valueAt, withValue } from "./plan-json.js";
import { type PlanSubject, verifyJson } from "./plan-subjects.js";

/** A plan file changed on purpose, and what became of it. */
export interface Forgery {
  readonly verdict: "refused" | "passed";
  readonly plan: JsonObject;
  readonly notChecked: readonly string[];
  /** Files that were verified on the way. */
  readonly checks: number;
}

/** Files that a forger hands in, each repaired by what was said of the one before. */
const MAX_REPAIRS = 4;

/**
 * Hands in a forged plan until it passes or nothing is left to repair: every field that the verifier would have otherwise, and
 * that the forger does not insist on, is given to it as it wants it, under a new digest.
 */
export async function forge(subject: PlanSubject, forged: JsonObject, insisted: readonly Path[]): Promise<Forgery> {
  let plan: Json = forged;
  for (let checks = 1; ; checks++) {
    const verification = await verifyJson(subject, plan).catch((error: unknown) => {
      if (error instanceof InputError) return null;
      throw error;
    });
    const differences = (verification?.differences ?? []).filter(({ path }) => path !== "digest");
    const refused = { verdict: "refused", plan: plan as JsonObject, notChecked: [], checks } as const;
    if (verification === null) return refused;
    if (verification.passed) return { ...refused, verdict: "passed", notChecked: notCheckedIn(verification) };
    const repairs = differences.filter(({ path }) => !insisted.some((own) => isWithin(parsePath(path), own)));
    if (checks === MAX_REPAIRS || repairs.length === 0) return refused;
    // From the end, so that what is taken out of a list moves nothing that is still to be repaired.
    for (const { path, expected } of repairs.toReversed())
      plan = withValue(plan, parsePath(path), expected as Json | undefined);
  }
}

/** The paths that a verifier lists as not checked. */
function notCheckedIn(verification: object): readonly string[] {
  const listed = (verification as { readonly notChecked?: readonly { readonly path: string }[] }).notChecked ?? [];
  return listed.map(({ path }) => path);
}

function isWithin(path: Path, folder: Path): boolean {
  return folder.every((key, k) => path[k] === key);
}

/** What a file says of itself: when, where, what was asked. */
const OWN_WORDS = /^(timing|digest|request|instance\.file)(\.|$)/;
/** What a proof is made of: another one may prove the same. */
const PROOF = /(^|\.)certificate(\.|$)/;
/** What was decided. Another decision may be as good; what is said of it then follows from it. */
const DECISION = /(^|\.)(runs|choices|numbering|towers|homes|chosen|ranks)(\.|$)/;

/** What a file may do without: a price or a placement in it was not looked for, or not found. */
const LEFT_OUT = ["prices", "infeasibility.relaxed"];

/**
 * Why a forged plan that passed must not have: what it answers is false by what the plan that it was made from proves; or it
 * keeps what the forger insisted on, or another number in a place that the forgery must not move, where the verifier does
 * not say that it did not look. (What was repaired is as the verifier itself has it.) `null` where nothing is wrong.
 */
export function lieIn(original: JsonObject, forgery: AimedForgery, { plan, notChecked }: Forgery): string | null {
  if (forgery.isNeverTrue === true) return "it passed";
  const falsehood = falseAnswer(original, plan);
  if (falsehood !== null) return falsehood;
  const left = LEFT_OUT.filter((path) => valueAt(plan, parsePath(path)) === null);
  const folders = [...notChecked, ...left].map(parsePath);
  const unseen = changedLeaves(original, plan).find((path) => {
    const name = path.join(".");
    const isKept = forgery.insisted.some((own) => isWithin(path, own)) && !PROOF.test(name) && !DECISION.test(name);
    const isMoved = forgery.unmoved?.some((own) => isWithin(path, own)) === true;
    return (isKept || isMoved) && !OWN_WORDS.test(name) && !folders.some((folder) => isWithin(path, folder));
  });
  return unseen === undefined ? null : `${unseen.join(".")} is ${JSON.stringify(valueAt(plan, unseen))}`;
}

/** Where the answer contradicts a plan proved with a gap of zero. */
function falseAnswer(original: JsonObject, plan: JsonObject): string | null {
  if (original.status !== "proved") {
    // That nothing is known is true of whatever there is.
    const turned = original.status === "infeasible" && plan.status !== "infeasible" && plan.status !== "unknown";
    return turned ? `it is ${plan.status}, and infeasible in truth` : null;
  }
  if (plan.status === "infeasible") return "it is infeasible, and feasible in truth";
  for (const path of [["exact"], ["joint", "seconds", "exact"]]) {
    const [truth, value, bound] = [
      numberAt(original, [...path, "value"]),
      numberAt(plan, [...path, "value"]),
      numberAt(plan, [...path, "bound"]),
    ];
    // Of a joint choice the partition is that of the chosen number of towers: its own value is compared with no other's.
    if (truth === null || (path.length === 1 && original.joint !== undefined)) continue;
    if (bound !== null && bound.compare(truth) > 0) return `the bound is ${bound}, the optimum ${truth}`;
    if (plan.status !== "proved" || value === null) continue;
    const gap = Rational.fromNumber(Number(valueAt(plan, ["request", "gap"]) ?? 0));
    const excess = value.subtract(truth);
    if (excess.compare(gap.multiply(value.absolute())) > 0) return `${value} is proved, the optimum is ${truth}`;
  }
  return null;
}

function numberAt(plan: JsonObject, path: Path): Rational | null {
  const text = valueAt(plan, path);
  return typeof text === "string" ? Rational.parse(text) : null;
}
