import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { commandsIn, runCli, temporaryFolder } from "./run-cli.js";

let bash = "";
let zsh = "";

beforeAll(async () => {
  const scripts = await Promise.all(["bash", "zsh"].map((shell) => runCli(["completion", shell])));
  for (const { status, stderr } of scripts) expect([status, stderr]).toEqual([0, ""]);
  [bash, zsh] = scripts.map(({ stdout }) => stdout) as [string, string];
});

const hasBash = spawnSync("bash", ["-c", ":"]).status === 0;
const hasZsh = spawnSync("zsh", ["-c", ":"]).status === 0;

/** What bash offers for a line with the cursor at its end. */
function offered(line: string): readonly string[] {
  const { stdout, stderr, status } = spawnSync(
    "bash",
    [
      "--norc",
      "-c",
      // As bash itself does it: the function that is registered for the command, with the line in variables.
      `eval "$2"
       [[ $(complete -p shardproof) == *' -F _shardproof '* ]] || exit 1
       COMP_LINE=$1 COMP_POINT=\${#1}
       _shardproof
       printf '%s\\n' "\${COMPREPLY[@]}"`,
      "bash",
      line,
      bash,
    ],
    { encoding: "utf8" },
  );
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").filter((text) => text !== "");
}

describe.runIf(hasBash)("bash", () => {
  test("the script is one that bash reads", () => {
    expect(spawnSync("bash", ["-n"], { encoding: "utf8", input: bash })).toMatchObject({ status: 0, stderr: "" });
  });

  test("all commands that help lists", async () => {
    const { stdout } = await runCli(["--help"]);
    const listed = commandsIn(stdout);
    expect(listed.length).toBeGreaterThan(10);
    expect(offered("shardproof ")).toEqual(listed);
  });

  test.each([
    { line: "shardproof rep", offers: ["report", "reproduce"] },
    { line: "shardproof --v", offers: ["--version"] },
    { line: "shardproof plan --m", offers: ["--memory-limit", "--method"] },
    { line: "shardproof plan --method flexshard", offers: ["flexshard-2tier", "flexshard-3tier"] },
    { line: "shardproof plan --method tp", offers: ["tp", "tp-swap"] },
    { line: "shardproof plan x.yaml --solver ", offers: ["highs", "glpk", "native:cbc", "native:glpsol"] },
    { line: "shardproof plan --solver=g", offers: ["glpk"] },
    // After a colon bash has a word of its own.
    { line: "shardproof plan --solver native:", offers: ["cbc", "glpsol"] },
    { line: "shardproof reproduce ", offers: ["flexshard", "autoshard", "dmt", "joint"] },
    { line: "shardproof reproduce --time-limit ", offers: [] },
    { line: "shardproof reproduce --time-limit 3 d", offers: ["dmt"] },
    { line: "shardproof import ", offers: ["torchrec"] },
    { line: "shardproof export plan.json --to l", offers: ["lp"] },
    { line: "shardproof completion ", offers: ["bash", "zsh"] },
    { line: "shardproof study ru", offers: ["run"] },
    { line: "shardproof study run --l", offers: ["--lines"] },
    { line: "shardproof profile mer", offers: ["merge"] },
    { line: "shardproof profile merge --pl", offers: ["--plan"] },
    { line: "shardproof profile sql x --dialect tr", offers: ["trino"] },
    { line: "shardproof study submit x --to ", offers: ["local", "parallel", "slurm"] },
    { line: "shardproof nonsense ", offers: [] },
  ])("$line", ({ line, offers }) => {
    expect(offered(line)).toEqual(offers);
  });

  test("files by what the command reads, and the folders on the way", () => {
    expect(offered("shardproof solve instances/programs/")).toEqual(
      expect.arrayContaining(["instances/programs/knapsack-30.mps", "instances/programs/production.lp"]),
    );
    expect(offered("shardproof solve instances/programs/").filter((name) => name.endsWith(".json"))).toEqual([]);
    expect([...offered("shardproof plan instances/tiny/two-tiers")].sort()).toEqual([
      "instances/tiny/two-tiers.expected.json",
      "instances/tiny/two-tiers.yaml",
    ]);
    expect(offered("shardproof compare a.yaml instances/pap")).toEqual(["instances/paper"]);
    expect(offered("shardproof import torchrec examples/torchrec-p")).toEqual(["examples/torchrec-problem.json"]);
    expect(offered("shardproof profile --temp-directory instances/ti")).toEqual(["instances/tiny"]);
  });
});

test("zsh's script names every command, and the values of options", () => {
  expect(zsh).toMatch(/^#compdef shardproof\n/);
  expect(zsh).toContain("'plan:solve an instance, prove the answer, print the plan'");
  expect(zsh).toContain("(highs glpk native\\:cbc native\\:glpsol)");
  expect(zsh).toContain(`'1:model:_files -g "*(.mps|.lp)"'`);
});

test.runIf(hasZsh)("zsh reads its script (skipped without zsh)", () => {
  const file = join(temporaryFolder(), "completion.zsh");
  writeFileSync(file, zsh);
  expect(spawnSync("zsh", ["-n", file], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  const loaded = `compdef() { print registered $1 for $2 }; source ${file}`;
  expect(spawnSync("zsh", ["-f", "-c", loaded], { encoding: "utf8" }).stdout).toBe(
    "registered _shardproof for shardproof\n",
  );
});

test("a shell that there is no script for is one line", async () => {
  const { status, stderr } = await runCli(["completion", "fish"]);
  expect(stderr).toContain("Allowed choices are bash, zsh; see shardproof completion --help");
  expect(status).toBe(2);
});
