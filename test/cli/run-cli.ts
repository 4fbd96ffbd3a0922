import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve as resolvePath } from "node:path";
import { onTestFinished } from "vitest";
import { seededRandom } from "../../src/exact/random.js";
import { planInstance } from "../../src/problems/plan.js";
import { writePlan } from "../../src/problems/plan-file/write-plan.js";

const MAIN = "dist/src/cli/main.js";

export interface CliResult {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly input?: string;
  /** After the input comes nothing more, but no end either, until the process has ended. */
  readonly inputStaysOpen?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Where it runs; default here. */
  readonly cwd?: string;
  /** Faults that the built program is to have: see test/support/planted-fault.mjs. */
  readonly planted?: readonly PlantedFault[];
  /** Gets the process once it runs. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** What is replaced in a file of the built program; `file`: the end of its path. */
export interface PlantedFault {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Runs the built command line, its output into pipes. */
export function runCli(
  args: readonly string[],
  { input, inputStaysOpen, env, cwd = ".", planted = [], onStart }: CliOptions = {},
): Promise<CliResult> {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is not built; run \`npm run build\` (\`npm test\` does)`);
  return new Promise((resolve, reject) => {
    const preload = planted.length === 0 ? [] : ["--import", resolvePath("test/support/planted-fault.mjs")];
    const own = { FORCE_COLOR: "0", PLANTED: JSON.stringify(planted), ...env };
    const child = spawn(process.execPath, [...preload, resolvePath(MAIN), ...args], {
      ...{ cwd, env: { ...process.env, ...own } },
    });
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

/**
 * Writes the plan of an instance as `shardproof plan INSTANCE --out FILE` does, without a process of its own: for tests of what
 * comes after a plan.
 */
export async function writePlanFile(file: string, instance: string, method = "optimal"): Promise<void> {
  writeFileSync(file, writePlan(await planInstance(instance, { method })));
}

/** The commands that the program's help lists. */
export function commandsIn(help: string): readonly string[] {
  const [list = ""] = (help.split("\nCommands:\n")[1] ?? "").split("\n\n");
  return [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name as string);
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
