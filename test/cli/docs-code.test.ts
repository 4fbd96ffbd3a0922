import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

const run = promisify(execFile);

const PAGES = ["README.md", "CONTRIBUTING.md", "src/proof/README.md", ...markdownIn("docs"), ...markdownIn("examples")];

/** Inside the package, so that it knows itself by its name. */
const FOLDER = "dist-docs-code";
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** What a page may take for given. */
const GIVEN = "declare const modelText: string;\ndeclare const certificateText: string;\n";

test("the guide's code is that of the examples, which are run", () => {
  const examples = markdownFree("examples").map((file) => readFileSync(join("examples", file), "utf8"));
  const blocks = blocksIn("docs/library.md", "ts");
  expect(blocks.length).toBeGreaterThan(5);
  expect(blocks.filter((block) => !examples.some((text) => text.includes(block)))).toEqual([]);
});

test("the code of every other page compiles against the declarations of the build", async () => {
  mkdirSync(FOLDER, { recursive: true });
  const pages = PAGES.flatMap((page) => {
    const languages = page === "docs/library.md" ? ["js"] : ["ts", "js"];
    return languages.flatMap((language) => blocksIn(page, language).map((code) => ({ page, code })));
  });
  expect(pages.length).toBeGreaterThan(2);
  pages.forEach(({ page, code }, k) => {
    writeFileSync(join(FOLDER, `${page.replace(/\W/g, "-")}-${k}.ts`), `${GIVEN}${code}`);
  });
  const config = {
    extends: "../examples/tsconfig.json",
    compilerOptions: { noEmit: true, rootDir: "." },
    include: ["*.ts"],
  };
  writeFileSync(join(FOLDER, "tsconfig.json"), JSON.stringify(config));
  const tsc = run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", FOLDER]);
  expect(await tsc.then(({ stdout }) => stdout).catch(({ stdout }: { stdout: string }) => stdout)).toBe("");
});

// Links are looked at in test/unit/docs/links.test.ts.
test("every file of the house that a page names is there", () => {
  const missing = PAGES.flatMap((page) => {
    const text = readFileSync(page, "utf8").replace(/^```[\s\S]*?^```/gm, "");
    const named = [...text.matchAll(/`((?:src|models|test|bench)\/[\w./-]*\w)`/g)].map(([, path]) => path as string);
    return named.filter((path) => !existsSync(path)).map((path) => `${page}: ${path}`);
  });
  expect(missing).toEqual([]);
});

test("what CONTRIBUTING.md says where to look for is there", () => {
  const rows = [...readFileSync("CONTRIBUTING.md", "utf8").matchAll(/^\| [^|`]+ \| `([^`]+)` \| `([^`]+)` \|$/gm)];
  expect(rows).toHaveLength(5);
  const lost = rows.filter(([, file, words]) => !readFileSync(file as string, "utf8").includes(words as string));
  expect(lost).toEqual([]);
});

function blocksIn(page: string, language: string): string[] {
  const text = readFileSync(page, "utf8");
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, code]) =>
    name === language ? [code as string] : [],
  );
}

function markdownIn(folder: string): string[] {
  return readdirSync(folder).flatMap((file) => (file.endsWith(".md") ? [`${folder}/${file}`] : []));
}

function markdownFree(folder: string): string[] {
  return readdirSync(folder).filter((file) => file.endsWith(".ts"));
}
