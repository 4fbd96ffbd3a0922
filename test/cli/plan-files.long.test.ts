import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hasPython } from "../independent/recompute.js";

/** The page's Python with what it prints. */
const [, code = "", printed = ""] =
  /```python\n(.*?)```\n\n```\n(.*?)```/s.exec(readFileSync("docs/plan-files.md", "utf8")) ?? [];

test.skipIf(!hasPython)("the Python of docs/plan-files.md prints what the page says (skipped without python3)", () => {
  const command = '"npx", "shardproof"';
  expect(code).toContain(command);
  const ours = code.replace(command, JSON.stringify([process.execPath, "dist/src/cli/main.js"]).slice(1, -1));
  const { status, stdout, stderr } = spawnSync("python3", ["-c", ours], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(printed);
});
