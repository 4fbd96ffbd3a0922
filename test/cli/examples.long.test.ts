import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { someOf } from "../support/draws.js";

const run = promisify(execFile);

/** What each example ends up saying; its numbers are proved anew in every run. */
const SAYS: Readonly<Record<string, RegExp>> = {
  "learn-cost": /^sets not learned from: \d+\.\d ms off, rank correlation 0\.\d+$/m,
  "plan-rows": /^proved: .*^verified: 8 checks$/ms,
  "prove-program": /^proved item0 = 5, .*^value 218, checked bound 218$/ms,
  "reproduce-flexshard": /^RM-1: RW, 2-tier, 3-tier$.*^median distance .*: 8\.\d %$/ms,
  "serve-plans": /^200 the best: 744 on 4 devices$.*^422 of 17 tables some device gets at least 5/ms,
  "shard-torchrec": /^proved: 0\.19\d* ms$.*^ {2}sparse\.ebc\.brand: \w+ on [\d, ]+$/ms,
  "simulate-plan": /^agrees: \d+ numbers compared, 0 differ$/m,
  "sweep-heuristic": /^8 devices: own rule \d+\.\d %, size-greedy \d+\.\d %, proved$/m,
};

/** Not run by itself: the thread of `serve-plans`. */
const PARTS = ["plan-worker"];

beforeAll(async () => {
  // Strict, and against the declarations of the build.
  const { stdout } = await run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "examples"]);
  expect(stdout).toBe("");
});

describe("the examples", () => {
  test("are all looked at", () => {
    const files = readdirSync("examples").flatMap((file) => (file.endsWith(".ts") ? [file.slice(0, -3)] : []));
    expect(files.sort()).toEqual([...Object.keys(SAYS), ...PARTS].sort());
  });

  test.each(someOf(Object.entries(SAYS), 2))(
    "%s runs and proves what it plans",
    async (name, says) => {
      const { stdout, stderr } = await run(process.execPath, [`dist-examples/${name}.js`]);
      expect(stderr).toBe("");
      expect(stdout).toMatch(says);
    },
    60_000,
  );

  test("print what the guide says that they print", async () => {
    const { stdout } = await run(process.execPath, ["dist-examples/sweep-heuristic.js"]);
    expect(readFileSync("docs/library.md", "utf8")).toContain(`\`\`\`\n${stdout}\`\`\`\n`);
  });
});
