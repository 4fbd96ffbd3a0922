import { describe, expect, test } from "vitest";
import {
  type Answer,
  answerIn,
  besideBound,
  isOptimalToo,
  methodName,
  standingOf,
  standingWords,
  valueWords,
} from "../../../src/text/optimality.js";
import { plainText, quantity } from "../../../src/text/said.js";

const FORBIDDEN = /optimal|no plan is better/;
const TEXTS = { value: "12 ms", bound: "8.5 ms", optimum: "no plan is better than 8.5 ms" };

/** An answer of value 12 and bound 8.5, unless told otherwise. */
function answer(change: Partial<Answer> = {}): Answer {
  return {
    status: "proved",
    method: "optimal",
    exact: { value: "12", bound: "17/2" },
    objective: { value: 12, bound: 8.5, gap: 3.5 / 12 },
    ...change,
  };
}

function said(one: Answer): string {
  return plainText(valueWords(one, TEXTS));
}

describe("what may be said of an answer", () => {
  test("optimal only where the exact value is the exact bound", () => {
    const equal = answer({ exact: { value: "17/2", bound: "17/2" }, objective: { value: 8.5, bound: 8.5, gap: 0 } });
    expect(standingOf(equal)).toBe("optimal");
    expect(standingWords(equal)).toBe("proved optimal");
    expect(said(equal)).toBe("no plan is better than 8.5 ms");
  });

  test("not where doubles alone are equal", () => {
    const hair = answer({
      exact: { value: "1", bound: "99999999999999999999/100000000000000000000" },
      objective: { value: 1, bound: 1, gap: 1e-20 },
    });
    expect(standingOf(hair)).toBe("within");
    expect(standingWords(hair)).toBe("within 1.1e-18 % of the optimum, proved");
    expect(said(hair)).not.toMatch(FORBIDDEN);
  });

  test("not where the file says proved and has no exact numbers", () => {
    const bare = answer({ exact: { value: null, bound: null }, objective: { value: 1, bound: 1, gap: 0 } });
    expect(standingOf(bare)).toBe("within");
  });

  test("not where value and bound are equal and nothing is called proved", () => {
    const exact = { value: "12", bound: "12" };
    for (const status of ["feasible", "unknown", "heuristic", "no-such-status"]) {
      expect(said(answer({ status, exact, objective: { value: 12, bound: 12, gap: 0 } }))).not.toMatch(FORBIDDEN);
    }
  });

  test("within an asked gap, in per cent of the optimum and not of the value", () => {
    // 12 is 41.2 % above 8.5, which is 29.2 % below 12.
    expect(standingWords(answer())).toBe("within 41.2 % of the optimum, proved");
    expect(said(answer())).toBe("within 41.2 % of the optimum, proved bound 8.5 ms");
  });

  test("the default gap stays readable, and is rounded up", () => {
    const near = answer({ exact: { value: "1", bound: "0" }, objective: { value: 1, bound: 1 - 1e-10, gap: 1e-10 } });
    expect(standingWords(near)).toBe("within 1.1e-8 % of the optimum, proved");
    const rough = answer({ objective: { value: 1, bound: 0.95, gap: 0.05 } });
    expect(standingWords(rough)).toBe("within 5.3 % of the optimum, proved");
    const small = answer({ objective: { value: 1, bound: 0.9996, gap: 0.0004 } });
    expect(standingWords(small)).toBe("within 0.041 % of the optimum, proved");
  });

  test("a plan that is not proved to the gap is the best found", () => {
    const open = answer({ status: "feasible" });
    expect(standingWords(open)).toBe("best found, not proved to the gap");
    expect(said(open)).toBe("best found, at most 41.2 % above the optimum, proved bound 8.5 ms");
    const unbounded = answer({
      status: "unknown",
      exact: { value: "12", bound: null },
      objective: { value: 12, bound: null, gap: null },
    });
    expect(standingWords(unbounded)).toBe("best found, no bound proved");
    expect(said(unbounded)).toBe("best found, no bound proved");
  });

  test("a value that is the bound is not proved where something else is open", () => {
    const exact = { value: "12", bound: "12" };
    const open = answer({ status: "feasible", exact, objective: { value: 12, bound: 12, gap: 0 } });
    expect(said(open)).toBe("best found, proved bound 8.5 ms");
  });

  test("a maximum's value is below", () => {
    const open = answer({ status: "feasible", objective: { value: 10, bound: 12, gap: 0.2 } });
    const texts = { value: "10", bound: "12", optimum: "no point is better than 12", worse: "below" } as const;
    expect(plainText(valueWords(open, texts))).toBe("best found, at most 16.7 % below the optimum, proved bound 12");
  });

  test("a minimum below 0 is measured by its bound too", () => {
    const negative = answer({ objective: { value: -5, bound: -6, gap: 0.2 } });
    expect(standingWords(negative)).toBe("within 16.7 % of the optimum, proved");
  });

  test.each([
    ["a bound on the other side of 0", { value: 12, bound: -1, gap: 13 / 12 }],
    ["a bound of 0", { value: 12, bound: 0, gap: 1 }],
    ["a value of 0", { value: 0, bound: -1, gap: 1 }],
    ["numbers beyond doubles", { value: "1e400", bound: 3, gap: 1 }],
    ["an absurd gap", { value: 12, bound: -1e300, gap: 1e300 }],
  ])("%s has no percentage", (_, objective) => {
    expect(standingWords(answer({ objective }))).toBe("proved to the gap");
    expect(said(answer({ objective }))).toBe("the optimum is between 8.5 ms and 12 ms");
    expect(said(answer({ status: "feasible", objective }))).toBe("best found, the optimum is between 8.5 ms and 12 ms");
  });

  test("a method's plan has its name", () => {
    const greedy = answer({ status: "heuristic", method: "dim-greedy", exact: { value: "12", bound: null } });
    expect(standingWords(greedy)).toBe("by dim-greedy, no bound asked for");
  });

  test("no value: nothing is said of one", () => {
    const none = { exact: { value: null, bound: null }, objective: { value: null, bound: null, gap: null } };
    expect(standingWords(answer({ status: "infeasible", ...none }))).toBe("proved infeasible");
    expect(standingWords(answer({ status: "unknown", ...none }))).toBe("nothing found, nothing proved");
    expect(standingWords(answer({ status: "proved", ...none }))).toBe("nothing found, nothing proved");
  });

  test("numbers of the file are pieces of their own", () => {
    const bound = quantity("objective.bound", 8.5, "8.5 ms");
    expect(valueWords(answer({ status: "feasible" }), { ...TEXTS, bound })).toContainEqual(bound);
  });
});

describe("what a file answers", () => {
  const closed = { value: "3", bound: "3" };
  const open = { value: "3", bound: "2" };
  const gapless = { exact: closed, objective: { value: 3, bound: 3, gap: 0 } };

  test("a second goal with a gap keeps the first from being called optimal", () => {
    expect(standingOf(answerIn({ ...answer(gapless), second: { exact: closed } }))).toBe("optimal");
    const half = answerIn({ ...answer(gapless), second: { exact: open } });
    expect(standingWords(half)).toBe("proved to the gap");
    expect(said(half)).toBe("proved to the gap, proved bound 8.5 ms");
  });

  test("of towers with tables the seconds decide, and all partitions that may be chosen", () => {
    const seconds = { value: 3, bound: 2, gap: 1 / 3, exact: open };
    const row = (status: string, exact = closed) => ({ status, partition: { exact } });
    const joint = (own: typeof seconds, rows: ReturnType<typeof row>[]) =>
      standingWords(answerIn({ ...answer(gapless), joint: { seconds: own, rows } }));
    expect(joint(seconds, [row("proved")])).toBe("within 50.1 % of the optimum, proved");
    const equal = { value: 3, bound: 3, gap: 0, exact: closed };
    expect(joint(equal, [row("proved"), row("infeasible", open)])).toBe("proved optimal");
    expect(joint(equal, [row("proved"), row("proved", open)])).toBe("proved to the gap");
  });
});

describe("a method beside the bound", () => {
  test("optimal too where it is the bound, and nowhere near it", () => {
    expect(besideBound(0)).toBe("optimal too");
    expect(isOptimalToo(Number.MIN_VALUE)).toBe(false);
    expect(besideBound(1e-12)).toBe("1.0e-10 % above the bound");
    expect(besideBound(0.069)).toBe("6.9 % above the bound");
    expect(besideBound(8.5)).toBe("850.0 % above the bound");
    expect(besideBound(118.708)).toBe("120 times the bound");
  });

  test("nothing where there is no share of the bound", () => {
    expect(besideBound(null)).toBeNull();
    expect(besideBound(-0.5)).toBeNull();
  });
});

test("the exact method is not called optimal", () => {
  expect(methodName("optimal")).toBe("exact");
  expect(methodName("dim-greedy")).toBe("dim-greedy");
});
