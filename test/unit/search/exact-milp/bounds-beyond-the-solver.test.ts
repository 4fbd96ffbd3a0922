import { expect, test } from "vitest";
import { readLp } from "../../../../src/program/lp/read.js";
import { solveExactly } from "../../../../src/search/exact-milp/solve-exactly.js";

// Propagation raises a and b in turn for ever: soon beyond what HiGHS takes for an infinity and refuses as a lower bound.
const RISING = `Maximize
 obj: 5 a - 2 b
Subject To
 r0: -5 c - 4 a + 0.5 b >= -2
 r1: c - 0.5 a + 5 b <= 4
 r2: 3 a - 2 b >= 10
 r3: 2 b >= -6
Bounds
 c <= 2
 b free
Generals
 a b c
End
`;

test("bounds that the solver does not take are left to exact arithmetic", async () => {
  const { verdict } = await solveExactly(readLp(RISING, "rising.lp"), { timeLimitSeconds: 10 });
  expect(verdict?.status).toBe("infeasible");
});
