import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { planProgramText } from "../../src/problems/planning/export.js";
import { type Instance, loadInstance, parseInstance } from "../../src/problems/planning/instances.js";
import { planInstance } from "../../src/problems/planning/plan.js";
import { solveProgram } from "../../src/problems/program/solve/solve-program.js";
import { nameProblem } from "../../src/program/lp/names.js";
import { readProgram } from "../../src/program/read-program.js";
import { newHighs } from "../../src/solvers/highs-module.js";
import { runProgram } from "../../src/solvers/native/run-program.js";
import { someOf } from "../support/draws.js";
import { temporaryFolder } from "../unit/interop/support.js";

/** Names that readers stumble over: keywords, infinities, exponents, comments, other scripts, alike but for their case. */
const HOSTILE_NAMES = [
  ...["free", "e9", "inf", "infinity", "nan", "st", "end", "a b", "a_b", "A_B", "3x", ".x", "x:1", "<=", "* star"],
  ...["\\ slash", "$", "", "\n* shardproof scale largest 2", "表", "é", "x".repeat(3000), `${"x".repeat(3000)}y`],
].map((name) => (name === "" ? "-" : name));

const PLACEMENT = JSON.stringify({
  ...{ shardproof: 1, name: "héllo \\ end\n* x", problem: "table-placement", costModel: "given" },
  // Memory that one device fills to the byte: what rounds it the wrong way has no plan, or a worse one.
  cluster: { nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 60 },
  tables: HOSTILE_NAMES.map((name, k) => ({
    ...{ name, bytes: 5 },
    ...(k < 7 ? { cost: (k + 1) / 10 } : { cost: 0, devices: [k % 2] }),
  })),
});

const TOWERS = JSON.stringify({
  ...{ shardproof: 1, name: "*", problem: "tower-partition", towers: 2, sizeRatio: 1 },
  ...{ strategy: "coherent", objective: "kmeans", features: HOSTILE_NAMES.slice(0, 7) },
  interaction: Array.from({ length: 7 }, (_, i) =>
    Array.from({ length: 7 }, (__, j) => (i === j ? 1 : (((i + 1) * (j + 1)) % 7) / 7)),
  ),
});

const TIERS = JSON.stringify({
  ...{ shardproof: 1, name: "tiers", problem: "row-tiers" },
  cluster: {
    ...{ nodes: 2, gpusPerNode: 3, hbmBytesPerGpu: 1e9 },
    bandwidth: { allToAllGlobal: 7e9, allToAllIntra: 49e9, allReduceGlobal: 11e9, allReduceCross: 3e9 },
  },
  training: { batchPerGpu: 10, replicaMemoryFactor: 6 },
  tables: HOSTILE_NAMES.slice(0, 5).map((name, k) => ({
    ...{ name, rows: 40 + k, dim: 3, dataType: "fp32" },
    access: {
      histogram: [
        [10, 0.7],
        [30 + k, 0.01 / (k + 1)],
      ],
    },
  })),
});

const INSTANCES: readonly [name: string, open: () => Promise<Instance>][] = [
  ...[
    ...["placement-torchrec", "placement-phases", "placement-constraints", "placement-partitions"],
    ...["placement-host-pool", "placement-migration", "three-tiers-serial", "three-tiers-exposed"],
    ...["three-tiers-channels", "latency-channels", "host-binds", "towers-load", "towers-diverse-kmeans"],
  ].map((name): [string, () => Promise<Instance>] => [name, () => loadInstance(`instances/tiny/${name}.yaml`)]),
  ["a learned cost", () => loadInstance("instances/costs/learned-10x2.yaml")],
  ["a placement with hostile names", async () => parseInstance(PLACEMENT, "placement.json")],
  ["row tiers with hostile names", async () => parseInstance(TIERS, "tiers.json")],
  ["towers with hostile names", async () => parseInstance(TOWERS, "towers.json")],
];

let highs: Awaited<ReturnType<typeof newHighs>>;
let glpk: Awaited<ReturnType<Awaited<typeof import("glpk.js/node")>["default"]>>;
let hasGlpsol = false;

beforeAll(async () => {
  highs = await newHighs();
  glpk = await (await import("glpk.js/node")).default();
  hasGlpsol = await runProgram("glpsol", ["--version"], undefined).then(
    () => true,
    () => false,
  );
});

const FORMATS = ["mps", "lp"] as const;

describe.each(someOf(INSTANCES, 8))("%s", (_, open) => {
  test.each(FORMATS)(
    "the natural %s file has the plan's value: read by HiGHS, solved by HiGHS, GLPK and us",
    async (format) => {
      const instance = await open();
      const plan = await planInstance(instance, { gap: 0 });
      expect(plan.status).toBe("proved");
      const value = plan.objective.value as number;
      const text = await planProgramText(instance, format, "natural");
      // What the file tells in another unit, readers of ours take back.
      const scale = Number(/shardproof scale \S+ 1\/(\d+)/.exec(text)?.[1] ?? 1);
      const near = (claimed: number) =>
        expect(Math.abs(claimed / scale - value)).toBeLessThan(1e-7 * Math.max(value, 1e-3));

      const program = readProgram(text, `natural.${format}`);
      expect(program.name).toBe(instance.name);
      // The other format has the same program, but for the order of its columns.
      if (format === "mps") {
        const { outcome } = await solveProgram(program, { timeLimitSeconds: 50 });
        expect(outcome.status).toBe("proved");
        expect(Math.abs((outcome.value?.toNumber() as number) - value)).toBeLessThan(1e-15 * value);
      }
      near(byHighs(format, text));
      near(byGlpk(format, text));
      if (hasGlpsol) near(await byGlpsol(format, text));
    },
  );
});

test.each(INSTANCES)("names of %s: for all readers, and none twice", async (_, open) => {
  const program = readProgram(await planProgramText(await open(), "mps", "natural"), "natural.mps");
  for (const parts of [program.columns, program.rows]) {
    const names = parts.map(({ name }) => name);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    expect(names.filter((name) => nameProblem(name) !== undefined || !/^[A-Za-z][\w.]*$/.test(name))).toEqual([]);
  }
});

test("lines that are not the program's own stay short, and a name cannot smuggle in a directive", async () => {
  for (const [, open] of INSTANCES) {
    for (const format of FORMATS) {
      const text = await planProgramText(await open(), format, "natural");
      const comments = text.split("\n").filter((line) => /^[*\\]/.test(line));
      expect(comments.filter((line) => line.length > 130 || !/^[\x20-\x7e]*$/.test(line))).toEqual([]);
      const directives = comments.filter((line) => line.slice(1).trim().startsWith("shardproof"));
      expect(directives.length).toBeLessThanOrEqual(3);
    }
  }
});

function readByHighs(format: "mps" | "lp", data: string) {
  const model = highs.createModel();
  model.options.set({ output_flag: false, mip_rel_gap: 0, mip_abs_gap: 0 });
  model.readModel({ format, data });
  return model;
}

function byHighs(format: "mps" | "lp", data: string): number {
  const model = readByHighs(format, data);
  try {
    expect(model.run().modelStatus).toBe(highs.constants.modelStatus.optimal);
    return Number(model.info.get("objective_function_value"));
  } finally {
    model.dispose();
  }
}

/** GLPK's module has no reader: it is given what HiGHS's reads, number by number. */
function byGlpk(format: "mps" | "lp", data: string): number {
  const model = readByHighs(format, data);
  const read = model.getModel("csr");
  model.dispose();
  const { starts, indices, values } = read.matrix;
  const bounds = (lower: number, upper: number) => {
    const [lb, ub] = [lower > -1e20 ? lower : 0, upper < 1e20 ? upper : 0];
    if (lower === upper) return { type: glpk.GLP_FX, lb, ub };
    if (lower > -1e20) return { type: upper < 1e20 ? glpk.GLP_DB : glpk.GLP_LO, lb, ub };
    return { type: upper < 1e20 ? glpk.GLP_UP : glpk.GLP_FR, lb, ub };
  };
  const columns = Array.from({ length: read.numCols }, (_, j) => j);
  const { result } = glpk.solve(
    {
      name: "model",
      objective: {
        direction: glpk.GLP_MIN,
        name: "cost",
        vars: columns.map((j) => ({ name: `x${j}`, coef: read.colCost[j] as number })),
      },
      subjectTo: Array.from({ length: read.numRows }, (_, i) => ({
        name: `r${i}`,
        vars: Array.from({ length: (starts[i + 1] ?? indices.length) - (starts[i] as number) }, (__, k) => {
          const at = (starts[i] as number) + k;
          return { name: `x${indices[at]}`, coef: values[at] as number };
        }),
        bnds: bounds(read.rowLower[i] as number, read.rowUpper[i] as number),
      })),
      bounds: columns.map((j) => ({
        name: `x${j}`,
        ...bounds(read.colLower[j] as number, read.colUpper[j] as number),
      })),
      generals: columns.filter((j) => read.integrality[j] === 1).map((j) => `x${j}`),
    },
    { msglev: glpk.GLP_MSG_OFF, presol: true },
  );
  expect(result.status).toBe(glpk.GLP_OPT);
  return result.z + read.offset;
}

/** GLPK's own readers, where its program is installed. */
async function byGlpsol(format: "mps" | "lp", data: string): Promise<number> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "model"), data);
  const read = format === "mps" ? "--freemps" : "--lp";
  // A file of its own: glpsol replaces what it writes to, and run by root it would replace /dev/stdout.
  await runProgram("glpsol", [read, "model", "-o", "solution"], folder);
  return Number(/^Objective:\s+\S+ = (\S+)/m.exec(readFileSync(join(folder, "solution"), "utf8"))?.[1]);
}
