import { expect, test } from "vitest";
import { readLp } from "../../src/program/lp/read.js";
import { solveExactly } from "../../src/search/exact-milp/solve-exactly.js";

/** Rows of a million million: HiGHS gave up on a node, and had no basis to give though it said so. */
const TEXT = `\\ shardproof scale obj 1/3
\\ shardproof scale r3 1/3
Maximize
 obj: -3 x0 - x1 - 6 x2 - 21 x3 + 6 x4 + 9 x5
Subject To
 r0: x0 - 1000000000000 x3 <= 0
 r1: x1 - 1000000000000 x4 <= 0
 r2: x2 - 1000000000000 x5 <= 0
 r3: 6 x0 + 3 x1 - 8 x2 + 6 x3 <= 72
 r4: 8 x0 - 8 x2 - 2 x3 - 3 x4 + 3 x5 >= 27
Bounds
 0 <= x0 <= 1000000000000
 0 <= x1 <= 5
 0 <= x2 <= 5
Binaries
 x3
 x4
 x5
End
`;

test("a node that HiGHS does not solve to its end has no basis, and the search goes on", async () => {
  const { verdict } = await solveExactly(readLp(TEXT));
  expect(verdict?.status).toBe("proved");
  expect(verdict?.gap?.sign()).toBe(0);
});

/** Weights and profits of 1e15, each odd: HiGHS's run for a basis after a cut ends with an error of its own. */
const KNAPSACK = `Maximize
 obj: 1000000000000005 x0 + 9000000000000003 x1 + 4000000000000007 x2 + 9000000000000008 x3 + 7000000000000000 x4
  + 3000000000000000 x5 + 6000000000000003 x6
Subject To
 r0: 1000000000000001 x0 + 1000000000000006 x1 + 7000000000000007 x2 + 6000000000000002 x3 + 3000000000000006 x4
  + 8000000000000006 x5 + 4000000000000005 x6 = 9000000000000008
Binaries
 x0 x1 x2 x3 x4 x5 x6
End
`;

test("where HiGHS's run for a basis ends with an error, the search goes on", async () => {
  const { verdict, point } = await solveExactly(readLp(KNAPSACK));
  expect(verdict?.status).toBe("proved");
  expect(point?.map(String)).toEqual(["0", "0", "0", "1", "1", "0", "0"]);
});
