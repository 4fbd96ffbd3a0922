import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "./packed.js";

const MAIN = "dist/src/cli/main.js";

test("in a clone `npx shardproof` is what was built, and builds nothing, the first time too", {
  timeout: 120_000,
}, async () => {
  const cache = mkdtempSync(join(tmpdir(), "shardproof-npx-"));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  const built = () => statSync(MAIN, { bigint: true }).birthtimeNs;
  const before = built();
  const { stdout } = await run("npx", ["shardproof", "--version"], {
    env: { ...process.env, npm_config_cache: cache },
  });
  expect(existsSync(join(cache, "_npx"))).toBe(true);
  expect(stdout.trim()).toBe(JSON.parse(readFileSync("package.json", "utf8")).version);
  expect(built()).toBe(before);
});
