import { expect, expectTypeOf, test } from "vitest";
import {
  type Comparison,
  type ComparisonOf,
  compare,
  type DecisionOf,
  evaluate,
  type InputError,
  type Instance,
  type JointTowersPlan,
  type Plan,
  plan,
  type RowTiersInput,
  type RowTiersPlan,
  rowTiers,
  type TablePlacementPlan,
  type TowerPartitionInput,
  type TowerPartitionPlan,
  tablePlacement,
  towerPartition,
} from "../../../../src/index.js";
import type { Assignment } from "../../../../src/instance/types/assignment.js";

/**
 * What the compiler says of the library's users: `npx tsc` reads this file, so that each `@ts-expect-error` is an error that
 * there is, and each type is as written. Nothing but the first line of each test runs.
 */
const never = (): boolean => false;

test("a misspelt key, a value of another type and a missing key are errors of the compiler", () => {
  expect(never()).toBe(false);
  if (!never()) return;
  const table = { name: "t", rows: 10, dim: 4, access: { histogram: [[10, 0.1]] } } as const;
  const rest = {
    name: "r",
    cluster: { nodes: 1, gpusPerNode: 1 },
    training: { batchPerGpu: 1, replicaMemoryFactor: 1 },
  };
  rowTiers({ ...rest, tables: [table] });
  // @ts-expect-error: tabels
  rowTiers({ ...rest, tabels: [table] });
  // @ts-expect-error: roes
  rowTiers({ ...rest, tables: [{ name: "t", roes: 10, dim: 4, access: { histogram: [[10, 0.1]] } }] });
  // @ts-expect-error: histogramm
  rowTiers({ ...rest, tables: [{ name: "t", rows: 10, dim: 4, access: { histogramm: [[10, 0.1]] } }] });
  // @ts-expect-error: no such tier
  rowTiers({ ...rest, tiers: ["row-wise"], tables: [table] });
  // @ts-expect-error: rows is a number
  rowTiers({ ...rest, tables: [{ ...table, rows: "10" }] });

  const cluster = { nodes: 1, gpusPerNode: 2 };
  tablePlacement({ name: "p", costModel: "given", cluster, tables: [{ name: "t", cost: 1, bytes: 1 }] });
  tablePlacement({
    name: "p",
    costModel: "lookup",
    cluster,
    tables: [{ name: "t", rows: 1, dim: 4, poolingFactor: 2 }],
  });
  tablePlacement({ name: "p", costModel: { neural: "w.json" }, cluster, tables: [{ name: "t", rows: 1, dim: 4 }] });
  // @ts-expect-error: bites
  tablePlacement({ name: "p", costModel: "given", cluster, tables: [{ name: "t", cost: 1, bites: 1 }] });
  // @ts-expect-error: a given cost without one
  tablePlacement({ name: "p", costModel: "given", cluster, tables: [{ name: "t", rows: 1, dim: 4 }] });
  // @ts-expect-error: no such cost model
  tablePlacement({ name: "p", costModel: "speed", cluster, tables: [{ name: "t", rows: 1, dim: 4 }] });
  tablePlacement({
    name: "p",
    costModel: "size",
    // @ts-expect-error: objektive
    objektive: "phases",
    cluster,
    tables: [{ name: "t", rows: 1, dim: 4 }],
  });

  const features = ["a", "b"];
  towerPartition({ name: "t", towers: 1, features, interaction: { file: "m.csv" } });
  // @ts-expect-error: strategie
  towerPartition({ name: "t", towers: 1, strategie: "diverse", features, interaction: { file: "m.csv" } });
  // @ts-expect-error: the number of towers is needed without a cluster
  towerPartition({ name: "t", features, interaction: { file: "m.csv" } });
});

test("the instance's problem says which methods there are and what the plan is", () => {
  expect(never()).toBe(false);
  if (!never()) return;
  const rows = rowTiers({} as RowTiersInput);
  expectTypeOf(plan(rows)).resolves.toEqualTypeOf<RowTiersPlan>();
  expectTypeOf(plan("instance.yaml")).resolves.toEqualTypeOf<Plan>();
  expectTypeOf(plan(tablePlacement({} as never))).resolves.toEqualTypeOf<TablePlacementPlan>();
  plan(rows, { method: "flexshard-3tier" });
  plan("instance.yaml", { method: "torchrec-greedy" });
  // @ts-expect-error: a method of another problem
  plan(rows, { method: "torchrec-greedy" });
  // @ts-expect-error: no method
  plan("instance.yaml", { method: "optimum" });
  // @ts-expect-error: no solver
  plan(rows, { solver: "gurobi" });
  // @ts-expect-error: milliseconds there are none
  plan(rows, { timeLimitMilliseconds: 5 });
});

test("the instance's problem says what a decision is, and what a comparison has", () => {
  expect(never()).toBe(false);
  if (!never()) return;
  const rows = rowTiers({} as RowTiersInput);
  const towers = towerPartition({} as TowerPartitionInput);
  expectTypeOf<DecisionOf<typeof rows>>().toEqualTypeOf<Assignment>();
  evaluate(rows, [[{ rows: 1, tier: "row_wise" }]]);
  evaluate(towers, [0, 1]);
  // @ts-expect-error: no such tier
  evaluate(rows, [[{ rows: 1, tier: "row-wise" }]]);
  // @ts-expect-error: the decision of another problem
  evaluate(rows, [0, 1]);
  // @ts-expect-error: an instance of any problem
  evaluate({} as Instance, [0, 1]);
  expectTypeOf(compare(rows)).resolves.toEqualTypeOf<ComparisonOf<typeof rows>>();
  expectTypeOf(compare("instance.yaml")).resolves.toEqualTypeOf<Comparison>();
  const compared = {} as ComparisonOf<typeof towers>;
  expectTypeOf(compared.problem).toEqualTypeOf<"tower-partition">();
  expectTypeOf(compared.rows[0]?.capturedShare).toEqualTypeOf<number | null | undefined>();
});

test("the status says what a plan has", () => {
  expect(never()).toBe(false);
  if (!never()) return;
  const of = <T>() => ({}) as T;
  const rows = of<RowTiersPlan>();
  if (rows.status === "proved" || rows.status === "feasible") {
    expectTypeOf(rows.objective.value).toEqualTypeOf<number>();
    expectTypeOf(rows.objective.bound).toEqualTypeOf<number>();
    expectTypeOf(rows.memory.bytesPerGpu).toEqualTypeOf<number>();
    expectTypeOf(rows.certificate).not.toBeNullable();
    expectTypeOf(rows.infeasibility).toEqualTypeOf<null>();
  } else if (rows.status === "heuristic") {
    expectTypeOf(rows.objective.value).toEqualTypeOf<number>();
    expectTypeOf(rows.objective.bound).toEqualTypeOf<null>();
    expectTypeOf(rows.certificate).toEqualTypeOf<null>();
  } else {
    expectTypeOf(rows.status).toEqualTypeOf<"infeasible">();
    expectTypeOf(rows.objective.value).toEqualTypeOf<null>();
    expectTypeOf(rows.infeasibility).not.toBeNullable();
  }
  const tables = of<TablePlacementPlan>();
  if (tables.status === "proved") expectTypeOf(tables.devices).not.toBeNullable();
  if (tables.status === "unknown") expectTypeOf(tables.objective.value).toEqualTypeOf<number | null>();
  if (tables.status === "infeasible") expectTypeOf(tables.infeasibility.explanation).toEqualTypeOf<string>();
  const towers = of<TowerPartitionPlan>();
  if (towers.joint === undefined && towers.status === "infeasible") {
    expectTypeOf(towers.infeasibility.conflict).toEqualTypeOf<readonly string[]>();
  }
  if (towers.joint !== undefined) expectTypeOf(towers).toEqualTypeOf<JointTowersPlan>();
  if (towers.joint !== undefined && towers.status === "proved") {
    expectTypeOf(towers.joint.seconds.value).toEqualTypeOf<number>();
  }
  const any = of<Plan>();
  if (any.problem === "row-tiers" && any.status === "proved") expectTypeOf(any.collectives).not.toBeNullable();
  expectTypeOf<InputError["said"]>().toEqualTypeOf<string>();
});
