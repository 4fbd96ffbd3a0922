import { expect, test } from "vitest";
import { Rational } from "../../../../../src/exact/rational.js";
import { BestBound } from "../../../../../src/problems/table-placement/solve/best-bound.js";
import { KnownPlans } from "../../../../../src/problems/table-placement/solve/known-plans.js";
import { linearForm, makeProgram } from "../../../../../src/program/program.js";
import { TimeBudget } from "../../../../../src/search/time/time-budget.js";

const { zero, one } = Rational;
const two = Rational.of(2n);

/** min x over 2x ≥ 3, x an integer from 0 to 5: 2. */
const program = makeProgram({
  columns: [{ name: "x", lower: zero, upper: Rational.of(5n), integer: true }],
  rows: [{ name: "r", form: linearForm([[0, two]]), lower: Rational.of(3n), upper: null }],
  objective: { form: linearForm([[0, one]]) },
});
const bounded = { program, name: "direct" as const, pointOf: () => [two] };
const plans = new KnownPlans(() => null);
const weak = { claim: one, steps: [{ bound: { r: "1/2" } }] };
const strong = { claim: two, steps: [{ bound: { r: "1/2" } }] };

test("a bound whose check is given up for want of time is not taken, and the one before it stands", () => {
  let now = 0;
  const best = new BestBound(
    bounded,
    plans,
    new TimeBudget(
      10,
      () => false,
      () => now,
    ),
  );
  best.offer(weak);
  now = 60_000;
  best.offer(strong);
  expect(best.value.toString()).toBe("1");
  expect(best.verdict([two], zero)).toMatchObject({ status: "feasible", bound: one });
});

test("who asks to stop has what was found checked all the same", () => {
  const best = new BestBound(bounded, plans, new TimeBudget(10, () => true));
  best.offer(weak);
  best.offer(strong);
  expect(best.verdict([two], zero)?.status).toBe("proved");
});

test("without a proof, or without a point beside a bound, there is no verdict", () => {
  const best = new BestBound(bounded, plans);
  expect(best.verdict([two], zero)).toBeNull();
  best.offer(strong);
  expect(best.verdict(null, zero)).toBeNull();
  // A false claim is not taken.
  best.offer({ claim: Rational.of(3n), steps: [{ bound: { r: "1/2" } }] });
  expect(best.value.toString()).toBe("2");
});
