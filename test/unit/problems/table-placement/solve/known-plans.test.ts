import { expect, test } from "vitest";
import { aggregatedProgram } from "../../../../../models/table-placement/aggregated-program.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { ContradictionError } from "../../../../../src/errors/contradiction-error.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { BestBound } from "../../../../../src/problems/table-placement/solve/best-bound.js";
import {
  type BoundedProgram,
  judgeOf,
  KnownPlans,
} from "../../../../../src/problems/table-placement/solve/known-plans.js";
import { solvePlacement } from "../../../../../src/problems/table-placement/solve/solve.js";
import { makeProgram, type Program } from "../../../../../src/program/program.js";

/** Two tables, row-wise or whole, on two devices: 3 at best, both row-wise. */
const problem: PlacementProblem = {
  ...{ name: "two", nodes: 1, gpusPerNode: 2, hbmBytes: [10, 10], hostBytes: null, hostIsPooled: false },
  ...{ together: [], apart: [] },
  tables: [1, 2].map((cost, t) => ({
    name: `t${t}`,
    devices: null,
    options: [
      optionOf("row_wise", "uniform", [cost, cost]),
      { ...optionOf("table_wise", "device", [2 * cost + 1]), kernel: "dense" },
    ],
  })),
};

function optionOf(shardingType: string, partitionBy: "uniform" | "device", costs: readonly number[]) {
  const shards = costs.map((cost) => ({ cost, hbmBytes: 4, hostBytes: 0 }));
  return { shardingType, kernel: "fused", partitionBy, shards };
}

const best = { choices: [0, 1].map(() => ({ option: 0, devices: [0, 1] })) };
const aggregated = aggregatedProgram(problem);

function plansWith(...placements: readonly (typeof best)[]): KnownPlans {
  const plans = new KnownPlans(judgeOf(problem));
  for (const placement of placements) plans.add(placement);
  return plans;
}

/** The program with something changed. */
function changed(change: (program: Program) => Partial<Pick<Program, "columns" | "rows">>): BoundedProgram {
  const { program } = aggregated;
  const { name, columns, rows, objective } = program;
  return { ...aggregated, program: makeProgram({ name, columns, rows, objective, ...change(program) }) };
}

const lowered = (name: string) => (program: Program) => ({
  columns: program.columns.map((column) => (column.name === name ? { ...column, upper: Rational.zero } : column)),
});

test.each([
  ["an upper bound that is too low", lowered("b"), /column-upper of "b"/],
  ["an option that is ruled out", lowered("y_0_0"), /column-upper of "y_0_0"/],
  [
    "a row that is too tight",
    ({ rows }: Program) => ({
      rows: rows.map((row) => (row.name === "mean" ? { ...row, upper: Rational.of(-1n) } : row)),
    }),
    /row-upper of "mean"/,
  ],
  [
    "a coefficient that is too large",
    ({ rows }: Program) => ({
      rows: rows.map((row) => {
        if (row.name !== "peak_0") return row;
        const coefficients = row.form.coefficients.map((value) => (value > 0n ? 4n * value + 4n : value));
        return { ...row, form: { ...row.form, coefficients } };
      }),
    }),
    /row-upper of "peak_0"/,
  ],
] as const)("%s leaves a plan out: its bounds are refused", (_what, change, fault) => {
  const bounded = changed(change);
  const offered = () => new BestBound(bounded, plansWith(best)).offer({ claim: Rational.zero, steps: [{ bound: {} }] });
  expect(offered).toThrow(ContradictionError);
  expect(offered).toThrow(fault);
  expect(offered).toThrow(/comes to 3 keeps all limits/);
});

test("a point that comes to more than its plan, and an option that the program does not have, are told", () => {
  const z = aggregated.program.columns.findIndex(({ name }) => name === "z");
  const above = { ...aggregated, pointOf: () => aggregated.pointOf(best).with(z, Rational.of(7n)) };
  expect(() => plansWith(best).requireIn(above)).toThrow(/its point comes to 7/);
  const without = {
    ...aggregated,
    pointOf: () => {
      throw new RangeError("option 0 of table 0 cannot be placed");
    },
  };
  expect(() => plansWith(best).requireIn(without)).toThrow(/option 0 of table 0/);
});

test("plans above a program's ceiling, and those that break a limit, need not be there", () => {
  const refused = changed(lowered("y_0_0"));
  expect(() => plansWith(best).requireIn({ ...refused, ceiling: Rational.of(2n) })).not.toThrow();
  expect(() => plansWith(best).requireIn({ ...refused, ceiling: Rational.of(3n) })).toThrow(ContradictionError);
  const tight = new KnownPlans(judgeOf({ ...problem, hbmBytes: [7, 7] }));
  tight.add(best);
  expect(() => tight.requireIn(refused)).not.toThrow();
});

test("a bound above a plan, and a proof that there is none, are told with both sides", () => {
  const certificate = {
    format: "shardproof-certificate 1",
    program: "",
    claim: { kind: "infeasible" },
    steps: [],
  } as const;
  const plans = plansWith(best);
  expect(() => plans.requireAbove(Rational.of(3n), certificate)).not.toThrow();
  expect(() => plans.requireAbove(Rational.of(4n), certificate)).toThrow(
    /comes to 3, and it is proved .* better than 4/,
  );
  expect(() => plans.requireAbove(null, certificate)).toThrow(/there is no plan/);
  try {
    plans.requireAbove(null, certificate);
  } catch (error) {
    const { evidence } = error as ContradictionError;
    expect(evidence).toMatchObject({
      known: { value: "3", plan: { choices: best.choices } },
      against: { bound: null, certificate },
    });
  }
});

test("a search whose program leaves a start out says so, and says nothing of an optimum", async () => {
  const limits = { gap: Rational.zero, timeLimitSeconds: 10, seed: 0 };
  // What the problem was made from has room for both tables, the problem has not.
  const tight = { ...problem, hbmBytes: [7, 7] };
  const searched = solvePlacement(tight, { ...limits, starts: [best], judge: judgeOf(problem) });
  await expect(searched).rejects.toThrow(ContradictionError);
});
