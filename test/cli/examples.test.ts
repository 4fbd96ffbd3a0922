import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const run = promisify(execFile);

/** What each example ends up saying; its numbers are proved anew in every run. */
const SAYS: Readonly<Record<string, RegExp>> = {
  "compare-placements.mjs": /^optimal .* proved$/m,
  "plan-rows.mjs": /^proved: /,
  "prove-program.mjs": /^proved a = \d/,
};

describe("the examples", () => {
  test("are all looked at", () => {
    expect(readdirSync("examples").filter((file) => file.endsWith(".mjs"))).toEqual(Object.keys(SAYS));
  });

  test.each(Object.entries(SAYS))(
    "%s runs and proves what it plans",
    async (file, says) => {
      const { stdout, stderr } = await run(process.execPath, [`examples/${file}`]);
      expect(stderr).toBe("");
      expect(stdout).toMatch(says);
    },
    60_000,
  );
});
