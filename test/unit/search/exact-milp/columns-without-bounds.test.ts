import { expect, test } from "vitest";
import { drawnProgram } from "../../../../bench/drawn-programs.js";
import { solveExactly } from "../../../../src/search/exact-milp/solve-exactly.js";

test.each([
  [16, 2218.782461722012],
  [19, 1595.4495272452823],
  [20, 2162.203703703704],
])(
  "beside continuous columns that nothing bounds, what doubles cut off is proved to be: mixed-%s",
  async (seed, optimum) => {
    const { verdict, nodes } = await solveExactly(drawnProgram("mixed", seed), {
      workSeconds: 20,
      timeLimitSeconds: 300,
    });
    expect(verdict?.status).toBe("proved");
    expect(verdict?.value?.toNumber()).toBeCloseTo(optimum, 9);
    // Halves of nodes that nothing closed were 20,000 and more.
    expect(nodes).toBeLessThan(500);
  },
);
