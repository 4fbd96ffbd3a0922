import { expect, test } from "vitest";
import { TimeBudget } from "../../../../src/search/time/time-budget.js";
import { secondsLeft } from "../../../../src/search/time/time-limit.js";
import { TimeShares } from "../../../../src/search/time/time-shares.js";

/** A budget of 100 seconds, and what moves its clock. */
function budgetOf(shouldStop?: () => boolean) {
  let milliseconds = 5000;
  const budget = new TimeBudget(100, shouldStop, () => milliseconds);
  const pass = (seconds: number) => {
    milliseconds += 1000 * seconds;
  };
  return { budget, pass };
}

test("a search ends while there still is the time to check what it has proved", () => {
  const { budget, pass } = budgetOf();
  pass(40);
  expect(budget.affordsChecking(40_000)).toBe(true);
  expect(budget.affordsChecking(50_000)).toBe(false);
  expect(budget.affordsChecking(40_000, 20)).toBe(false);
  pass(61);
  expect(budget.affordsChecking(0)).toBe(false);
});

test("a check shows how far estimates can be trusted; one of a moment shows nothing", () => {
  const { budget } = budgetOf();
  expect(budget.affordsChecking(40_000)).toBe(true);
  budget.hasChecked(10, 5);
  expect(budget.affordsChecking(40_000)).toBe(true);
  budget.hasChecked(1000, 3);
  expect(budget.affordsChecking(40_000)).toBe(false);
  // Estimates are never cut.
  budget.hasChecked(1000, 0.1);
  expect(budget.affordsChecking(99_000)).toBe(true);
  expect(budget.affordsChecking(101_000)).toBe(false);
});

test("a check may end a little after the limit, is given up then, and is not given up when somebody asks to stop", () => {
  const { budget, pass } = budgetOf(() => true);
  pass(104);
  expect(budget.checked((checkTime) => [checkTime()])).toEqual([undefined]);
  pass(2);
  expect(budget.checked((checkTime) => [checkTime()])).toBeNull();
  const fail = () => {
    throw new RangeError("other");
  };
  expect(() => budget.checked(fail)).toThrow("other");
});

test("a budget within another's work does not swallow that one's end", () => {
  const outer = budgetOf();
  const inner = budgetOf();
  outer.pass(200);
  const found = outer.budget.checked((checkTime) => {
    inner.budget.checked(() => [checkTime()]);
    return ["not to be reached"];
  });
  expect(found).toBeNull();
});

test("of a limit there is left what the call and reading have not used, and a moment at least", () => {
  expect(secondsLeft({})).toBe(60);
  expect(secondsLeft({ timeLimitSeconds: 10, spentSeconds: 3 }, 2)).toBe(5);
  expect(secondsLeft({ timeLimitSeconds: 1, spentSeconds: 3 })).toBeGreaterThan(0);
});

test("a solver that is asked shares the limit with the search", () => {
  expect(TimeShares.ofSearch(60, false).next()).toBeCloseTo(60, 0);
  const shares = TimeShares.ofSearch(60, true);
  expect(shares.next()).toBeCloseTo(40, 0);
  // No time has passed: what the search left over is the solver's too.
  expect(shares.next()).toBeCloseTo(60, 0);
});
