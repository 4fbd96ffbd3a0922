import { expect, test } from "vitest";
import { runCli } from "./run-cli.js";

test("compare has every method on every instance, in the format's shape", async () => {
  const instances = ["instances/tiny/three-tiers-serial.yaml", "instances/tiny/two-tiers.yaml"];
  const { status, stdout, stderr } = await runCli(["compare", ...instances, "--json"]);
  expect([status, stderr]).toEqual([0, ""]);
  const { rows } = JSON.parse(stdout);
  const methods = ["optimal", "row-wise", "column-wise", "data-parallel"].concat([
    "flexshard-2tier",
    "flexshard-3tier",
    "hugectr-threshold",
    "recshard-like",
  ]);
  for (const instance of ["three-tiers-serial", "two-tiers"]) {
    const own = rows.filter((row: { instance: string }) => row.instance === instance);
    expect(own.map((row: { method: string }) => row.method)).toEqual(methods);
    const [optimal, ...others] = own;
    expect(optimal).toMatchObject({ status: "proved", gap: 0, value: optimal.bound });
    for (const { status, value, bound, gap, seconds } of others) {
      expect(seconds).toBeGreaterThanOrEqual(0);
      expect(bound).toBe(optimal.bound);
      if (status === "heuristic") {
        expect(value).toBeGreaterThanOrEqual(bound);
        expect(gap).toBeCloseTo(value / bound - 1, 12);
      } else if (status === "over-budget") {
        expect([typeof value, gap]).toEqual(["number", null]);
      } else {
        expect([status, value, gap]).toEqual(["not-applicable", null, null]);
      }
    }
  }
  const threeTier = rows.find(
    (row: { instance: string; method: string }) => row.instance === "two-tiers" && row.method === "flexshard-3tier",
  );
  expect(threeTier).toMatchObject({ status: "not-applicable", reason: expect.stringContaining("flex") });
});

test("compare ends with 4 where an instance is infeasible and shows the methods all the same", async () => {
  const { status, stdout } = await runCli(["compare", "instances/tiny/infeasible.yaml"]);
  expect(status).toBe(4);
  expect(stdout).toContain("proved infeasible");
  expect(stdout).toMatch(/data-parallel .*over the budget/);
});
