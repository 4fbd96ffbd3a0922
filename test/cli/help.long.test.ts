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
  const lines = (help.split("\nExample:\n")[1] ?? "").split("\n").map((line) => line.trim());
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

test("on a terminal of 80 columns help is broken between words, and none is lost", async () => {
  const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "" && word !== "\\");
  for (const command of COMMANDS) {
    const { stdout } = await runCli([...(command === "" ? [] : [command]), "--help"]);
    const narrow = helpAtWidth(stdout, 80);
    expect(narrow.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(wordsOf(narrow)).toEqual(wordsOf(stdout));
  }
});

test("help fits a terminal of 130 columns, its examples apart", async () => {
  for (const command of COMMANDS) {
    const { stdout } = await runCli([...(command === "" ? [] : [command]), "--help"]);
    const wide = stdout.split("\n").filter((line) => line.length > 130 && !line.includes("$ shardproof"));
    expect(wide).toEqual([]);
  }
});
