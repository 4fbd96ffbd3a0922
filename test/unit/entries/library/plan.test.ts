import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  compare,
  evaluate,
  explain,
  frontier,
  loadInstance,
  METHODS,
  type Plan,
  plan,
  readPlan,
  tablePlacement,
  towerPartition,
  verify,
  writePlan,
} from "../../../../src/index.js";
import { againstStatus } from "../../../../src/plan-file/by-status.js";
import { planDigest } from "../../../../src/plan-file/canonical-json.js";
import { plansJsonSchema } from "../../../../src/problems/planning/plan-schemas.js";
import { problemOfPlan } from "../../../../src/problems/planning/registry.js";
import { ROW_TIERS_METHODS } from "../../../../src/problems/row-tiers/solve/plan.js";
import { TABLE_PLACEMENT_METHODS } from "../../../../src/problems/table-placement/solve/plan.js";
import { TOWER_PARTITION_METHODS } from "../../../../src/problems/tower-partition/solve/plan.js";
import { against } from "../../../support/json-schema.js";

const folder = mkdtempSync(join(tmpdir(), "shardproof-library-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const contradiction = (made: Plan) => againstStatus(problemOfPlan({ ...made }, "plan").statuses, made);

/** The file is as the JSON Schema of its problem's plans has it, and as that of all plans. */
async function expectInSchema(made: Plan): Promise<void> {
  const file = JSON.parse(writePlan(made));
  expect(against({ ...(await plansJsonSchema(made.problem)) }, file)).toBeNull();
  expect(against({ ...(await plansJsonSchema()) }, file)).toBeNull();
}

const ROWS = "instances/tiny/three-tiers-serial.yaml";
const TABLES = "instances/tiny/placement-given.yaml";

/** Tables that only a long search settles, so that one that is stopped at once knows no bound. */
const STOPPED = tablePlacement({
  name: "stopped",
  costModel: "given",
  cluster: { nodes: 1, gpusPerNode: 3, hbmBytesPerGpu: 40 },
  tables: Array.from({ length: 12 }, (_, t) => ({ name: `t${t}`, cost: 7 + ((31 * t) % 17), bytes: 3 + (t % 5) })),
});

describe("a plan of each status", () => {
  // [what, status, whether it is a joint choice, how it is made]
  const CASES = [
    ["row tiers", "proved", () => plan(ROWS)],
    ["row tiers, wide gap", "proved", () => plan(ROWS, { gap: 0.5 })],
    ["row tiers by a method", "heuristic", () => plan(ROWS, { method: "row-wise" })],
    ["row tiers without memory", "infeasible", () => plan("instances/tiny/infeasible.yaml")],
    ["row tiers with host memory", "proved", () => plan("instances/tiny/host-binds.yaml")],
    ["tables", "proved", () => plan(TABLES)],
    ["tables with a second goal", "proved", () => plan("instances/tiny/placement-second-goal.yaml")],
    ["tables in phases", "proved", () => plan("instances/tiny/placement-phases.yaml")],
    ["tables under a learned cost", "proved", () => plan("instances/costs/learned-10x2.yaml")],
    ["tables by a method", "heuristic", () => plan(TABLES, { method: "size-greedy" })],
    ["tables without memory", "infeasible", () => plan("instances/tiny/placement-infeasible.yaml")],
    ["towers", "proved", () => plan("instances/tiny/towers-pairwise.yaml")],
    ["towers by a method", "heuristic", () => plan("instances/tiny/towers-pairwise.yaml", { method: "strided" })],
    ["towers that are too heavy", "infeasible", () => plan("instances/tiny/towers-infeasible-load.yaml")],
    ["towers with tables", "proved", () => plan("instances/tiny/towers-joint.yaml")],
    [
      "towers with tables by a method",
      "heuristic",
      () => plan("instances/tiny/towers-joint-load.yaml", { method: "tp" }),
    ],
    ["towers whose tables have no place", "infeasible", () => plan("instances/tiny/towers-joint-infeasible.yaml")],
  ] as const;

  test.each(CASES)("%s: %s, keeps to its type, is read back and verified", async (_, status, make) => {
    const made = await make();
    expect(made.status).toBe(status);
    expect(contradiction(made)).toBeNull();
    expect(await readPlan(writePlan(made))).toEqual(JSON.parse(JSON.stringify(made)));
    expect(await verify(made)).toMatchObject({ passed: true });
    await expectInSchema(made);
  });

  test("stopped at once: what is there keeps to the status", async () => {
    const cut: [Parameters<typeof plan>[0], Parameters<typeof plan>[1]?][] = [
      [STOPPED],
      ["instances/costs/learned-10x2.yaml", { method: "simulated-annealing" }],
      [STOPPED, { gap: 0.5 }],
      [ROWS],
      ["instances/tiny/towers-joint.yaml"],
      ["instances/paper/criteo26.yaml"],
    ];
    const seen = new Set<string>();
    for (const [source, options] of cut) {
      const made = await plan(source, { ...options, shouldStop: () => true });
      seen.add(made.status);
      if ("stopped" in made && made.stopped) seen.add("stopped");
      expect(contradiction(made), JSON.stringify(made.objective)).toBeNull();
      await expectInSchema(made);
    }
    expect([...seen]).toEqual(expect.arrayContaining(["feasible", "stopped", "unknown"]));
  });
});

describe("a plan file read", () => {
  test("from its path or its text", async () => {
    const text = writePlan(await plan(TABLES));
    const file = join(folder, "plan.json");
    writeFileSync(file, text);
    expect(await readPlan(file)).toEqual(await readPlan(`\n${text}`));
  });

  test("is refused where it was changed", async () => {
    const made = await plan(TABLES);
    await expect(readPlan(writePlan({ ...made, method: "random" }))).rejects.toThrow(/changed since/);
  });

  test("is refused where it says proved without a value, whoever wrote its digest", async () => {
    const made = await plan(TABLES);
    const forged = { ...made, objective: { ...made.objective, value: null } };
    await expect(readPlan(writePlan({ ...forged, digest: planDigest(forged) }))).rejects.toThrow(
      "objective.value is missing in a plan that is proved",
    );
    const odd = { ...made, status: "perfect" };
    await expect(readPlan(writePlan({ ...odd, digest: planDigest(odd) }))).rejects.toThrow("perfect is no status");
  });
});

describe("verify", () => {
  test("of an instance at hand", async () => {
    const instance = towerPartition({
      name: "t",
      towers: 1,
      features: ["a", "b"],
      interaction: [
        [1, 0.5],
        [0.5, 1],
      ],
    });
    const made = await plan(instance);
    await expect(verify(made)).rejects.toThrow("hand it over as the option instance");
    expect(await verify(made, { instance, baselines: "all" })).toMatchObject({ passed: true });
    expect(await verify(made, { instance: TABLES })).toMatchObject({ passed: false });
  });

  test("leaves methods out that are not to be run", async () => {
    const made = await plan(TABLES);
    const paths = async (baselines: "none" | "all") =>
      (await verify(made, { baselines })).notChecked.filter(({ path }) => path.startsWith("baseline"));
    expect(await paths("none")).not.toEqual([]);
    expect(await paths("all")).toEqual([]);
  });
});

test("the names of methods are those that there are", () => {
  const sorted = (names: readonly string[]) => names.toSorted();
  expect(sorted(METHODS["row-tiers"])).toEqual(sorted(ROW_TIERS_METHODS));
  expect(sorted(METHODS["table-placement"])).toEqual(sorted(TABLE_PLACEMENT_METHODS));
  expect(sorted(METHODS["tower-partition"])).toEqual(sorted(TOWER_PARTITION_METHODS));
});

test("a comparison has a row for the exact method and the published ones", async () => {
  const { problem, rows } = await compare(TABLES);
  expect(problem).toBe("table-placement");
  expect(rows.map(({ method }) => method)).toEqual(expect.arrayContaining(["optimal", "size-greedy"]));
});

test("a frontier is of row tiers or of a table placement", async () => {
  const rows = await frontier(ROWS, { points: 2 });
  const placed = await frontier(TABLES, { points: 2 });
  if (!("optimal" in rows) || !("optimal" in placed)) throw new TypeError("neither has several goals");
  expect(rows.optimal.length).toBeGreaterThan(0);
  expect([placed.problem, placed.optimal.at(-1)?.status]).toEqual(["table-placement", "proved"]);
  await expect(frontier("instances/tiny/towers-pairwise.yaml")).rejects.toThrow(
    "expected an instance of row-tiers or table-placement",
  );
});

test("a placement is explained, and nothing else", async () => {
  const made = await plan("instances/tiny/placement-torchrec.yaml");
  const { tables, devices, binding, proofs } = await explain(writePlan(made));
  expect(tables.map(({ name, without }) => [name, without.kind])).toEqual(["t0", "t1", "t2"].map((t) => [t, "bound"]));
  expect(tables[0]?.without.above).toBeGreaterThan(0.5);
  expect(devices.map(({ cost }) => cost)).toEqual("deviceCosts" in made ? made.deviceCosts : null);
  expect(binding).toMatchObject({ devices: [1], memory: "free" });
  expect(proofs.length).toBeGreaterThan(0);
  await expect(explain(writePlan(await plan(ROWS)))).rejects.toThrow("expected a plan of table-placement");
  const changed = writePlan(made).replace(/"digest": "./, '"digest": "x');
  await expect(explain(changed)).rejects.toThrow("fails its check");
});

describe("a decision of one's own comes to what the plan that has it says", () => {
  test("of tables", async () => {
    const instance = await loadInstance(TABLES);
    if (instance.problem !== "table-placement") throw new Error(instance.problem);
    const made = await plan(instance);
    const choices = made.tables.map(({ option, ranks }) => ({ option, devices: ranks }));
    const { value, exact, violations } = await evaluate(instance, { choices });
    expect({ value, exact, violations }).toEqual({
      value: made.objective.value,
      exact: made.exact.value,
      violations: [],
    });
    const crowded = await evaluate(instance, { choices: choices.map(({ option }) => ({ option, devices: [0] })) });
    expect(crowded.violations).not.toEqual([]);
  });

  test("of rows", async () => {
    const instance = await loadInstance(ROWS);
    if (instance.problem !== "row-tiers") throw new Error(instance.problem);
    const made = await plan(instance);
    const assignment = made.tables.map(({ runs }) => runs.map(([rows, tier]) => ({ rows, tier })));
    expect(await evaluate(instance, assignment)).toEqual({
      value: made.objective.value,
      exact: made.exact.value,
      violations: [],
    });
    const tight = await loadInstance("instances/tiny/fewer-bytes.yaml");
    if (tight.problem !== "row-tiers") throw new Error(tight.problem);
    const replicated = tight.tables.map(({ rows }) => [{ rows, tier: "data_parallel" as const }]);
    expect((await evaluate(tight, replicated)).violations).toEqual([
      expect.stringMatching(/^memory is exceeded by \d/),
    ]);
  });

  test("of features", async () => {
    const instance = await loadInstance("instances/tiny/towers-pairwise.yaml");
    if (instance.problem !== "tower-partition") throw new Error(instance.problem);
    const made = await plan(instance);
    const numbering = instance.features.map((name) => made.towers?.findIndex((tower) => tower.includes(name)) ?? -1);
    expect(await evaluate(instance, numbering)).toEqual({
      value: made.objective.value,
      exact: made.exact.value,
      violations: [],
    });
    expect(
      (
        await evaluate(
          instance,
          numbering.map(() => 0),
        )
      ).violations,
    ).not.toEqual([]);
  });
});
