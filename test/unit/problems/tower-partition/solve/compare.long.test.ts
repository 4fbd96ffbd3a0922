import { expect, test } from "vitest";
import { requireInstance } from "../../../../../src/instance/reader.js";
import { loadInstance } from "../../../../../src/problems/planning/instances.js";
import { towerPartitionReader } from "../../../../../src/problems/tower-partition/instance/reader.js";
import { TimeShares } from "../../../../../src/search/time/time-shares.js";
import { compareTowerPartition } from "../../../../support/planned.js";
import { onSteppingClock } from "../../../../support/stepping-clock.js";

/** Seconds that towers of 60 features without structure may take: too few to prove the best of them. */
const LIMIT = 4;

test("one time limit is for all methods and both planes together", async () => {
  const uniform = requireInstance(
    towerPartitionReader,
    await loadInstance("instances/towers/uniform-60x20-diverse.yaml"),
  );
  const instance = { ...uniform, towers: 8 };
  const { result, looks } = await onSteppingClock(2, () =>
    compareTowerPartition(instance, { timeLimitSeconds: LIMIT }),
  );
  const { rows, embeddings } = result;
  expect(rows[0]).toMatchObject({ method: "optimal", status: expect.stringMatching(/feasible|unknown/) });
  expect(embeddings).toHaveLength(2);
  // Were the whole limit each one's, the searches alone would take three times as long.
  expect((looks * 2) / 1000).toBeLessThan(2 * LIMIT);
}, 300_000);

test("a method that its share is too short for says so, and one that needs none does not", async () => {
  const criteo = requireInstance(towerPartitionReader, await loadInstance("instances/paper/criteo26.yaml"));
  const { rows, embeddings } = await compareTowerPartition(criteo, { timeLimitSeconds: 0 });
  const cutShort = rows.filter((row) => row.cutShort === true).map(({ method }) => method);
  expect(cutShort).toEqual(["tp", "tp-smacof", "swap", "tp-swap"]);
  expect(rows.map(({ value }) => typeof value)).toEqual(new Array(6).fill("number"));
  expect(embeddings).toHaveLength(2);
  const whole = await compareTowerPartition(criteo);
  expect(whole.rows.map((row) => row.cutShort)).toEqual(new Array(6).fill(undefined));
});

test("what one piece leaves over is shared among those after it", () => {
  const shares = new TimeShares(100, [6, 1, 3]);
  expect(shares.next()).toBeCloseTo(60, 0);
  // No time has passed to speak of.
  expect(shares.next()).toBeCloseTo(25, 0);
  expect(shares.next()).toBeCloseTo(100, 0);
  expect(() => shares.next()).toThrow(RangeError);
  expect(new TimeShares(0, [1]).next()).toBe(0);
});
