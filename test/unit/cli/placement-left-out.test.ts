import { expect, test } from "vitest";
import { requireInstance } from "../../../src/instance/reader.js";
import { parseInstance } from "../../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../../src/problems/table-placement/instance/reader.js";
import type { TablePlacementPlan } from "../../../src/problems/table-placement/plan-file/plan-file.js";
import type { PlacementReport } from "../../../src/problems/table-placement/report/input.js";
import { placementSection } from "../../../src/problems/table-placement/report/table-placement-section.js";
import { showPlacement } from "../../../src/problems/table-placement/show/plan.js";
import { planTablePlacement } from "../../../src/problems/table-placement/solve/plan.js";
import { plainText } from "../../../src/text/said.js";

/** One option of `a` has more shards than the devices have places. */
function planWithin(bytes: number): Promise<TablePlacementPlan> {
  const text = `shardproof: 1
name: x
problem: table-placement
costModel: options
cluster: {nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: ${bytes}}
tables:
  - name: a
    options:
      - {shardingType: table_wise, partitionBy: device, shards: [[1, {cost: 4, hbmBytes: 9}]]}
      - {shardingType: row_wise, partitionBy: uniform, shards: [[5, {cost: 1}]]}
`;
  return planTablePlacement(requireInstance(tablePlacementReader, parseInstance(text, "f")));
}

/** The last line of the terminal on one line, and the page's answer. */
function said(plan: TablePlacementPlan): { readonly terminal: string; readonly page: string } {
  const report = { plan, instance: null, charts: null } as unknown as PlacementReport;
  const [last = ""] = showPlacement(plan).trimEnd().split("\n\n").slice(-1);
  return { terminal: last.replaceAll(/\s+/g, " "), page: plainText(placementSection(report, "p").answer) };
}

const AMONG = "among those without the 1 option left out";

test("an optimum is one among the options that are left", async () => {
  const { terminal, page } = said(await planWithin(9));
  expect(terminal).toContain(`proved: no plan ${AMONG} is better than 4.00000`);
  expect(page).toContain(`no placement within the limits ${AMONG} comes to less`);
});

test("so is the optimum that a gap is about, proved or found", async () => {
  const proved = await planWithin(9);
  const open = {
    ...proved,
    objective: { ...proved.objective, bound: 2, gap: 0.5 },
    exact: { ...proved.exact, bound: "2" },
  };
  const within = said({ ...open, request: { ...open.request, gap: 0.5 } });
  const words = `within 100.1 % of the optimum ${AMONG}, proved bound 2.00000`;
  expect(within.terminal).toContain(`proved: ${words}`);
  expect(within.page).toContain(words);
  const found = said({ ...open, status: "feasible" });
  const best = `best found, at most 100.1 % above the optimum ${AMONG}, proved bound 2.00000`;
  expect(found.terminal).toContain(`not proved to the gap of 1e-9: ${best}`);
  expect(found.page).toContain(best);
});

test("and where there is no plan, there is none among those", async () => {
  const { terminal, page } = said(await planWithin(8));
  expect(terminal).toContain(`infeasible: no plan ${AMONG} is within the limits`);
  expect(page).toBe(`No placement ${AMONG} is within the limits.`);
});
