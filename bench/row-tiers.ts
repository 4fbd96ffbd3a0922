/**
 * The special algorithm for row tiers, proof included, against general solvers on the same classes: HiGHS on the linear
 * relaxation (simplex and interior point) and on the integer program, GLPK on both. Times are whole calls, hand-over
 * included; solvers get a limit of 60 seconds (the one argument, if given, is another limit).
 */
import { buildRowTiers } from "../models/row-tiers/build.js";
import type { RowClasses } from "../src/access/row-classes.js";
import { Rational } from "../src/exact/rational.js";
import type { RowTiersInstance } from "../src/instance/types/row-tiers.js";
import { solveRowTiers } from "../src/problems/row-tiers/solve/solve.js";
import type { SolveOptions } from "../src/solvers/claim.js";
import { openSolver } from "../src/solvers/solver.js";
import { medianSeconds, printTable } from "./measure.js";

const LIMIT = Number(process.argv[3] ?? 60);

/** One table of FlexShard's size and cluster whose rows fall off like rank^−0.9, in a given number of classes. */
function example(classes: number): { instance: RowTiersInstance; access: RowClasses } {
  const rows = Float64Array.from({ length: classes }, (_, i) => 1 + Math.floor((i * 600) / classes) ** 2);
  let rank = 1;
  const appearances = rows.map((count) => {
    const each = 3 * rank ** -0.9;
    rank += count;
    return each;
  });
  const latency = { allToAllGlobal: 0, allToAllIntra: 0, allReduceGlobal: 0, allReduceCross: 0, hostToDevice: 0 };
  const instance: RowTiersInstance = {
    problem: "row-tiers",
    name: `classes-${classes}`,
    cluster: {
      nodes: 4,
      gpusPerNode: 8,
      bandwidth: { allToAllGlobal: 25.3e9, allToAllIntra: 79e9, allReduceGlobal: 75e9, allReduceCross: 12e9 },
      latency,
    },
    training: { batchPerGpu: 4096, replicaMemoryFactor: 6 },
    tiers: ["data_parallel", "flex", "row_wise"],
    budget: { kind: "memory-neutral" },
    objective: "serial",
    granularity: 1,
    tables: [
      {
        name: "history",
        rows: rows.reduce((sum, count) => sum + count, 0),
        dim: 256,
        dataType: "fp32",
        elementBytes: 4,
        access: { kind: "histogram", bins: [] },
      },
    ],
    file: "bench",
    sha256: "",
  };
  return { instance, access: { rows, appearances } };
}

const rows: string[][] = [["classes", "method", "seconds", "times ours", "proved gap", "claim"]];
for (const classes of [1e3, 1e4, 1e5]) {
  const { instance, access } = example(classes);
  const model = buildRowTiers(instance, [access]);
  let gap = "";
  const ours = await medianSeconds("ours", classes > 1e4 ? 3 : 5, async () => {
    // A copy, so that nothing computed of the classes before is at hand.
    const fresh = { rows: access.rows.slice(), appearances: access.appearances.slice() };
    const { verdict } = await solveRowTiers(buildRowTiers(instance, [fresh]), {
      gap: Rational.parse("1e-9"),
      timeLimitSeconds: LIMIT,
    });
    gap = verdict.gap?.toNumber().toExponential(1) ?? "";
  });
  rows.push([`${classes}`, "shardproof, model and proof included", ours.toFixed(3), "1", gap, ""]);
  for (const [name, method, options] of [
    ["highs", "HiGHS, relaxation by simplex", { relaxation: true, method: "simplex" }],
    ["highs", "HiGHS, relaxation by interior point", { relaxation: true, method: "interior-point" }],
    ["highs", "HiGHS, integer program", {}],
    ["glpk", "GLPK, relaxation", { relaxation: true }],
    ["glpk", "GLPK, integer program", {}],
  ] as const satisfies readonly (readonly [string, string, SolveOptions])[]) {
    const solver = await openSolver(name);
    let said = "";
    try {
      const seconds = await medianSeconds(method, 1, async () => {
        try {
          const claim = await solver.solve(model.program, { ...options, timeLimitSeconds: LIMIT });
          said = claim.limitReached === undefined ? claim.status : `${claim.status}, stopped at the limit`;
        } catch (error) {
          said = error instanceof Error ? error.message.slice(0, 60) : String(error);
        }
      });
      rows.push([`${classes}`, method, seconds.toFixed(3), (seconds / ours).toFixed(1), "", said]);
    } finally {
      await solver.close();
    }
  }
}
printTable(rows);
