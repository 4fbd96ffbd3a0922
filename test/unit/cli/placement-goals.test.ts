import { expect, test } from "vitest";
import type { TablePlacementPlan } from "../../../src/problems/table-placement/plan-file/plan-file.js";
import { showPlacementCompare } from "../../../src/problems/table-placement/show/compare.js";
import { showPlacement } from "../../../src/problems/table-placement/show/plan.js";
import { compareTablePlacement } from "../../../src/problems/table-placement/solve/compare.js";
import { planTablePlacement } from "../../../src/problems/table-placement/solve/plan.js";

const tiny = (name: string) => planTablePlacement(`instances/tiny/placement-${name}.yaml`);

test("phases are shown one by one under their sum, and compared by it", async () => {
  const shown = showPlacement(await tiny("phases"));
  expect(shown).toMatch(/ {2}sum of phase maxima +13\.5000 ms {2}\(largest device 12\.0000 ms; mean 12\.0000 ms/);
  expect(shown).toMatch(/ {4}backwardCompute +4\.50000 ms {2}\(device \d\)/);
  expect(shown).toMatch(/ {2}torchrec-greedy +24\.0000 ms, 77\.8 % above the bound/);
  const rows = await compareTablePlacement("instances/tiny/placement-phases.yaml");
  const compared = showPlacementCompare({ rows });
  expect(compared).toMatch(/method +phase maxima ms/);
  expect(compared).toMatch(/exact +13\.5000/);
});

test("a second goal has a line with its own bound, and says so where it is not proved", async () => {
  const plan = await tiny("second-goal");
  expect(showPlacement(plan)).toMatch(/then second largest device +6\.00000 ms {2}\(proved bound 6\.00000 ms\)/);
  const second = { ...(plan.second as NonNullable<TablePlacementPlan["second"]>), status: null, bound: null };
  const open = showPlacement({ ...plan, status: "feasible", second });
  expect(open).toMatch(/then second largest device +6\.00000 ms {2}\(not proved\)/);
  expect(open).toContain("second goal not proved to the gap of 1e-9; the first is: no plan is better than 8.00000 ms");
});

test("tables that moved are named, and heuristics that moved more are told so", async () => {
  const shown = showPlacement(await tiny("migration"));
  expect(shown).toMatch(/ {2}moved +1 of at most 1 tables: a\n/);
  expect(shown).toMatch(/torchrec-greedy .* but 3 tables have moved \(a, b, f\), at most 1 may/);
});

test("prices have a line each: what is proved, what the pooled bound says, and why where nothing is known", async () => {
  const plan = await tiny("given");
  const prices = plan.prices as NonNullable<TablePlacementPlan["prices"]>;
  expect(showPlacement(plan)).toMatch(
    /one more device +3\.00000 less \(27\.3 %\), proved; pooled bound 3\.33333 less\n/,
  );
  const device = { ...prices.device, value: null, difference: null, reason: "no time" };
  const gibPerGpu = { ...prices.gibPerGpu, value: plan.objective.value, difference: 0, rate: -0.5 };
  const shown = showPlacement({ ...plan, prices: { gibPerGpu, device } });
  expect(shown).toMatch(/one more device +not known: no time; pooled bound 3\.33333 less\n/);
  expect(shown).toMatch(/1 GiB more per GPU +changes nothing; pooled bound 0\.500000 less\n/);
});
