import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wideInstance } from "../../bench/drawn-wide.js";
import { seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import { someOf } from "../support/draws.js";
import { randomJoint } from "../support/random-joint.js";
import { type PlantedFault, runProcess, temporaryFolder } from "./run-cli.js";

/** Two devices, and tables of which the first options are best: 4 in all, 7 without them. */
const INSTANCE = `shardproof: 1
name: small
problem: table-placement
costModel: options
cluster: {nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 10}
tables:
  - name: a
    options:
      - {shardingType: table_wise, kernel: fused, partitionBy: device, shards: [[1, {cost: 2, hbmBytes: 4}]]}
      - {shardingType: table_wise, kernel: dense, partitionBy: device, shards: [[1, {cost: 5, hbmBytes: 3}]]}
  - name: b
    options:
      - {shardingType: table_wise, kernel: fused, partitionBy: device, shards: [[1, {cost: 3, hbmBytes: 4}]]}
      - {shardingType: table_wise, kernel: dense, partitionBy: device, shards: [[1, {cost: 7, hbmBytes: 3}]]}
  - name: c
    options:
      - {shardingType: table_wise, kernel: fused, partitionBy: device, shards: [[1, {cost: 2, hbmBytes: 6}]]}
`;

const DIRECT = "/models/table-placement/direct-program.js";

/** Faults of the builders of programs. */
const MISSING_OPTION: PlantedFault = {
  file: "/models/table-placement/dominated-options.js",
  from: "return problem.tables.map(({ options }) => {",
  to: "return problem.tables.map(({ options }) => { if (options.length === 2) return new Map([[0, { option: 1, shards: [0] }]]);",
};
const LOW_UPPER_BOUND: PlantedFault = {
  ...{ file: DIRECT, from: "Rational.of(mostOnOne(problem, units))" },
  to: "Rational.of(leastUnits(problem, units))",
};
const WRONG_COST: PlantedFault = {
  ...{ file: DIRECT, from: "units: (need) => unitsOf(goalParts(problem, need)[part])" },
  to: "units: (need) => 2n * unitsOf(goalParts(problem, need)[part])",
};
const TIGHT_ROW: PlantedFault = {
  ...{ file: "/placement-draft.js", from: "BigInt(Math.floor(limit)))" },
  to: 'BigInt(Math.floor(limit) - (memory === "hbmBytes" ? 3 : 0)))',
};
/** A checker that takes every proof for one of more, and one of rows with half of their memory. */
const LYING_CHECKER: PlantedFault = {
  ...{ file: "/src/proof/check.js", from: "return this.#bound;" },
  to: "return this.#bound && this.#bound.add(this.#bound.constructor.one);",
};
const HALF_BUDGET: PlantedFault = {
  ...{ file: "/models/row-tiers/build.js", from: '["memory", budgetBytes]' },
  to: '["memory", budgetBytes.divide(Rational.of(2n))]',
};
/** Without the comparison: what a program with a fault would have written. */
const SILENT: PlantedFault = {
  ...{ file: "/src/proof/hold-against.js", from: "export function holdAgainst(known, proved) {" },
  to: "export function holdAgainst(known, proved) { return;",
};

/** Without the look whether a program has the plans at hand, which tells of most faults of builders before there is a bound. */
const UNSEEN: PlantedFault = {
  ...{ file: "/solve/known-plans.js", from: "#require({ placement, value }, bounded) {" },
  to: "#require({ placement, value }, bounded) { return;",
};

const LIMITS = ["--time-limit", "300", "--work-limit", "4"];

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "shardproof-contradictions-"));
  writeFileSync(join(folder, "small.yaml"), INSTANCE);
  const study =
    "shardproof: 1\nstudy: small\ninstances: [{files: [small.yaml]}]\nmethods: [torchrec-greedy, optimal]\n";
  writeFileSync(join(folder, "study.yaml"), `${study}timeLimit: 300\nworkLimit: 4\n`);
  const forging = { cwd: folder, planted: [MISSING_OPTION, SILENT, UNSEEN] };
  const made = await runProcess(["plan", "small.yaml", "--out", "forged.json", ...LIMITS], forging);
  expect(made.stdout, made.stderr).toContain("proved: no plan is better than 7");
  const ran = await runProcess(["study", "study.yaml", "--out", "job", "--go"], forging);
  expect(ran.stderr).toBe("");
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The message of a command with a fault, and the file that it names. */
async function alarmOf(args: readonly string[], planted: readonly PlantedFault[], cwd = folder) {
  const before = new Set(readdirSync(cwd));
  const { status, stdout, stderr } = await runProcess(args, { cwd, planted });
  expect([status, stdout], stderr).toEqual([70, ""]);
  const [name = ""] = /shardproof-contradiction-[0-9a-f]{12}\.json/.exec(stderr) ?? [];
  expect(stderr.trim().split("\n")).toHaveLength(1);
  const file = join(cwd, name);
  expect(readdirSync(cwd)).toContain(name);
  const written = JSON.parse(readFileSync(file, "utf8"));
  expect(written).toMatchObject({ shardproof: 1, kind: "contradiction", command: args });
  expect(stderr).toContain(written.message);
  // So that every command writes one of its own.
  if (!before.has(name)) rmSync(file);
  return { message: stderr, ...written };
}

describe("a fault of a builder of programs sets the alarm off in `plan`", { timeout: 600_000 }, () => {
  const FAULTS = [
    { fault: "an upper bound that is too low", planted: LOW_UPPER_BOUND },
    { fault: "a row that is too tight", planted: TIGHT_ROW },
    { fault: "a wrong coefficient of a cost", planted: WRONG_COST },
    { fault: "a missing option", planted: MISSING_OPTION },
  ];
  test.each(someOf(FAULTS, 1))("$fault", async ({ planted }) => {
    const { message, known, against } = await alarmOf(["plan", "small.yaml", ...LIMITS], [planted, UNSEEN]);
    // Published methods have a plan of 5, local search one of 4: whichever is there once something false is proved.
    expect(message).toMatch(/comes to [45], and it is proved that (there is no plan|no plan is better than )/);
    expect(["4", "5"]).toContain(known.value);
    if (against.bound !== null) {
      expect(Rational.parse(against.bound).compare(Rational.parse(known.value))).toBeGreaterThan(0);
    }
    expect(known.plan.choices).toHaveLength(3);
    expect(against.certificate.steps.length).toBeGreaterThan(0);
    const sooner = await alarmOf(["plan", "small.yaml", ...LIMITS], [planted]);
    expect(sooner.message).toMatch(/a plan that comes to [45] keeps all limits, and a program .* leaves it out: /);
    expect(sooner.against.program).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("the same in every command", { timeout: 600_000 }, () => {
  const COMMANDS: readonly [name: string, args: string[]][] = [
    ["compare", ["compare", "small.yaml", "--time-limit", "60"]],
    ["frontier", ["frontier", "small.yaml", "--points", "2", "--time-limit", "300"]],
    ["verify", ["verify", "forged.json"]],
    ["explain", ["explain", "forged.json", "--time-limit", "300"]],
    ["report", ["report", "forged.json", "--out", "page.html"]],
    ["study collect", ["study", "collect", "job"]],
  ];
  test.each(someOf(COMMANDS, 2))("%s", async (_, args) => {
    const { message, known, against } = await alarmOf(args, [MISSING_OPTION, UNSEEN]);
    expect(message).toMatch(/ comes to [45], and it is proved.* that no plan is better than 7:/);
    expect(message).toContain(` comes to ${known.value}, `);
    expect([against.bound, against.certificate.claim]).toEqual(["7", { kind: "bound", bound: "7" }]);
  });

  test("study collect, where a file by itself shows nothing: another line's plan", async () => {
    const alone: PlantedFault = {
      ...{ file: "/plan-file/hold-placements.js", from: "holdAgainst(knownIn(parts), proved);", to: "" },
    };
    const { message, known, against } = await alarmOf(["study", "collect", "job"], [MISSING_OPTION, UNSEEN, alone]);
    expect(message).toContain(
      "the plan of torchrec-greedy, comes to 5, and it is proved for small by the method optimal",
    );
    expect([known.plan.method, against.method, against.bound]).toEqual(["torchrec-greedy", "optimal", "7"]);
  });

  test("rows: published plans within the memory that the program has half of", async () => {
    const instance = resolve("instances/tiny/two-tiers.yaml");
    const own = temporaryFolder();
    const { message } = await alarmOf(["plan", instance, ...LIMITS], [HALF_BUDGET], own);
    expect(message).toMatch(/and it is proved that/);
  });

  test.each(
    someOf(
      [
        ["towers", ["plan", resolve("instances/tiny/towers-load.yaml"), ...LIMITS]],
        ["towers and the places of their tables", ["plan", "joint.yaml", ...LIMITS]],
        ["groups", ["plan", resolve("instances/tiny/placement-groups.yaml"), ...LIMITS]],
        ["a second goal", ["plan", resolve("instances/tiny/placement-second-goal.yaml"), ...LIMITS]],
        ["goals in order", ["plan", resolve("instances/tiny/placement-stages.yaml"), ...LIMITS]],
        ["moves", ["plan", resolve("instances/tiny/placement-migration.yaml"), ...LIMITS]],
        ["learned costs", ["plan", resolve("instances/costs/learned-10x2.yaml"), "--time-limit", "300"]],
        ["2,048 devices", ["plan", "wide.json", "--time-limit", "300", "--work-limit", "2"]],
        [
          "another solver beside",
          ["plan", resolve("instances/tiny/placement-lookup.yaml"), ...LIMITS, "--solver", "highs"],
        ],
        [
          "programs beside another solver",
          ["solve", resolve("instances/hostile/programs/cheap-last-unit.lp"), "--beside", "highs"],
        ],
        ["programs", ["solve", resolve("instances/hostile/programs/cheap-last-unit.lp"), "--time-limit", "300"]],
      ],
      2,
    ),
  )("%s: a checker that takes a proof for more than it is", async (_, args) => {
    const own = temporaryFolder();
    writeFileSync(join(own, "joint.yaml"), JSON.stringify(randomJoint(seededRandom(3))));
    writeFileSync(join(own, "wide.json"), wideInstance({ tables: 30, nodes: 256 }));
    const { message, against } = await alarmOf(args, [LYING_CHECKER], own);
    expect(message).toMatch(/one of the two is wrong/);
    expect(against.certificate.steps.length).toBeGreaterThan(0);
  });

  test("a study that is run at once shows what is done, and ends so", async () => {
    const planted = [MISSING_OPTION, UNSEEN];
    const { status, stdout, stderr } = await runProcess(["study", "study.yaml", "--out", "again", "--go"], {
      ...{ cwd: folder, planted },
    });
    expect([status, stdout], stderr).toEqual([70, expect.stringContaining("2 plans: 0 done before, 1 now, 1 left")]);
    expect(stderr).toMatch(/^line 2 \(small, optimal\): internal error: .* one of the two is wrong/m);
  });
});
