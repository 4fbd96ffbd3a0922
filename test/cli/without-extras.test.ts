import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, temporaryFolder } from "./run-cli.js";

interface Written {
  readonly request: { readonly without?: readonly string[] };
  readonly baseline: readonly object[];
  readonly prices?: object | null;
  readonly objective: { readonly value: number };
}

const planned = async (instance: string, ...how: readonly string[]) => {
  const out = join(temporaryFolder(), "plan.json");
  const { status, stdout } = await runCli(["plan", `instances/tiny/${instance}.yaml`, "--out", out, ...how]);
  return { status, stdout, out, plan: JSON.parse(readFileSync(out, "utf8")) as Written };
};

test.each(["placement-torchrec", "placement-groups", "two-tiers", "towers-load", "towers-joint"])(
  "%s without baselines and prices: the same optimum, and a file that says so and verifies",
  async (instance) => {
    const whole = await planned(instance);
    const { status, out, plan } = await planned(instance, "--no-baselines", "--no-prices");
    expect([status, plan.request.without, plan.baseline]).toEqual([0, ["baselines", "prices"], []]);
    expect(plan.objective.value).toBe(whole.plan.objective.value);
    expect(whole.plan.baseline.length).toBeGreaterThan(0);
    expect((await runCli(["verify", out, "--baselines"])).status).toBe(0);
  },
);

test("each by itself, and a file whose request is another than what it has is refused", async () => {
  const noPrices = await planned("placement-torchrec", "--no-prices");
  expect(noPrices.plan.request.without).toEqual(["prices"]);
  expect([noPrices.plan.prices, noPrices.plan.baseline.length > 0]).toEqual([null, true]);
  const noBaselines = await planned("placement-torchrec", "--no-baselines");
  expect(noBaselines.plan.request.without).toEqual(["baselines"]);
  expect([noBaselines.plan.prices === null, noBaselines.plan.baseline]).toEqual([false, []]);
  for (const { plan, out } of [noBaselines, noPrices]) {
    const { without, ...request } = plan.request;
    const other = without?.[0] === "baselines" ? request : { ...request, without: ["baselines"] };
    writeFileSync(out, JSON.stringify({ ...plan, request: other }));
    const { status, stdout } = await runCli(["verify", out]);
    expect([status, stdout]).toEqual([5, expect.stringMatching(/FAILED\s+(baselines|baseline|numbers|digest)/)]);
  }
});
