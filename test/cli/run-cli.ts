import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import { seededRandom } from "../../src/exact/random.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { planInstance } from "../../src/problems/planning/plan.js";

const MAIN = "dist/src/cli/main.js";
/** The same program as the compiler makes it, a file a module. */
const COMPILED = "build/src/cli";

export interface CliResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command of the built program in this process, its output into pipes, one command at a time: what a command answers is
 * the same as in a process of its own, and that is not started. {@link runProcess} is for signals, streams and limits.
 */
export function runCli(args: readonly string[], { input = "" }: { readonly input?: string } = {}): Promise<CliResult> {
  const run = last.then(() => runHere(args, input));
  last = run.catch(() => {});
  return run;
}

let last: Promise<unknown> = Promise.resolve();

async function runHere(args: readonly string[], input: string): Promise<CliResult> {
  requireBuilt();
  const { argv, exitCode, stdin, env, stdout, stderr } = process;
  const written = { stdout: "", stderr: "" };
  const writes = [stdout.write, stderr.write] as const;
  const into = (name: keyof typeof written) =>
    ((chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
      written[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
      const done = rest.find((one) => typeof one === "function") as (() => void) | undefined;
      if (done !== undefined) queueMicrotask(done);
      return true;
    }) as typeof stdout.write;
  try {
    process.argv = [process.execPath, resolve(MAIN), ...args];
    process.exitCode = undefined;
    process.env = { ...env, FORCE_COLOR: "0" };
    const standardInput = Readable.from(input === "" ? [] : [Buffer.from(input)], { objectMode: false });
    Object.defineProperty(process, "stdin", { value: standardInput, configurable: true });
    [stdout.write, stderr.write] = [into("stdout"), into("stderr")];
    const { runCommandLine, workHere } = await builtCommands();
    workHere();
    await runCommandLine();
    return { status: Number(process.exitCode ?? 0), ...written };
  } finally {
    [stdout.write, stderr.write] = writes;
    Object.defineProperty(process, "stdin", { value: stdin, configurable: true });
    Object.assign(process, { argv, env });
    process.exitCode = exitCode;
  }
}

interface Built {
  readonly runCommandLine: () => Promise<void>;
  readonly workHere: () => void;
}

/** As Node loads it: compiled files are no tests' sources. */
async function builtCommands(): Promise<Built> {
  const load = (file: string) => import(/* @vite-ignore */ pathToFileURL(resolve(COMPILED, file)).href);
  return { ...(await load("command-line.js")), ...(await load("worker/run-thread.js")) };
}

function requireBuilt(): void {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is not built; run \`npm run build\` (\`npm test\` does)`);
}

export interface ProcessResult extends CliResult {
  readonly signal: NodeJS.Signals | null;
}

export interface ProcessOptions {
  readonly input?: string;
  /** After the input comes nothing more, but no end either, until the process has ended. */
  readonly inputStaysOpen?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Where it runs; default here. */
  readonly cwd?: string;
  /** Faults that the compiled program is to have: see test/support/planted-fault.mjs. */
  readonly planted?: readonly PlantedFault[];
  /** Gets the process once it runs. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** What is replaced in a file of the compiled program; `file`: the end of its path. */
export interface PlantedFault {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Runs the built command line in a process of its own, its output into pipes. */
export function runProcess(
  args: readonly string[],
  { input, inputStaysOpen, env, cwd = ".", planted = [], onStart }: ProcessOptions = {},
): Promise<ProcessResult> {
  requireBuilt();
  const program =
    planted.length === 0
      ? [resolve(MAIN)]
      : ["--import", resolve("test/support/planted-fault.mjs"), resolve(COMPILED, "main.js")];
  const own = { FORCE_COLOR: "0", PLANTED: JSON.stringify(planted), ...env };
  const command = [...program, ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, { cwd, env: { ...process.env, ...own } });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", reject);
    child.on("close", (status, signal) => resolve({ status, signal, stdout, stderr }));
    if (inputStaysOpen === true) child.stdin.write(input ?? "");
    else child.stdin.end(input ?? "");
    onStart?.(child);
  });
}

/** How often a process is looked at, and how many looks in which it did nothing mean that it waits. */
const LOOK_MILLISECONDS = 250;
const IDLE_LOOKS = 12;

/**
 * Presses Ctrl-C once a process has worked for some seconds of its own, or waits for more to do: on a busy machine it may not even
 * have begun after that much time. Where no such account is kept of processes, time has to do.
 */
export function interruptedAfter(seconds: number): (child: ChildProcess) => void {
  return (child) => {
    let [worked, idle] = [0, 0];
    const timer = setInterval(() => {
      const now = secondsWorked(child) ?? worked + LOOK_MILLISECONDS / 1000;
      idle = now > worked || now === 0 ? 0 : idle + 1;
      worked = now;
      if (worked < seconds && idle < IDLE_LOOKS) return;
      clearInterval(timer);
      child.kill("SIGINT");
    }, LOOK_MILLISECONDS);
    child.on("exit", () => clearInterval(timer));
  };
}

/** User and system time of a process, in seconds, as Linux counts it: in hundredths. */
function secondsWorked({ pid }: ChildProcess): number | null {
  try {
    const [user = 0, system = 0] =
      readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").slice(11).map(Number) ?? [];
    return (user + system) / 100;
  } catch {
    return null;
  }
}

/**
 * Writes the plan of an instance as `shardproof plan INSTANCE --out FILE` does, without a process of its own: for tests of what
 * comes after a plan.
 */
export async function writePlanFile(file: string, instance: string, method = "optimal"): Promise<void> {
  writeFileSync(file, writePlan(await planInstance(instance, { method })));
}

/** The commands that the program's help lists. */
export function commandsIn(help: string): readonly string[] {
  const listIn = (title: string) => (help.split(`\n${title}:\n`)[1] ?? "").split("\n\n")[0] as string;
  const own = listIn("Commands").matchAll(/^ {2}([a-z-]+)/gm);
  const more = listIn("More commands").matchAll(/(?: {2}|, )([a-z-]+)(?=,|$)/gm);
  return [...own, ...more].map(([, name]) => name as string);
}

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "shardproof-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Writes an instance whose proof takes far longer than any test: a subset-sum problem. Every table is one row, replicated
 * or not; time saved and memory used are in nearly one proportion, and the budget lies half way between the sums that
 * widths in whole thousands can make.
 */
export function writeHardInstance(folder: string): string {
  const random = seededRandom(7);
  const dims = Array.from({ length: 60 }, () => (100 + random.integer(900)) * 1000);
  const half = Math.floor(dims.reduce((sum, dim) => sum + dim, 0) / 2000) * 1000;
  // Extra memory of a replicated row is dim · (6 − 1/8 − 8·0.35), up to the jitter of the appearances.
  const extra = (half - 500) * 3.075;
  const tables = dims.map((dim, index) => {
    const appearances = 0.35 + random.next() * 1e-8;
    return `  - {name: t${index}, rows: 1, dim: ${dim}, dataType: int8, access: {histogram: [[1, ${appearances}]]}}`;
  });
  const text = `shardproof: 1
name: hard
problem: row-tiers
cluster:
  nodes: 2
  gpusPerNode: 4
  bandwidth: {allToAllGlobal: 1.0e9, allReduceGlobal: 3.0e9}
training: {batchPerGpu: 8, replicaMemoryFactor: 6}
tiers: [data_parallel, row_wise]
budget: {extraBytesPerGpu: ${extra}}
tables:
${tables.join("\n")}
`;
  const file = join(folder, "hard.yaml");
  writeFileSync(file, text);
  return file;
}
