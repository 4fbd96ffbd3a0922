import { expect, test } from "vitest";
import { drawsOf } from "../support/draws.js";
import { aimedForgeries } from "./attack/aimed-forgeries.js";
import { forgedJoint } from "./attack/joint-forgery.js";
import { JOINT_PLANS, PLANS, planSubject } from "./attack/plan-subjects.js";
import { joint, plans, tryForgery } from "./attack/plans.js";
import { type Attack, Tally } from "./attack/tally.js";

test.each([...PLANS, ...JOINT_PLANS].map(([file, options]) => ({ file, options })))(
  "$file: what is forged on purpose is refused, or listed as not checked",
  { timeout: 300_000 },
  async ({ file, options }) => {
    const subject = await planSubject(file, options);
    const tally = new Tally();
    for (const forgery of await aimedForgeries(subject)) await tryForgery(subject, forgery, tally, "aimed");
    expect(tally.faults).toEqual([]);
    expect(tally.of("forgeries refused")).toBeGreaterThan(2);
  },
);

test("a joint plan that leaves the best number of towers out is refused", { timeout: 300_000 }, async () => {
  const { subject, forgery } = await forgedJoint();
  expect(subject.plan.status).toBe("proved");
  const tally = new Tally();
  await tryForgery(subject, forgery, tally, "aimed");
  expect(tally.faults).toEqual([]);
});

test.each<Attack>([plans, joint])(
  "$name: changes at random, and all that follows from them",
  { timeout: 300_000 },
  async ({ round }) => {
    const tally = new Tally();
    const draws = drawsOf(119, 1);
    for (const seed of draws.seeds) await round(seed, tally);
    expect(tally.faults).toEqual([]);
    expect(tally.of("forgeries refused")).toBeGreaterThan(draws.atLeast(50));
  },
);
