import { expect, test, vi } from "vitest";
import { canonicalJson } from "../../src/plan-file/canonical-json.js";
import { planInstance } from "../../src/problems/planning/plan.js";

/** A plan, but for what it took, on a clock that goes so many times as fast. */
async function planned(file: string, speed: number): Promise<string> {
  const now = performance.now.bind(performance);
  const spy = vi.spyOn(performance, "now").mockImplementation(() => speed * now());
  try {
    const limits = { workLimitSeconds: 0.3, timeLimitSeconds: 1e5 };
    const { timing: _timing, ...plan } = await planInstance(file, limits);
    return canonicalJson(plan);
  } finally {
    spy.mockRestore();
  }
}

// Beginning below a ceiling, building programs and pricing were not counted: four seconds of work took two minutes, and the clock
// ended them. The tree of learned costs did not ask about work: two seconds of it took a minute.
const FILES = ["joint/criteo-8", "tiny/placement-hot-rows", "costs/learned-convex-40x4"];

test.each(FILES.map((name) => `instances/${name}.yaml`))(
  "a limit of work ends %s by work, and the clock decides nothing",
  async (file) => {
    const before = process.cpuUsage();
    const first = await planned(file, 1);
    const { user } = process.cpuUsage(before);
    expect(await planned(file, 50)).toBe(first);
    expect(user / 1e6).toBeLessThan(60);
  },
  600_000,
);
