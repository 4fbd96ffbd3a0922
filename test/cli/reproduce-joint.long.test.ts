import { expect } from "vitest";
import { testInTurn } from "../support/draws.js";
import { runCli } from "./run-cli.js";

testInTurn(
  "what each freedom brings, the same bytes each time",
  async () => {
    const args = ["reproduce", "joint", "--quick", "--json"];
    const [first, second] = [await runCli(args), await runCli(args)];
    expect([first.status, first.stderr]).toEqual([0, ""]);
    expect(second.stdout).toBe(first.stdout);
    const { models, numbers } = JSON.parse(first.stdout);
    expect(models).toHaveLength(1);
    const [all, withoutHotRows] = models[0].variants;
    // Whatever the searches end with, bounds are below plans, and fewer freedoms never better.
    for (const { value, bound } of models[0].variants) expect(bound).toBeLessThanOrEqual(value);
    expect(withoutHotRows.bound).toBeGreaterThan(all.value);
    expect(numbers[0]).toMatchObject({ what: "no plan without hot rows is as good", verdict: "holds", proved: true });
  },
  600_000,
);
