import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { runCli } from "./run-cli.js";

test.runIf(existsSync("/dev/full"))("standard output that cannot be written is one line and exit 2", () => {
  const { status, stderr } = spawnSync(
    "sh",
    ["-c", `"${process.execPath}" dist/src/cli/main.js plan instances/tiny/two-tiers.yaml > /dev/full`],
    { encoding: "utf8" },
  );
  expect(stderr).toMatch(/^standard output cannot be written \(no space left\)[^\n]*\n$/);
  expect(status).toBe(2);
});

test("--out - is refused: standard output is what --json is for", async () => {
  const { status, stdout, stderr } = await runCli(["plan", "instances/tiny/two-tiers.yaml", "--out", "-"]);
  expect(stderr).toMatch(/^expected a file to write, received -[^\n]*\n$/);
  expect(stdout).toBe("");
  expect(status).toBe(2);
});
