import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packedInto, run } from "./packed.js";

/** The package as it is published, of what is built; `npm run release:check` builds and runs this folder. */
const folder = mkdtempSync(join(tmpdir(), "shardproof-package-"));
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
let tarball = "";
let unpacked = "";
let files: readonly string[] = [];

beforeAll(async () => {
  const packed = await packedInto(folder);
  ({ tarball, files, unpacked } = packed);
  process.stdout.write(`${manifest.name} ${manifest.version}: ${packed.size} bytes packed, ${files.length} files\n`);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("at most 2 MB and 1,000 files", () => {
  expect(statSync(tarball).size).toBeLessThanOrEqual(2_000_000);
  expect(files.length).toBeLessThanOrEqual(1000);
});

test("what users need is in it: the program, its declarations, instances, examples, pages", () => {
  expect(files).toEqual(
    expect.arrayContaining([
      ...["README.md", "CHANGELOG.md", "LICENSE", "package.json", "docs/library.md"],
      ...["dist/src/cli/main.js", "dist/src/index.d.ts", "dist/models/table-placement/evaluate.d.ts"],
      ...["dist/src/cli/worker/solve-main.js", "dist/src/cli/worker/thread.js", "dist/src/solvers/worker/main.js"],
      ...["python/pyproject.toml", "python/README.md", "python/shardproof_torchrec/planner.py"],
      ...["instances/paper/flexshard-rm1.yaml", "instances/costs/cpu-4-workers.json", "examples/plan-rows.ts"],
    ]),
  );
});

test("nothing else is: no maps, no sources, no instances made to break readers, no expected results", () => {
  const strays = files.filter(
    (file) =>
      /\.map$|^src\/|^test\/|^bench\/|^docs\/(site|playground)\/|^instances\/hostile\/|\.expected\.json$/.test(file) ||
      (/\.tsx?$/.test(file) && !/\.d\.ts$|^examples\//.test(file)),
  );
  expect(strays).toEqual([]);
});

test("the Python package is without its tests", () => {
  expect(files.filter((file) => /^python\/.*(tests|__pycache__|build|egg-info)\b/.test(file))).toEqual([]);
});

test("no file names a source map", () => {
  const scripts = files.filter((file) => file.startsWith("dist/") && file.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(100);
  const texts = scripts.map((file) => readFileSync(join(unpacked, file), "utf8"));
  expect(texts.filter((text) => /^\/\/# sourceMappingURL=/m.test(text))).toEqual([]);
});

test("publint has nothing against it", async () => {
  const { messages, pkg } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
    strict: true,
  });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test("are the types wrong? not at any entry", async () => {
  // Node's own resolution of modules alone: there is no CommonJS build.
  const profile = ["--profile", "esm-only", "--format", "json"];
  const { stdout } = await run(process.execPath, [
    "node_modules/@arethetypeswrong/cli/dist/index.js",
    tarball,
    ...profile,
  ]);
  const { analysis } = JSON.parse(stdout);
  const entries = Object.keys(manifest.exports);
  expect(Object.keys(analysis.entrypoints).sort()).toEqual(entries.sort());
  const problems = analysis.problems.filter(
    ({ resolutionKind }: { resolutionKind?: string }) =>
      resolutionKind === "node16-esm" || resolutionKind === "bundler",
  );
  expect(problems).toEqual([]);
}, 300_000);

test("it says whose it is", () => {
  expect(manifest).toMatchObject({
    author: expect.any(String),
    homepage: expect.stringMatching(/^https:/),
    bugs: { url: expect.stringMatching(/^https:/) },
    repository: { type: "git", url: expect.stringMatching(/^git\+https:.*\.git$/) },
  });
});
