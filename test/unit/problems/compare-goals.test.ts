import { expect, test } from "vitest";
import { showCompare } from "../../../src/problems/row-tiers/show/compare.js";
import { showPlacementCompare } from "../../../src/problems/table-placement/show/compare.js";
import { comparePreparedPlacement } from "../../../src/problems/table-placement/solve/compare.js";
import { preparePlacement } from "../../../src/problems/table-placement/solve/plan.js";
import { compareRowTiers } from "../../support/planned.js";

const CAPTION =
  "compared by the first of 3 goals, of which the exact method's value is the least found; its plan may have more";

test("of goals in order a comparison of placements is about the first, whatever the plan gives up of it", async () => {
  const comparison = await comparePreparedPlacement(await preparePlacement("instances/tiny/placement-stages.yaml"));
  const [exact] = comparison.rows;
  expect(exact).toMatchObject({ method: "optimal", value: 5, bound: 5, gap: 0, status: "proved", goals: 3 });
  const greedy = comparison.rows.find(({ method }) => method === "torchrec-greedy");
  expect(greedy).toMatchObject({ value: 5, gap: 0, status: "heuristic" });
  const said = showPlacementCompare(comparison);
  expect(said).toContain(CAPTION);
  expect(said).not.toContain("optimal too");
  expect(said).not.toContain("already optimal");
});

test("of goals in order a comparison of row tiers has the plan that is best in the first", async () => {
  const rows = await compareRowTiers("instances/tiny/row-moves.yaml");
  const [exact] = rows;
  const same = rows.find(({ method }) => method === "data-parallel");
  expect(exact).toMatchObject({ method: "optimal", gap: 0, status: "proved", goals: 3 });
  expect(exact?.value).toBe(same?.value);
  expect(exact?.bytesPerGpu).toBe(same?.bytesPerGpu);
  expect(showCompare(rows)).toContain(CAPTION);
});
