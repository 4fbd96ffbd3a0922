import { performance } from "node:perf_hooks";
import { afterEach, expect, test, vi } from "vitest";
import { planInstance } from "../../../src/problems/plan.js";

afterEach(() => {
  vi.restoreAllMocks();
});

/** A plan without what was measured, as a machine makes it whose clock runs so many times as fast. */
async function planned(file: string, pace: number): Promise<object> {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => pace * now());
  const { timing: _timing, ...plan } = await planInstance(`instances/${file}`, { timeLimitSeconds: 300 });
  vi.restoreAllMocks();
  return plan;
}

test.each([
  "paper/autoshard-0.yaml",
  "tiny/placement-torchrec.yaml",
  "towers/planted-40x8.yaml",
  "tiny/towers-joint.yaml",
])(
  "%s has the same plan on a slow machine",
  async (file) => {
    const plan = await planned(file, 1);
    expect(plan).toMatchObject({ status: "proved" });
    expect(await planned(file, 5)).toEqual(plan);
  },
  240_000,
);
