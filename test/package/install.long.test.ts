import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packedInto, run } from "./packed.js";

/** What is published, installed where nothing is: `npm run release:check` builds and runs this folder. */
const hasRegistry = spawnSync("npm", ["ping", "--fetch-retries=0", "--fetch-timeout=5000"]).status === 0;
/** pip, and an index with the builder that it is to fetch. */
const asked = ["install", "--dry-run", "--quiet", "--ignore-installed", "--no-deps", "setuptools"];
const hasPip = spawnSync("python3", ["-m", "pip", ...asked]).status === 0;

describe.skipIf(!hasRegistry)("installed in an empty project (skipped without a registry of packages)", () => {
  const folder = mkdtempSync(join(tmpdir(), "shardproof-install-"));
  const project = join(folder, "project");
  const installed = join(project, "node_modules/shardproof");
  let said = "";

  beforeAll(async () => {
    const { tarball } = await packedInto(folder);
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", private: true }));
    // Without what is optional: DuckDB alone is twenty times the rest.
    const options = ["--omit=optional", "--prefer-offline", "--no-audit", "--no-fund"];
    const { stdout, stderr } = await run("npm", ["install", ...options, tarball], { cwd: project });
    said = stdout + stderr;
  }, 300_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A command of the installed program, in its own folder, whose instances the pages name. */
  const shardproof = (...words: string[]) =>
    spawnSync(join(project, "node_modules/.bin/shardproof"), words, { cwd: installed, encoding: "utf8" });

  test("npm warns of nothing, and nothing runs as it installs", () => {
    expect(said).not.toMatch(/warn|deprecated|scripts/i);
    const { scripts, version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(scripts).toBeUndefined();
    expect(shardproof("--version").stdout).toBe(`${version}\n`);
  });

  test("plans and verifies, with threads that are found", () => {
    const plan = join(folder, "plan.json");
    const planned = shardproof("plan", "instances/tiny/placement-torchrec.yaml", "--out", plan);
    expect(planned).toMatchObject({ status: 0, stdout: expect.stringContaining("proved: no plan is better than") });
    expect(shardproof("verify", plan)).toMatchObject({ status: 0, stdout: expect.stringMatching(/\nverified\n$/) });
    expect(shardproof("solve", "instances/programs/knapsack-30.mps")).toMatchObject({ status: 0 });
  });

  test("says what is not with it, and how to get it", () => {
    const log = join(folder, "log.csv");
    writeFileSync(log, "item,user\n1,2\n1,3\n");
    const profiled = shardproof("profile", log, "--row", "item");
    expect(profiled.status).toBe(2);
    expect(profiled.stderr).toMatch(/needs DuckDB, which is not installed; .*npm install @duckdb\/node-api/);
    const reproduced = shardproof("reproduce", "autoshard", "--quick", "--quiet");
    expect(reproduced.status).toBe(2);
    expect(reproduced.stderr).toMatch(/is not in the package; .*shardproof learn-policy \S+ --cost \S+ --out \S+\n$/);
  });

  test("compiles and runs in strict TypeScript, its declarations checked too", async () => {
    const examples = readdirSync(join(installed, "examples")).filter((file) => file.endsWith(".ts"));
    for (const file of examples) cpSync(join(installed, "examples", file), join(project, file));
    const { compilerOptions } = JSON.parse(readFileSync(join(installed, "examples/tsconfig.json"), "utf8"));
    const options = { ...compilerOptions, outDir: "made", typeRoots: [resolve("node_modules/@types")] };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
    expect(options).toMatchObject({ strict: true, skipLibCheck: false });
    const compiler = resolve("node_modules/typescript/bin/tsc");
    await run(process.execPath, [compiler, "-p", project]).catch(({ stdout }) => expect(stdout).toBe(""));
    const { stdout } = await run(process.execPath, [join(project, "made/plan-rows.js")], { cwd: installed });
    expect(stdout).toContain("proved");
  });

  test.skipIf(!hasPip)(
    "its Python package builds and is imported (skipped without pip and an index of packages)",
    async () => {
      const target = join(folder, "python");
      const options = ["--quiet", "--no-deps", "--disable-pip-version-check", "--target", target];
      await run("python3", ["-m", "pip", "install", ...options, join(installed, "python")]);
      const words = ["-c", "import shardproof_torchrec; print(shardproof_torchrec.__file__)"];
      const { stdout } = await run("python3", words, { cwd: folder, env: { ...process.env, PYTHONPATH: target } });
      expect(stdout.trim()).toBe(join(target, "shardproof_torchrec/__init__.py"));
    },
  );
});
