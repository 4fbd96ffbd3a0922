/**
 * Plans shipped instances, solves shipped programs and draws frontiers of rows again and again, the machine idle and
 * with every core busy, and counts the different files, timing apart: `npm run bench -- determinism [PATTERN [TIMES
 * [SECONDS [WORK]]]]`. Of what ends within half the limit there may be one file only; what does not is broken off there. With
 * WORK, seconds of work that searches end after, plans are made three times: as they are, on one core, and with a small heap; of
 * each instance there may be one file only, and none may take all of the time. Needs `npm run build`.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { Worker } from "node:worker_threads";
import { table } from "../src/terminal/table.js";

const [, , , pattern = ".", times = "10", seconds = "60", work] = process.argv;
const INSTANCES = new URL("../../instances/", import.meta.url).pathname;
const PROGRAM = new URL("../../dist/src/cli/main.js", import.meta.url).pathname;
const BUSY = "for (;;);";

/** Points of a frontier beside the instance's own budget. */
const POINTS = "4";

/** What is run on a file. */
interface Task {
  readonly name: string;
  readonly args: readonly string[];
}

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

/** How a program is run: what is before Node, and Node's own options. */
interface Way {
  readonly before?: readonly string[];
  readonly options?: readonly string[];
}

const WAYS: Readonly<Record<string, Way>> = {
  plain: {},
  "one core": { before: ["taskset", "-c", "0"] },
  "small heap": { options: ["--max-old-space-size=192"] },
};

/** `null` where it took more than half the limit, and `mayTakeLong` did not allow that. */
async function run(
  { args }: Task,
  mayTakeLong: boolean,
  { before = [], options: own = [] }: Way = {},
): Promise<Run | null> {
  const started = performance.now();
  const limits = [...(work === undefined ? [] : ["--work-limit", work]), "--time-limit", seconds];
  const timeout = mayTakeLong ? undefined : Number(seconds) * 500;
  const [command = process.execPath, ...rest] = [
    ...before,
    process.execPath,
    ...own,
    PROGRAM,
    ...args,
    "--json",
    "--quiet",
  ];
  const child = spawn(command, [...rest, ...limits], { stdio: ["ignore", "pipe", "ignore"], timeout });
  const parts: Buffer[] = [];
  for await (const part of child.stdout) parts.push(part as Buffer);
  if (child.signalCode !== null || child.killed) return null;
  const text = Buffer.concat(parts).toString();
  const made = text === "" ? {} : (JSON.parse(text) as { readonly status?: string });
  const digest = createHash("sha256")
    .update(JSON.stringify(withoutTiming(made)))
    .digest("hex")
    .slice(0, 8);
  return { digest, status: made.status ?? "none", seconds: (performance.now() - started) / 1000 };
}

async function several(task: Task): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (let k = 0; k < Number(times); k++) runs.push((await run(task, true)) as Run);
  return runs;
}

/** What there is to run on a shipped file. */
function tasksOf(file: string): readonly Task[] {
  const path = INSTANCES + file;
  if (/\.(mps|lp)$/.test(file)) return work === undefined ? [{ name: file, args: ["solve", path] }] : [];
  if (!file.endsWith(".yaml")) return [];
  const plan = { name: file, args: ["plan", path] };
  if (work !== undefined) return [plan];
  const isRows = /^problem: row-tiers/m.test(readFileSync(path, "utf8"));
  return isRows ? [plan, { name: `${file} frontier`, args: ["frontier", path, "--points", POINTS] }] : [plan];
}

async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  const loads = cpus().map(() => new Worker(BUSY, { eval: true }));
  try {
    return await work();
  } finally {
    await Promise.all(loads.map((load) => load.terminate()));
  }
}

const tasks = (readdirSync(INSTANCES, { recursive: true }) as string[])
  .filter((name) => !name.includes("bad/"))
  .sort()
  .flatMap(tasksOf)
  .filter(({ name }) => new RegExp(pattern).test(name));
const rows: string[][] = [];
let isSame = true;
for (const task of tasks) {
  if (work !== undefined) {
    const runs = [];
    for (const way of Object.values(WAYS)) runs.push((await run(task, true, way)) as Run);
    const [first] = runs as [Run, ...Run[]];
    const isOne = runs.every(({ digest }) => digest === first.digest);
    const late = runs.some((one) => one.seconds >= Number(seconds));
    isSame &&= isOne && !late;
    const longest = Math.max(...runs.map((one) => one.seconds)).toFixed(1);
    rows.push([
      task.name,
      first.status,
      longest,
      ...runs.map(({ digest }) => digest),
      late ? "LATE" : isOne ? "yes" : "NO",
    ]);
    console.error(rows.at(-1)?.join(" "));
    continue;
  }
  const first = await run(task, false);
  if (first === null) {
    rows.push([task.name, "", `over ${Number(seconds) / 2}`, "", ""]);
    continue;
  }
  const idle = await several(task);
  const busy = await whileBusy(() => several(task));
  const share = (runs: readonly Run[]) =>
    `${runs.filter(({ digest }) => digest === first.digest).length}/${runs.length}`;
  isSame &&= [...idle, ...busy].every(({ digest }) => digest === first.digest);
  rows.push([task.name, first.status, first.seconds.toFixed(1), share(idle), share(busy)]);
  console.error(rows.at(-1)?.join(" "));
}
console.log(
  work === undefined
    ? table(["instance", "status", "seconds", "idle, the same", "busy, the same"], rows, "lllrr")
    : table(["instance", "status", "longest s", ...Object.keys(WAYS), "the same"], rows, "llrllll"),
);
if (!isSame) process.exitCode = 1;
