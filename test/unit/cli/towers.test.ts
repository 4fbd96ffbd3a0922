import { expect, test } from "vitest";
import type { JointPlan, JointRow, TowersPlan } from "../../../src/problems/joint-towers/plan-file/plan-file.js";
import { showTowersJoint } from "../../../src/problems/joint-towers/show.js";
import type { TowerBaseline } from "../../../src/problems/tower-partition/plan-file/plan-file.js";
import { showTowerCompare } from "../../../src/problems/tower-partition/show/compare.js";
import { showTowers } from "../../../src/problems/tower-partition/show/plan.js";
import type { TowerCompareRow } from "../../../src/problems/tower-partition/solve/compare.js";
import { searchProgress } from "../../../src/text/progress.js";
import { planTowerPartition } from "../../support/planned.js";

const row = (changes: Partial<TowerCompareRow>): TowerCompareRow => ({
  instance: "x",
  method: "optimal",
  value: 10,
  bound: 10,
  gap: 0,
  capturedShare: 1,
  status: "proved",
  sizes: [3, 2],
  loads: null,
  seconds: 0.25,
  ...changes,
});

test("each method's line says what is known of it", () => {
  const text = showTowerCompare({
    rows: [
      row({}),
      row({ method: "tp", status: "heuristic", value: 12.5, gap: 0.25, capturedShare: 0.75 }),
      row({ method: "swap", status: "heuristic", value: 10, gap: 0 }),
      row({ method: "tp-swap", status: "heuristic", value: 11, gap: 0.1, capturedShare: 0.9, cutShort: true }),
      row({
        method: "strided",
        status: "none",
        reason: "none",
        value: null,
        gap: null,
        capturedShare: null,
        sizes: null,
      }),
    ],
    embeddings: [],
  });
  expect(text.split("\n").map((line) => line.trim())).toEqual([
    "x",
    "",
    "method     value  above the bound  captured  sizes  seconds",
    "exact    10.0000              0 %   100.0 %  2 … 3    0.250  proved optimal",
    "tp       12.5000           25.0 %    75.0 %  2 … 3    0.250",
    "swap     10.0000              0 %   100.0 %  2 … 3    0.250  optimal too",
    "tp-swap  11.0000           10.0 %    90.0 %  2 … 3    0.250  cut short",
    "strided        ·                ·         ·      ·    0.250  found none: none",
    "",
    "captured: how much of the way from a random partition to the optimum",
    "",
  ]);
});

test("where the optimum is not proved, nothing is called optimal", () => {
  const open = row({ status: "feasible", bound: 9.5, gap: 0.05 });
  const text = showTowerCompare({
    rows: [open, row({ method: "swap", status: "heuristic", bound: 9.5, gap: 0.05 })],
    embeddings: [],
  });
  expect(text).toContain("best found, not proved to the gap");
  expect(text).not.toContain("optimal");
  // Its value is the exact method's, which is not the bound.
  const close = row({ bound: 9.5, gap: 0.05 });
  const within = showTowerCompare({
    rows: [close, row({ method: "swap", status: "heuristic", bound: 9.5, gap: 0.05 })],
    embeddings: [],
  });
  expect(within).toContain("within 5.1 % of the optimum, proved");
  expect(within).not.toContain("optimal");
  const unknown = row({ status: "unknown", bound: null, gap: null, capturedShare: null });
  expect(showTowerCompare({ rows: [unknown], embeddings: [] })).toContain("no bound was proved");
});

test("the losses of each plane, and the bound where its optimum is not proved", () => {
  const analysis = {
    embedding: "adam",
    stress: 1.5,
    plane: { tp: 2, optimum: 1.5, bound: 1.25, status: "feasible" },
    onDistances: { tp: 12, planeOptimum: 11 },
    capturedShare: { tp: 0.5, planeOptimum: 0.75 },
    loss: { embedding: 1, clustering: 1 },
    seconds: 1,
  } as const;
  const text = showTowerCompare({ rows: [row({})], embeddings: [analysis] });
  expect(text).toMatch(
    /adam\s+1\.500\s+2\.00000\s+1\.50000\s+not proved, bound 1\.25000\s+12\.0000\s+11\.0000\s+1\.00000\s+1\.00000/,
  );
});

test("a plan in the words of its status; no colour and no control characters of names reach the terminal", async () => {
  const plan = await planTowerPartition("instances/tiny/towers-load.yaml");
  expect(showTowers(plan)).toMatch(
    /heaviest tower\s+7\.00000 of 7\.50000 \(tower \d; 1\.25 times the mean is allowed\)/,
  );
  const changed = (changes: Partial<TowersPlan>) => showTowers({ ...plan, ...changes });
  expect(changed({ status: "unknown", towers: null })).toContain(
    "unknown: no partition was found before the search ended",
  );
  expect(changed({ status: "unknown" })).toContain("unknown: no bound was proved before the search ended");
  expect(changed({ status: "feasible" })).toContain("not proved to the gap of 1e-9: best found, proved bound 3.92");
  const names = Array.from({ length: 40 }, (_, k) => `feature-${k}\u001b[31m`);
  const long = changed({ towers: [names, ["b"]] });
  expect(long).not.toContain("\u001b");
  expect(long).toMatch(/, … \d+ more$/m);
});

test("a wide gap that was asked for makes no baseline optimal", async () => {
  const plan = await planTowerPartition("instances/tiny/towers-load.yaml");
  const [baseline] = plan.baseline.filter(({ status }) => status === "plan");
  const shown = (value: number, aboveBound: number) =>
    showTowers({ ...plan, baseline: [{ ...baseline, method: "tp", value, aboveBound } as TowerBaseline] });
  expect(plan.status).toBe("proved");
  expect(shown((plan.objective.value as number) * 1.2, 0.2)).toMatch(/tp\s+\d\.\d+, 20\.0 % above the bound/);
  // The plan's own value, and still not the bound.
  expect(shown(plan.objective.value as number, 0.2)).toMatch(/tp\s+\d\.\d+, 20\.0 % above the bound/);
  expect(shown(plan.objective.value as number, 0)).toMatch(/tp\s+\d\.\d+, optimal too/);
});

test("partitions of a joint choice are called best where each is proved", async () => {
  const plan = await planTowerPartition("instances/tiny/towers-joint.yaml");
  const joint = plan.joint as JointPlan;
  const [first, ...others] = joint.rows as readonly [JointRow, ...JointRow[]];
  const rows = [{ ...first, partition: { ...first.partition, status: "feasible" as const } }, ...others];
  expect(showTowersJoint(plan, joint)).toMatch(
    /^proved: no placement of these best partitions into 4, 2, 1 towers is faster than/m,
  );
  expect(showTowersJoint({ ...plan, status: "feasible" }, { ...joint, rows })).toMatch(
    /^not proved to the gap of 1e-9: best found, .* of all placements of these partitions, which may not be the best, into 4/m,
  );
});

test("a search that counts no nodes shows none", () => {
  const amount = (value: number) => value.toFixed(1);
  expect(searchProgress({ nodes: 0, openNodes: 0, incumbent: 4, bound: 3 }, amount)).toEqual([
    "best 4.0",
    "bound 3.0",
    "gap 33.4 %",
  ]);
  expect(searchProgress({ nodes: 7, openNodes: 2, incumbent: null, bound: 3 }, amount)[0]).toBe("7 nodes (2 open)");
});
