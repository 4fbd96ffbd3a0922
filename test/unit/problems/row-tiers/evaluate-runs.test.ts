import { expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { evaluateRuns } from "../../../../src/problems/row-tiers/plan-file/evaluate-runs.js";
import { leastMemory } from "../../../../src/problems/row-tiers/plan-file/least-memory.js";
import { prepareRowTiers } from "../../../../src/problems/row-tiers/solve/plan.js";
import { evaluateLadder } from "../../../../src/program/ladder/evaluate.js";
import { instanceFiles } from "../../../support/instance-files.js";

const TINY = instanceFiles(["tiny"]);

test("three tiers of one table come to what the cost model's table says", async () => {
  const { instance, access } = await prepareRowTiers("instances/tiny/two-tables-bytes.yaml");
  const [wide, narrow] = instance.tables.map(({ rows }) => rows) as [number, number];
  const { collectives, memoryBytes, objective } = evaluateRuns(instance, access, [
    [{ rows: wide, tier: "row_wise" }],
    [{ rows: narrow, tier: "data_parallel" }],
  ]);
  const { batchPerGpu: batch, replicaMemoryFactor: replicas } = instance.training;
  const sizes = instance.tables.map(({ dim, elementBytes }) => dim * elementBytes) as [number, number];
  const reads = access.map(({ rows, appearances }, t) =>
    rows.reduce((sum, count, k) => sum + count * (appearances[k] as number) * (sizes[t] as number), 0),
  ) as [number, number];
  const gpus = instance.cluster.nodes * instance.cluster.gpusPerNode;
  expect(memoryBytes.toNumber()).toBeCloseTo(
    (wide * sizes[0]) / gpus + 2 * batch * reads[0] + replicas * narrow * sizes[1] + batch * reads[1],
    9,
  );
  expect(collectives.allToAllGlobal.toNumber()).toBeCloseTo((2 * batch * reads[0]) / 1000, 12);
  expect(collectives.allReduceGlobal.toNumber()).toBeCloseTo((narrow * sizes[1]) / 3000, 12);
  expect(objective.equals(collectives.allToAllGlobal.add(collectives.allReduceGlobal))).toBe(true);
});

test.each(TINY)("%s: the least memory is that of its runs, which the program agrees with", async (file) => {
  const { instance, access, model } = await prepareRowTiers(file);
  const least = leastMemory(instance, access);
  const assignment = least.tables.map(({ runs }) => runs);
  const { memoryBytes, objective } = evaluateRuns(instance, access, assignment);
  const { rowActivities, objective: ofProgram } = evaluateLadder(model.ladder, model.pointOf(assignment));
  expect(memoryBytes.toString()).toBe(least.bytes.toString());
  expect(rowActivities[model.structure.memoryRow]?.toString()).toBe(least.bytes.toString());
  expect(ofProgram.toString()).toBe(objective.toString());
});

test("runs that do not fit are refused", async () => {
  const { instance, access } = await prepareRowTiers("instances/tiny/two-tiers.yaml");
  const rows = instance.tables[0]?.rows as number;
  const evaluating = (runs: number, tier: "row_wise" | "flex") => () =>
    evaluateRuns(instance, access, [[{ rows: runs, tier }]]);
  expect(evaluating(rows, "row_wise")).not.toThrow();
  expect(evaluating(rows - 1, "row_wise")).toThrow("fewer than its rows");
  expect(evaluating(rows + 1, "row_wise")).toThrow("more than its rows");
  expect(evaluating(rows, "flex")).toThrow("flex is not allowed");
  expect(() => evaluateRuns(instance, access, [])).toThrow(RangeError);
});

test("shares of accesses add up to one", async () => {
  const { instance, access } = await prepareRowTiers("instances/tiny/three-tiers-serial.yaml");
  const { tables } = evaluateRuns(instance, access, [
    [
      { rows: 3, tier: "data_parallel" },
      { rows: 7, tier: "flex" },
      { rows: 10, tier: "row_wise" },
    ],
  ]);
  const shares = (tables[0] ?? []).map(({ accessShare }) => accessShare);
  expect(shares.reduce((sum, share) => sum.add(share)).equals(Rational.one)).toBe(true);
});
