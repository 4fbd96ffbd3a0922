import { describe, expect, test } from "vitest";
import { aggregatedProgram } from "../../models/table-placement/aggregated-program.js";
import { directProgram } from "../../models/table-placement/direct-program.js";
import { placementModel } from "../../models/table-placement/from-instance.js";
import type { PlacementProblem } from "../../models/table-placement/problem.js";
import { plan, tablePlacement, verify } from "../../src/index.js";
import { baseModel } from "../../src/problems/table-placement/solve/base-tree/base-model.js";
import { distinctOptions } from "../../src/problems/table-placement/solve/bounds/reduction.js";
import { AggregatedSearch } from "../../src/problems/table-placement/solve/large/base-range.js";
import { evaluate } from "../../src/program/evaluate.js";
import { checkCertificate } from "../../src/proof/check.js";
import { bestPlacement } from "../support/tiny-placement.js";
import { certificateOf } from "../unit/proof/side-conditions/false-proof.js";

// A host's base was counted up to an upper bound that went through a double. Costs that need more than 53 bits together, beside options
// that cost nothing but do not fit, rounded it down: the program left out the placements with the largest base. An optimum of 3.05 was
// proved where 2.6 is one, no plan was found where there is one alone, and a bound above a plan ended in an internal error.

const NOTHING_BUT_TOO_LARGE = (cost: number) => option("table_wise", "big", "device", 1, cost, 50);

function option(shardingType: string, kernel: string, partitionBy: string, count: number, cost: number, bytes: number) {
  return { shardingType, kernel, partitionBy, shards: [[count, { cost, hbmBytes: bytes }]] };
}

/** Two tables that are row-wise over all devices, at these costs, or one large shard each at a cost of its own. */
function instanceOf(nodes: number, rowWise: readonly [number, number], whole: number, others: readonly object[] = []) {
  const devices = 2 * nodes;
  const tables = rowWise.map((cost, t) => ({
    name: `t${t}`,
    options: [
      option("row_wise", "fused", "uniform", devices, cost, 1),
      NOTHING_BUT_TOO_LARGE(whole),
      ...(t === 0 ? others : []),
    ],
  }));
  const cluster = { nodes, gpusPerNode: 2, hbmBytesPerGpu: 10 };
  return tablePlacement({ name: "base", costModel: "options", cluster, tables } as never);
}

const CASES = {
  "a dearer plan is not proved": { optimum: 2.6, instance: () => instanceOf(2, [0.3, 2.3], 0, [CHEAP_ON_ONE]) },
  "the only plan is found": { optimum: 0.7 + 0.1, instance: () => instanceOf(1, [0.7, 0.1], 0) },
  "the only plan of two hosts is found": { optimum: 0.2 + 0.1, instance: () => instanceOf(2, [0.2, 0.1], 1e-18) },
};
const CHEAP_ON_ONE = option("table_wise", "fused", "device", 1, 0.75, 9);

describe.each(Object.entries(CASES))("%s", (_, { optimum, instance }) => {
  const problem = (): PlacementProblem => placementModel(instance()).problem;

  test("it is proved, and verifies", { timeout: 60_000 }, async () => {
    const made = await plan(instance(), { gap: 0, timeLimitSeconds: 20 });
    expect(made.status).toBe("proved");
    expect(made.objective.value).toBeCloseTo(optimum, 12);
    expect(made.objective.bound).toBeCloseTo(optimum, 12);
    expect((await verify(made, { instance: instance() })).passed).toBe(true);
  });

  test("its placement is a point of every program with a base", () => {
    const placement = bestPlacement(problem())?.placement;
    if (placement === undefined) throw new Error("there is a placement");
    for (const { program, pointOf } of [directProgram(problem()), aggregatedProgram(problem())]) {
      expect(evaluate(program, pointOf(placement)).violations).toEqual([]);
    }
  });

  test("it is not shown that there is none", () => {
    const { program } = directProgram(problem());
    const steps = [{ propagate: {} }, { propagate: {} }, { infeasible: {} }];
    expect(() => checkCertificate(program, certificateOf(program, null, steps))).toThrow("do not show");
  });
});

test("steps of a base that are more units than doubles count are as long as they are", () => {
  const { problem } = placementModel(instanceOf(2, [1e12, 1e-300], 0, [CHEAP_ON_ONE]));
  const direct = directProgram(problem);
  const model = baseModel(problem, direct, distinctOptions(problem), 1e12);
  const scaled = model?.hosts.flatMap(({ load: { step, rest } }) => [step, rest]) ?? [];
  expect(scaled.length).toBeGreaterThan(0);
  // Before: 0 times infinity.
  for (const share of scaled) expect(share).toBeLessThan(1);
  expect(new AggregatedSearch(problem, aggregatedProgram(problem)).step).toBeLessThan(1e12);
});
