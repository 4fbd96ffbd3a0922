import { expect, test } from "vitest";
import { planInstance } from "../../../src/problems/plan.js";
import { solveProgram } from "../../../src/problems/program/solve/solve-program.js";
import { rowTiersFrontier } from "../../../src/problems/row-tiers/frontier/frontier.js";
import { loadProgram } from "../../../src/program/load-program.js";
import { onSteppingClock } from "../../support/stepping-clock.js";

const LIMIT = { timeLimitSeconds: 300 };

/** What ends within this share of the time limit is not to depend on the clock. */
const SHARE = 0.45;

/** Does work on a clock that nearly stands still, and on one that such a share of the limit goes by on. */
async function onBothClocks<T>(work: () => Promise<T>): Promise<readonly [T, T]> {
  const slow = await onSteppingClock(1e-6, work);
  const fast = await onSteppingClock((SHARE * LIMIT.timeLimitSeconds * 1000) / slow.looks, work);
  return [slow.result, fast.result];
}

/** Everything but what was measured. */
function unmeasured(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, held) => (/^(timing|seconds|.*Seconds)$/.test(key) ? undefined : held)),
  );
}

test.each([
  "paper/autoshard-0.yaml",
  "tiny/placement-torchrec.yaml",
  "tiny/placement-phases.yaml",
  "tiny/placement-migration.yaml",
  "tiny/placement-second-goal.yaml",
  "costs/learned-10x2.yaml",
  "tiny/host-binds.yaml",
  "towers/planted-40x8.yaml",
  "tiny/towers-joint.yaml",
])(
  "%s has the same plan on a slow machine",
  async (file) => {
    const [slow, fast] = await onBothClocks(() => planInstance(`instances/${file}`, LIMIT));
    expect(slow).toMatchObject({ status: "proved" });
    expect(unmeasured(fast)).toEqual(unmeasured(slow));
  },
  240_000,
);

test("a program has the same answer on a slow machine, a general solver asked on the way", async () => {
  const program = await loadProgram("instances/programs/makespan-20x3.lp");
  const [slow, fast] = await onBothClocks(() => solveProgram(program, LIMIT));
  expect(slow.outcome.status).toBe("proved");
  expect(slow.asked.length).toBe(1);
  const told = ({ certificate, point, asked, nodes }: typeof slow) => ({
    certificate,
    point: point?.map(String),
    asked,
    nodes,
  });
  expect(unmeasured(told(fast))).toEqual(unmeasured(told(slow)));
});

test("a frontier has the same points on a slow machine", async () => {
  const draw = () => rowTiersFrontier("instances/paper/flexshard-rm1.yaml", { ...LIMIT, points: 3 });
  const [slow, fast] = await onBothClocks(draw);
  expect(slow.optimal.length).toBeGreaterThan(3);
  expect(unmeasured(fast)).toEqual(unmeasured(slow));
});
