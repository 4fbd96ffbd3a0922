/**
 * Which shipped plans and programs have a proof that somebody else's checker accepts. `npm run bench -- vipr [PATTERN] [seconds=60]`:
 * each is planned or solved, its proof written as VIPR, either within the limit, and given to `VIPRCHK` (see docs/proofs.md), or to `verify`
 * where that is not named; of a plan with several proofs that of its own certificate. Files without a proved plan are left out. Ends with 1 where a checker refuses one. Needs `npm run build`.
 */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { table } from "../src/terminal/table.js";
import { bytes } from "../src/text/units.js";
import { Arguments } from "./arguments.js";
import { filesOf } from "./digests/files.js";

const PROGRAM = new URL("../../dist/src/cli/main.js", import.meta.url).pathname;
const { VIPRCHK } = process.env;

const given = new Arguments(process.argv.slice(3), ["seconds"]);
const limit = String(given.number("seconds", 60));
const folder = mkdtempSync(join(tmpdir(), "shardproof-vipr-"));
const [plan, proof] = ["plan.json", "proof.vipr"].map((name) => join(folder, name)) as [string, string];

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [PROGRAM, ...args, "--quiet"], { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });

/** Writes the proof of a file, and says what was said; `null` where nothing is proved that could be written. */
function write(file: string): string | null {
  rmSync(proof, { force: true });
  if (!file.endsWith(".yaml")) return run("solve", file, "--time-limit", limit, "--certificate", proof).stderr.trim();
  const extras = ["--no-baselines", "--no-prices"];
  const { status } = run("plan", file, ...extras, "--time-limit", limit, "--out", plan);
  if (status !== 0 && status !== 4) return null;
  const { stderr } = run("export", plan, "--instance", file, "--to", "vipr", "--time-limit", limit, "--out", proof);
  return stderr.trim();
}

function isAccepted(): boolean {
  if (VIPRCHK === undefined) return run("verify", proof).status === 0;
  const { stdout } = spawnSync(VIPRCHK, [proof], { encoding: "utf8", maxBuffer: 2 ** 30 });
  return stdout.includes("Successfully verified");
}

/** Too large is what was still being written at a limit. */
function whyNot(said: string): "too large" | "not proved anew" | "not written" {
  if (said.includes(" so far)") || said.includes("expected a compact program of at most")) return "too large";
  return said.includes("was not settled within") ? "not proved anew" : "not written";
}

function isAnew(): boolean {
  const [head, file] = [Buffer.alloc(4000), openSync(proof, "r")];
  readSync(file, head);
  closeSync(file);
  return head.includes("% proved anew");
}

const rows: string[][] = [];
const counts = { accepted: 0, refused: 0, "too large": 0, "not proved anew": 0, "not written": 0 };
for (const file of filesOf(new RegExp(given.words[0] ?? "^instances/"))) {
  if (file.startsWith("bench/")) continue;
  const said = write(file);
  if (said === null) continue;
  const verdict = existsSync(proof) ? (isAccepted() ? "accepted" : "refused") : whyNot(said);
  counts[verdict]++;
  const [size, how] = existsSync(proof)
    ? [bytes(statSync(proof).size), isAnew() ? "anew" : ""]
    : [/ of (\S+ \S+) so far/.exec(said)?.[1] ?? "", said];
  rows.push([file.replace("instances/", ""), verdict, size, how.slice(-160)]);
  console.error(rows.at(-1)?.join("  "));
}
rmSync(folder, { recursive: true });
console.log(table(["file", VIPRCHK === undefined ? "verify" : "viprchk", "size", "how"], rows, "llrl"));
const total = Object.entries(counts).map(([verdict, number]) => `${number} ${verdict}`);
console.log(`\n${rows.length} files: ${total.join(", ")}`);
process.exitCode = counts.refused === 0 ? 0 : 1;
