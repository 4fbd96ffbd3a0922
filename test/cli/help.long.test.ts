import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { helpAtWidth } from "../../src/cli/terminal/help-lines.js";
import { someOf } from "../support/draws.js";
import { bytesOf, npy } from "../support/npy.js";
import { commandsIn, runCli } from "./run-cli.js";

const MAIN = resolve("dist/src/cli/main.js");

/** What is added to the command of an example that would take long as it is. */
const CHEAPER: Readonly<Record<string, string>> = { "learn-cost": "--epochs 1", "learn-policy": "--steps 100" };

/** Every command, as help names it; `""` is the program itself. */
const COMMANDS = await (async () => {
  return ["", ...commandsIn((await runCli(["--help"])).stdout)];
})();

const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), "shardproof-help-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with what the examples name, and nothing else. */
function folderFor(command: string): string {
  const own = join(folder, `of-${command}`);
  mkdirSync(own);
  for (const name of ["instances", "examples"]) symlinkSync(resolve(name), join(own, name));
  writeFileSync(join(own, "embeddings.npy"), npy("<f4", bytesOf(Float32Array.of(3, 0, 2, 2, 1, 1)), "1, 3, 2"));
  return own;
}

interface Example {
  readonly commands: readonly string[];
  /** Lines of the last command's answer. */
  readonly answer: readonly string[];
}

function exampleIn(help: string): Example {
  const example = (help.split("\nExample:\n")[1] ?? "").replace(/ \\\n */g, " ");
  const lines = example.split("\n").map((line) => line.trim());
  const isCommand = (line: string) => line.startsWith("$ ");
  return {
    commands: lines.filter(isCommand).map((line) => line.slice(2)),
    answer: lines.filter((line) => !isCommand(line) && line !== "" && line !== "…"),
  };
}

test("every command is there", () => {
  expect(COMMANDS).toEqual(expect.arrayContaining(["", "plan", "solve", "schema", "completion", "import"]));
});

// Each runs on something small in every-command.test.ts.
test.concurrent.each(someOf(COMMANDS, 8))(
  "the example of %j runs, and answers what help says",
  { timeout: 300_000 },
  async (command) => {
    const { stdout: help } = await runCli([...(command === "" ? [] : [command]), "--help"]);
    const { commands, answer } = exampleIn(help);
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.at(-1)).toContain(`shardproof ${command}`.trimEnd());
    const own = folderFor(command);
    let output = "";
    for (const [index, text] of commands.entries()) {
      const isLast = index === commands.length - 1;
      const script = `shardproof() { "${process.execPath}" "${MAIN}" "$@"; }\n${text}`;
      const cheaper = isLast && command in CHEAPER ? ` ${CHEAPER[command]}` : "";
      // Rejects, with what is on standard error, where the exit status is not 0.
      const { stdout, stderr } = await run("bash", ["-c", script + cheaper], { cwd: own });
      expect([text, stderr]).toEqual([text, ""]);
      output = stdout;
    }
    for (const line of answer) expect(output).toContain(line);
  },
);

test("every command's help fits 80 columns and 50 lines; narrower, it is broken between words, and none is lost", async () => {
  const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "" && word !== "\\");
  const own = async (command: string) => {
    const inner = commandsIn((await runCli([command, "--help"])).stdout);
    return [[command], ...inner.map((name) => [command, name])];
  };
  const all = [[], ...(await Promise.all(COMMANDS.slice(1).map(own))).flat()];
  expect(all).toEqual(expect.arrayContaining([["plan"], ["study"], ["study", "submit"]]));
  for (const command of all) {
    const { stdout } = await runCli([...command, "--help"]);
    const lines = stdout.trimEnd().split("\n");
    expect([command, lines.filter((line) => line.length > 80)]).toEqual([command, []]);
    expect([command, lines.length, lines.length <= 50]).toEqual([command, lines.length, true]);
    const narrow = helpAtWidth(stdout, 60);
    expect(narrow.split("\n").filter((line) => line.length > 60)).toEqual([]);
    expect(wordsOf(narrow)).toEqual(wordsOf(stdout));
  }
});

test("the first eight commands of help are those of a day, and the others are in a shorter list", async () => {
  const { stdout } = await runCli(["--help"]);
  const [own = "", more = ""] = stdout.split("\nMore commands:\n");
  expect(commandsIn(own)).toEqual(["plan", "compare", "verify", "explain", "report", "import", "export", "profile"]);
  expect(commandsIn(`\nMore commands:\n${more}`).length).toBeGreaterThan(10);
});
