import { expect, test } from "vitest";
import { readLp } from "../../../src/program/lp/read.js";
import { solveExactly } from "../../../src/search/exact-milp/solve-exactly.js";

/** Market split: equations over binaries that branch and bound does not settle in the time given. */
const weights = (row: number) => Array.from({ length: 40 }, (_, j) => (((j + 3) * (row + 5) * 7919) % 97) + 2);
const MODEL = readLp(
  `Minimize
 obj: x0
Subject To
${[0, 1, 2, 3]
  .map((row) => {
    const terms = weights(row);
    const half = Math.floor(terms.reduce((sum, weight) => sum + weight, 0) / 2);
    return ` r${row}: ${terms.map((weight, j) => `${weight} x${j}`).join(" + ")} = ${half}`;
  })
  .join("\n")}
Binaries
 ${weights(0)
   .map((_, j) => `x${j}`)
   .join(" ")}
End
`,
  "split.lp",
);

test.each([
  { solver: undefined, timeLimitSeconds: 3, asked: ["highs"] },
  { solver: "highs", timeLimitSeconds: 3, asked: ["highs"] },
  // Short limits leave no time to compare two solvers.
  { solver: "glpk", timeLimitSeconds: 8, asked: ["glpk", "highs"] },
])(
  "of a program that is not settled, nobody is asked but HiGHS and who was named: $solver",
  async ({ solver, timeLimitSeconds, asked }) => {
    const solution = await solveExactly(MODEL, { timeLimitSeconds, ...(solver === undefined ? {} : { solver }) });
    expect(solution.verdict?.status).not.toBe("proved");
    expect(solution.asked.map((answer) => answer.solver)).toEqual(asked);
  },
);
