import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { readRemap } from "../../src/interop/remap/read-remap.js";
import { runCli, runProcess, temporaryFolder } from "./run-cli.js";

const OLD = `{"old": true}\n`;
const NEW_LENGTH = 50_000_000;

/** Sends a signal as soon as anything in a folder is other than it was. */
function whenTouched(folder: string, child: ChildProcess, signal: NodeJS.Signals, file: string): void {
  const before = readdirSync(folder).length;
  const timer = setInterval(() => {
    const isTouched = readdirSync(folder).length !== before || readFileSync(file).length !== OLD.length;
    if (!isTouched && child.exitCode === null) return;
    clearInterval(timer);
    child.kill(signal);
  }, 0);
}

test.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
  "%s while a file is written leaves the old one or the new one whole",
  async (signal) => {
    const folder = temporaryFolder();
    const file = join(folder, "plan.json");
    writeFileSync(file, OLD);
    const streams = JSON.stringify(resolve("build/src/cli/terminal/streams.js"));
    const script = `import { writeOutput } from ${streams};
      await writeOutput(${JSON.stringify(file)}, "x".repeat(${NEW_LENGTH}));`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
    whenTouched(folder, child, signal, file);
    await new Promise((resolved) => child.on("close", resolved));
    const text = readFileSync(file, "utf8");
    expect(text === OLD || text.length === NEW_LENGTH, `${text.length} characters are there`).toBe(true);
    if (signal !== "SIGKILL") expect(readdirSync(folder)).toEqual(["plan.json"]);
  },
);

/** Plans of one table: of few rows, and of so many that writing their remap takes a while. */
async function plans(folder: string): Promise<readonly [few: string, many: string]> {
  const plain = readFileSync("instances/tiny/two-tiers.yaml", "utf8");
  const head = plain.slice(0, plain.indexOf("tables:"));
  const files = [];
  for (const rows of [10, 20_000_000]) {
    const instance = join(folder, `${rows}.yaml`);
    const access = `{histogram: [[${rows}, 0.5]]}`;
    writeFileSync(
      instance,
      `${head}tables:\n  - {name: t, rows: ${rows}, dim: 4, dataType: fp32, access: ${access}}\n`,
    );
    const plan = join(folder, `${rows}.json`);
    const { status, stderr } = await runCli(["plan", instance, "--method", "row-wise", "--out", plan]);
    expect([status, stderr]).toEqual([0, ""]);
    files.push(plan);
  }
  return files as [string, string];
}

test("a remap that is being written again is the old one until the new one is whole", async () => {
  const folder = temporaryFolder();
  const [few, many] = await plans(folder);
  const out = join(folder, "remap");
  expect((await runCli(["export", few, "--to", "remap", "--ids-are-ranks", "--out", out])).status).toBe(0);
  const files = readdirSync(out);
  const digest = (await readRemap(out)).manifest.plan.digest;
  for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
    const killed = await runProcess(["export", many, "--to", "remap", "--ids-are-ranks", "--out", out], {
      onStart: (child) => {
        const timer = setInterval(() => {
          const isWriting =
            readFileSync(join(out, "t.tier.npy")).length > 1000 || readdirSync(out).length > files.length;
          if (!isWriting && child.exitCode === null) return;
          clearInterval(timer);
          child.kill(signal);
        }, 1);
      },
    });
    expect([killed.stdout, killed.stderr]).toEqual(["", ""]);
    if (signal === "SIGKILL") expect(killed.signal).toBe(signal);
    else expect([killed.status, readdirSync(out)]).toEqual([130, files]);
    const left = await readRemap(out);
    expect([left.manifest.tables[0]?.rows, left.manifest.plan.digest]).toEqual([10, digest]);
  }
  // What a kill has left hinders nobody.
  expect((await runCli(["export", few, "--to", "remap", "--ids-are-ranks", "--out", out])).status).toBe(0);
});

test("a remap that Ctrl-C ends leaves no folder that was not there", async () => {
  const folder = temporaryFolder();
  const [, many] = await plans(folder);
  const out = join(folder, "new", "remap");
  const { status } = await runProcess(["export", many, "--to", "remap", "--ids-are-ranks", "--out", out], {
    onStart: (child) => {
      const timer = setInterval(() => {
        if (!existsSync(out) && child.exitCode === null) return;
        clearInterval(timer);
        child.kill("SIGINT");
      }, 1);
    },
  });
  expect([status, existsSync(join(folder, "new"))]).toEqual([130, false]);
});

test("a plan goes into a pipe by way of /dev/stdout", () => {
  const args = ["dist/src/cli/main.js", "plan", "instances/tiny/two-tiers.yaml", "--method", "row-wise", "--json"];
  const command = [process.execPath, ...args, "--out", "/dev/stdout"].join(" ");
  const { status, stdout, stderr } = spawnSync("sh", ["-c", `${command} | cat`], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  const half = stdout.slice(0, stdout.length / 2);
  expect([JSON.parse(half).method, stdout === half + half]).toEqual(["row-wise", true]);
});
