import { readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { run } from "./packed.js";

const MAIN = "dist/src/cli/main.js";

test("in a clone `npx shardproof` is what was built, and builds nothing", { timeout: 120_000 }, async () => {
  await run(process.execPath, ["release/link-command.mjs"]);
  const built = () => statSync(MAIN, { bigint: true }).birthtimeNs;
  const before = built();
  const { stdout } = await run("npx", ["shardproof", "--version"]);
  expect(stdout.trim()).toBe(JSON.parse(readFileSync("package.json", "utf8")).version);
  expect(built()).toBe(before);
});
