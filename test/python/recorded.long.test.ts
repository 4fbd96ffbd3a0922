import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** The planner for TorchRec, against options recorded from it: these tests need neither torch nor TorchRec. */
test.skipIf(!hasPython)("the Python package (skipped without python3)", { timeout: 600_000 }, () => {
  const words = ["-B", "-m", "unittest", "discover", "-s", "python/tests", "-v"];
  const { status, stderr } = spawnSync("python3", words, { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  expect(stderr).toMatch(/Ran [4-9]\d tests/);
  expect(stderr).toMatch(/^test_planner .*skipped|skipped=|^OK$/m);
});
