import { expect, test } from "vitest";
import { evaluatePlacement } from "../../models/table-placement/evaluate.js";
import { placementProblem } from "../../models/table-placement/from-instance.js";
import type { Placement, PlacementProblem } from "../../models/table-placement/problem.js";
import { Rational } from "../../src/exact/rational.js";
import { requireInstance } from "../../src/instance/reader.js";
import { parseInstance } from "../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../src/problems/table-placement/instance/reader.js";
import { solvePlacement } from "../../src/problems/table-placement/solve/solve.js";
import type { Verdict } from "../../src/proof/verdict.js";
import { type RecordedPlacement, recordedPlacements } from "../conformance/torchrec/recorded.js";
import { recordedPlacementRun } from "../conformance/torchrec/recorded-plans.js";

/** What was recorded beside the problems of fixtures/placement.json: the best plan known, and a bound of a solver's. */
interface RecordedOptimum {
  readonly status: "optimal" | "infeasible" | "time_limit";
  readonly objective?: number;
  readonly bound?: number;
}

const optima = new Map(
  (recordedPlacements as readonly (RecordedPlacement & { readonly optimum: RecordedOptimum })[]).map(
    ({ id, optimum }) => [id, optimum],
  ),
);

async function solved(problem: PlacementProblem, timeLimitSeconds: number): Promise<Verdict> {
  const { verdict, placement } = await solvePlacement(problem, {
    gap: Rational.parse("1e-9"),
    timeLimitSeconds,
    seed: 0,
  });
  if (placement !== null) expectPlacement(problem, placement, verdict as Verdict);
  return verdict as Verdict;
}

function expectPlacement(problem: PlacementProblem, placement: Placement, { value }: Verdict): void {
  const { largest, violations } = evaluatePlacement(problem, placement);
  expect(violations).toEqual([]);
  expect(largest.toNumber()).toBe((value as Rational).toNumber());
}

const provable = [...optima].filter(([, { status }]) => status === "optimal").map(([id]) => id);

test("six problems have a known optimum, one is infeasible, one open", () => {
  expect(provable).toHaveLength(6);
  expect(optima.get("pack_truly_infeasible")?.status).toBe("infeasible");
  expect(optima.get("scale_40x16")?.status).toBe("time_limit");
});

// pack_feasible_missed among them, of which TorchRec's planner says that there is no plan.
test.each(provable)("%s: the recorded optimum is reached and proved", async (id) => {
  const { status, value } = await solved(recordedPlacementRun(id).problem, 40);
  expect(status).toBe("proved");
  expectOptimum(id, value);
});

function expectOptimum(id: string, value: Rational | null): void {
  const recorded = optima.get(id)?.objective as number;
  // The recorded sums are in another order.
  expect(Math.abs((value as Rational).toNumber() / recorded - 1)).toBeLessThan(1e-9);
}

test("pack_truly_infeasible: proved infeasible", async () => {
  const { status } = await solved(recordedPlacementRun("pack_truly_infeasible").problem, 30);
  expect(status).toBe("infeasible");
});

test("scale_40x16: within a small proved gap, and no bound contradicts the other", async () => {
  const { topology, batch_size, devices, tables } = recordedPlacements.find(
    ({ id }) => id === "scale_40x16",
  ) as RecordedPlacement;
  const text = JSON.stringify({
    shardproof: 1,
    name: "scale_40x16",
    problem: "table-placement",
    costModel: "torchrec",
    torchrec: { topology, batch_size, devices },
    tables,
  });
  const problem = placementProblem(requireInstance(tablePlacementReader, parseInstance(text, "scale_40x16.json")));
  const { value, bound } = await solved(problem, 10);
  const [best, proved] = [(value as Rational).toNumber(), (bound as Rational).toNumber()];
  const recorded = optima.get("scale_40x16") as Required<RecordedOptimum>;
  expect(proved).toBeLessThanOrEqual(recorded.objective * (1 + 1e-12));
  expect(best).toBeGreaterThanOrEqual(recorded.bound * (1 - 1e-12));
  expect((best - proved) / proved).toBeLessThan(0.03);
});
