/**
 * Plans shipped instances again and again, the machine idle and with every core busy, and counts the different plan files,
 * timing apart: `npm run bench -- determinism [PATTERN [TIMES [SECONDS]]]`. Of those that end within half the limit there may
 * be one file only. Needs `npm run build`.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { cpus } from "node:os";
import { Worker } from "node:worker_threads";
import { table } from "../src/terminal/table.js";

const [, , , pattern = ".", times = "10", seconds = "60"] = process.argv;
const INSTANCES = new URL("../../instances/", import.meta.url).pathname;
const PROGRAM = new URL("../../dist/src/cli/main.js", import.meta.url).pathname;
const BUSY = "for (;;);";

interface Run {
  readonly digest: string;
  readonly status: string;
  readonly seconds: number;
}

/** Everything but what was measured. */
function withoutTiming(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTiming);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, held]) =>
      !["timing", "digest"].includes(key) && !(/^seconds$|Seconds$/.test(key) && typeof held === "number"),
  );
  return Object.fromEntries(kept.map(([key, held]) => [key, withoutTiming(held)]));
}

async function plan(file: string): Promise<Run> {
  const started = performance.now();
  const args = [PROGRAM, "plan", INSTANCES + file, "--json", "--quiet", "--time-limit", seconds];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const parts: Buffer[] = [];
  for await (const part of child.stdout) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  const made = text === "" ? {} : (JSON.parse(text) as { readonly status?: string });
  const digest = createHash("sha256")
    .update(JSON.stringify(withoutTiming(made)))
    .digest("hex")
    .slice(0, 8);
  return { digest, status: made.status ?? "none", seconds: (performance.now() - started) / 1000 };
}

async function several(file: string): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (let k = 0; k < Number(times); k++) runs.push(await plan(file));
  return runs;
}

async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  const loads = cpus().map(() => new Worker(BUSY, { eval: true }));
  try {
    return await work();
  } finally {
    await Promise.all(loads.map((load) => load.terminate()));
  }
}

const files = (readdirSync(INSTANCES, { recursive: true }) as string[])
  .filter((name) => name.endsWith(".yaml") && !name.includes("bad/") && new RegExp(pattern).test(name))
  .sort();
const rows: string[][] = [];
let isSame = true;
for (const file of files) {
  const first = await plan(file);
  if (first.seconds > Number(seconds) / 2) {
    rows.push([file, first.status, first.seconds.toFixed(1), "beyond half the limit", ""]);
    continue;
  }
  const idle = await several(file);
  const busy = await whileBusy(() => several(file));
  const share = (runs: readonly Run[]) =>
    `${runs.filter(({ digest }) => digest === first.digest).length}/${runs.length}`;
  isSame &&= [...idle, ...busy].every(({ digest }) => digest === first.digest);
  rows.push([file, first.status, first.seconds.toFixed(1), share(idle), share(busy)]);
  console.error(rows.at(-1)?.join(" "));
}
console.log(table(["instance", "status", "seconds", "idle, the same", "busy, the same"], rows, "lllrr"));
if (!isSame) process.exitCode = 1;
