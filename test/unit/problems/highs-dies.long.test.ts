import { afterEach, expect, test, vi } from "vitest";
import { planInstance } from "../../../src/problems/planning/plan.js";
import { Master } from "../../../src/problems/table-placement/solve/patterns/master.js";
import { ClusterMaster } from "../../../src/problems/tower-partition/solve/master.js";
import { GrowingLp } from "../../../src/solvers/growing-lp.js";
import { SolverError } from "../../../src/solvers/solver-error.js";

afterEach(() => vi.restoreAllMocks());

const dies = (): never => {
  throw new SolverError("crash", "HiGHS crashed");
};

test.each([
  ["tiny/towers-diverse.yaml", () => vi.spyOn(ClusterMaster, "using")],
  ["tiny/placement-host-pool.yaml", () => vi.spyOn(Master, "open")],
] as const)("where HiGHS dies in a master of %s, there is a plan with a bound nevertheless", async (file, opened) => {
  const open = opened();
  for (const method of ["solve", "addColumn"] as const) {
    const died = vi.spyOn(GrowingLp.prototype, method).mockImplementation(dies);
    const { status, objective } = await planInstance(`instances/${file}`, {
      timeLimitSeconds: 60,
      workLimitSeconds: 1,
    });
    expect(status).toMatch(/proved|feasible/);
    expect(objective.bound).toBeLessThanOrEqual(objective.value as number);
    expect(open).toHaveBeenCalled();
    expect(died).toHaveBeenCalled();
    // Nothing is asked again and again.
    expect(died.mock.calls.length).toBeLessThan(100);
    died.mockRestore();
    open.mockClear();
  }
});
