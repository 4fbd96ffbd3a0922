import { expect, test } from "vitest";
import { planInstance } from "../../../../src/problems/planning/plan.js";
import type { TablePlacementPlan } from "../../../../src/problems/table-placement/plan-file/plan-file.js";
import { placementTiles } from "../../../../src/problems/table-placement/tiles.js";

test("where several goals are open the gap in large type says which goal it is of", async () => {
  const plan = (await planInstance("instances/tiny/placement-stages.yaml")) as TablePlacementPlan;
  const proofOf = (one: TablePlacementPlan) => placementTiles(one).find(({ name }) => name.startsWith("proof"));
  const goals = plan.stages?.length as number;
  expect(goals).toBeGreaterThan(1);
  expect(proofOf(plan)).toMatchObject({ name: "proof", value: "Optimal" });
  const stages = plan.stages?.map((stage) => ({ ...stage, proved: false, gap: 0.5 })) ?? [];
  const open = {
    ...plan,
    status: "feasible",
    stages,
    objective: { ...plan.objective, gap: 0.25 },
  } as TablePlacementPlan;
  expect(proofOf(open)).toMatchObject({ name: `proof of goal ${goals}` });
  expect(proofOf(open)?.value).toMatchObject(["Gap ", { path: `stages.${goals - 1}.gap` }]);
});
