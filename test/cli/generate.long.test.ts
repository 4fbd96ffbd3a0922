import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, temporaryFolder } from "./run-cli.js";

test("an instance on standard output, in a file, and many in a folder: the same bytes", async () => {
  const folder = temporaryFolder();
  const args = ["generate", "towers", "--set", "features=8", "--set", "towers=2"];
  const shown = await runCli([...args, "--seed", "4"]);
  expect(shown).toMatchObject({ status: 0, stderr: "" });
  const file = join(folder, "one.yaml");
  expect(await runCli([...args, "--seed", "4", "--out", file])).toMatchObject({ status: 0, stdout: "", stderr: "" });
  expect(readFileSync(file, "utf8")).toBe(shown.stdout);
  const many = join(folder, "made", "here");
  expect(await runCli([...args, "--seed", "3", "--count", "3", "--out", many])).toMatchObject({
    status: 0,
    stdout: "",
  });
  expect(readdirSync(many)).toEqual(["embedded-8x2-3.yaml", "embedded-8x2-4.yaml", "embedded-8x2-5.yaml"]);
  expect(readFileSync(join(many, "embedded-8x2-4.yaml"), "utf8")).toBe(shown.stdout);
});

test.each(["rows", "tables", "towers"])("generate %s --describe lists options, as the page does", async (kind) => {
  const { status, stdout } = await runCli(["generate", kind, "--describe"]);
  expect(status).toBe(0);
  const options = [...stdout.matchAll(/^ {2}([a-z]\w+) /gm)]
    .map(([, name]) => name)
    .filter((name) => name !== "option");
  expect(options.length).toBeGreaterThan(5);
  const page = readFileSync("docs/generators.md", "utf8");
  expect(options.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
});

test.each([
  { args: ["boxes"], says: "Allowed choices are rows, tables, towers" },
  { args: ["rows", "--set", "tables"], says: '--set: expected NAME=VALUE, such as features=40, received "tables"' },
  { args: ["rows", "--set", "tables=[1"], says: '--set: expected a value in YAML for tables, received "[1"' },
  { args: ["rows", "--set", "tables=1", "--set", "tables=2"], says: "--set: tables was given twice" },
  { args: ["rows", "--set", "tabels=1"], says: "generate rows: tabels: unknown key; did you mean tables?" },
  { args: ["rows", "--count", "3"], says: "--count needs --out FOLDER" },
  { args: ["rows", "--count", "0"], says: "Expected an integer of at least 1" },
  { args: ["rows", "--out", "no-such-folder/a.yaml"], says: "expected a folder that can be written to" },
])("generate $args is one line on standard error and exit status 2", async ({ args, says }) => {
  const { status, stdout, stderr } = await runCli(["generate", ...args]);
  expect(stderr).toContain(says);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect([status, stdout]).toEqual([2, ""]);
});
