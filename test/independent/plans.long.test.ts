import { describe, expect, test } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { planTablePlacement } from "../../src/problems/table-placement/solve/plan.js";
import { someOf } from "../support/draws.js";
import { instanceFiles } from "../support/instance-files.js";
import { planRowTiers, planTowerPartition } from "../support/planned.js";
import { expectRecomputed, hasPython, recompute } from "./recompute.js";

// Plans of the other problems are recomputed where test/golden makes them.
const files = instanceFiles(["tiny", "hostile", "paper", "public"]);

describe.skipIf(!hasPython)("recomputed in Python, with no code of the program's (skipped without python3)", () => {
  test.each(someOf(files, 10))("%s", async (file) => {
    expectRecomputed(file, await planRowTiers(file));
  });

  test.each([
    ["instances/tiny/extra-bytes.yaml", planRowTiers],
    ["instances/tiny/placement-given.yaml", planTablePlacement],
    ["instances/tiny/towers-load.yaml", planTowerPartition],
    ["instances/tiny/towers-joint-rows.yaml", planTowerPartition],
  ] as const)("%s: a value, a bound or a status that is false differs", async (file, planner) => {
    const plan = await planner(file);
    expect(recompute(file, plan)).toMatchObject({ differences: [], enumerated: true });
    const exact = plan.exact as { readonly value: string };
    const value = Rational.parse(exact.value);
    const beyond = value.add(value).toString();
    const forged = [
      { ...plan, exact: { ...exact, value: beyond, bound: beyond } },
      { ...plan, exact: { ...exact, bound: beyond } },
    ];
    for (const each of forged) expect(recompute(file, each).differences).not.toEqual([]);
  });

  test("joint towers asked for a gap may be above the best by it, and no more", async () => {
    const file = "instances/tiny/towers-joint-rows.yaml";
    const plan = await planTowerPartition(file);
    const row = plan.joint?.rows.findIndex(({ status }) => status === "proved") as number;
    const elements = plan.joint?.rows[row]?.largestElements as number;
    const withElements = (gap: number, largestElements: number) => {
      const rows = plan.joint?.rows.with(row, { ...plan.joint.rows[row], largestElements } as never);
      const request = { ...plan.request, gap };
      return recompute(file, { ...plan, request, joint: { ...plan.joint, rows } } as typeof plan).differences;
    };
    expect(withElements(0.5, elements + 1)).toEqual([]);
    expect(withElements(0, elements + 1)).not.toEqual([]);
    expect(withElements(0.5, elements - 1)).not.toEqual([]);
  });

  test("infeasible where a plan exists differs, a plan over the memory too", async () => {
    const file = "instances/tiny/placement-given.yaml";
    const plan = await planTablePlacement(file);
    const none = {
      ...plan,
      status: "infeasible",
      exact: { value: null, bound: null, deviceCosts: null },
      objective: { value: null },
    };
    expect(recompute(file, none).differences).toContain("infeasible though a plan exists");
    const choices = Object.fromEntries(
      Object.entries(plan.choices ?? {}).map(([name, choice]) => [name, { ...choice, ranks: [0] }]),
    );
    expect(recompute(file, { ...plan, choices } as typeof plan).differences.join("\n")).toContain("device 0 holds");
  });
});
