import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXPORT } from "../../src/cli/tables/answers.js";
import { PROGRAM_ENDING } from "../../src/program/read-program.js";
import { STORED } from "./files.js";
import { type Ended, runCommand } from "./run-command.js";

/** The exit status of a plan, solution or frontier that is not settled. */
const NOT_SETTLED = 3;
/** Points of a frontier beside the instance's own budget. */
const POINTS = "4";
/** Plans of these small instances are exported, to every target. */
const EXPORTED = /^instances\/tiny\//;
const ROWS = /^problem: row-tiers$/m;

/** By `COMMAND FILE`. `null`: what is planned or solved is not settled within `mostSeconds`, or not at all. */
export async function digestsOf(
  file: string,
  limitSeconds: number,
  mostSeconds: number,
): Promise<readonly (readonly [task: string, digest: string])[] | null> {
  if (file.startsWith(STORED)) return [[`verify ${file}`, digestOf(await runCommand(["verify", file, "--json"]))]];
  const settling = async (command: string, ...options: readonly string[]) => {
    const args = [command, file, "--json", "--time-limit", `${limitSeconds}`, ...options];
    const ended = await runCommand(args, { mostSeconds });
    return ended === null || ended.status === NOT_SETTLED ? null : ended;
  };
  const command = PROGRAM_ENDING.test(file) ? "solve" : "plan";
  const made = await settling(command);
  if (made === null) return null;
  const digests: [string, string][] = [[`${command} ${file}`, digestOf(made)]];
  if (command === "plan" && ROWS.test(readFileSync(file, "utf8"))) {
    const drawn = await settling("frontier", "--points", POINTS);
    if (drawn !== null) digests.push([`frontier ${file}`, digestOf(drawn)]);
  }
  if (command === "plan" && EXPORTED.test(file)) {
    for (const target of EXPORT.options["--to <target>"][1]) {
      digests.push([`export ${file} --to ${target}`, await exported(file, made.stdout, target)]);
    }
  }
  return digests;
}

/** `remap` writes a folder, the others to standard output; what cannot be exported is refused in words. */
async function exported(file: string, plan: string, target: string): Promise<string> {
  const args = ["export", "-", "--to", target, "--instance", file];
  if (target !== "remap") return digestOf(await runCommand(args, { input: plan }));
  const folder = mkdtempSync(join(tmpdir(), "shardproof-digests-"));
  try {
    const out = join(folder, "remap");
    const ended = await runCommand([...args, "--ids-are-ranks", "--out", out], { input: plan });
    const written = (readdirSync(folder, { recursive: true }) as string[]).sort();
    const files = written.filter((name) => statSync(join(folder, name)).isFile());
    const texts = files.map((name) => `${name}\n${readFileSync(join(folder, name)).toString("base64")}`);
    return digestOf({ ...ended, stdout: texts.join("\n"), stderr: ended.stderr.replaceAll(folder, "") });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of what a command answered, without what was measured. */
export function digestOf({ status, stdout, stderr }: Ended): string {
  const text = /^\s*\{/.test(stdout) ? JSON.stringify(withoutTiming(JSON.parse(stdout))) : stdout;
  const said = status === 0 ? text : text + stderr;
  return `${status} ${createHash("sha256").update(said).digest("hex").slice(0, 16)}`;
}

/** Everything but what was measured, the digest of the file itself, and the names of programs, which files of 0.5.0 have not. */
function withoutTiming(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTiming);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, held]) =>
      !["timing", "digest", "provedOn"].includes(key) && !(/^seconds$|Seconds$/.test(key) && typeof held === "number"),
  );
  return Object.fromEntries(kept.map(([key, held]) => [key, withoutTiming(held)]));
}
