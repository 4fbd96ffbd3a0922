import { expect, test } from "vitest";
import { placementModel } from "../../../models/table-placement/from-instance.js";
import type { PlacementProblem } from "../../../models/table-placement/problem.js";
import { requireInstance } from "../../../src/instance/reader.js";
import { compareInstance } from "../../../src/problems/planning/compare.js";
import { loadInstance } from "../../../src/problems/planning/instances.js";
import { planInstance } from "../../../src/problems/planning/plan.js";
import { chartedPlan } from "../../../src/problems/planning/report.js";
import { tablePlacementReader } from "../../../src/problems/table-placement/instance/reader.js";
import { comparedHeuristics, placementBaselines } from "../../../src/problems/table-placement/solve/heuristic-runs.js";
import { reportPage } from "../../../src/report/page.js";
import { specsOf } from "../report/report-inputs.js";

/** Variants and the exact method, which are no methods of their own in a plan. */
const APART = ["optimal", "tp-smacof"];

test.each([
  "instances/costs/learned-10x2.yaml",
  "instances/tiny/placement-torchrec.yaml",
  "instances/paper/criteo26.yaml",
])(
  "beside a plan of %s stand all methods of a comparison, or it is said that they are not run",
  { timeout: 300_000 },
  async (file) => {
    const options = { timeLimitSeconds: 10 };
    const instance = await loadInstance(file);
    const plan = await planInstance(instance, options);
    const beside = plan.baseline.map(({ method }) => method);
    const check = { kind: "unchecked", reason: "not here" } as const;
    const report = await chartedPlan(plan, instance, { file: "plan.json", text: "{}", check });
    const { notRun = [] } = report.charts as { readonly notRun?: readonly string[] };
    const rows = (await compareInstance(instance, options)).rows as readonly { status: string; method: string }[];
    const applying = rows.filter(({ status }) => status !== "not-applicable").map(({ method }) => method);
    const wanted = applying.filter((method) => !APART.includes(method));
    expect([...beside, ...notRun]).toEqual(expect.arrayContaining(wanted));
    expect(beside.filter((method) => notRun.includes(method))).toEqual([]);
    const page = await reportPage([report]);
    expect([...specsOf(page).keys()]).toContain("plan-0-methods");
    for (const method of [...beside, ...notRun]) expect(page).toContain(method);
    if (notRun.length > 0)
      expect(page).toContain(`take long: ${notRun.join(", ")}; shardproof compare runs every method.`);
  },
);

test("the strongest rivals under a learned cost are among them", async () => {
  const { problem } = placementModel(
    requireInstance(tablePlacementReader, await loadInstance("instances/costs/autoshard-0-learned.yaml")),
  );
  expect(placementBaselines(problem)).toEqual(
    expect.arrayContaining(["predicted-greedy", "neuroshard-search", "autoshard-rl", "hugectr-greedy"]),
  );
  // By size and not by the clock.
  const wide: PlacementProblem = { ...problem, nodes: 1000 };
  expect(placementBaselines(wide)).not.toContain("neuroshard-search");
  expect(comparedHeuristics(wide)).toContain("neuroshard-search");
});
