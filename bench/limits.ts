/**
 * Whether commands keep their time limit: each ends within the limit, a tenth of it and two seconds, with a plan and a bound.
 * `npm run bench -- limits [PATTERN [cpu]]`: of a machine that does other work at the same time seconds of the processor are
 * judged, with `cpu`. Ends with 1 where a command takes longer, finds no plan or proves no bound. Needs `npm run build`.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { table } from "../src/terminal/table.js";
import { wideGroups, wideInstance } from "./drawn-wide.js";

const [, , , pattern = ".", judged = "wall"] = process.argv;
const PROGRAM = new URL("../../dist/src/cli/main.js", import.meta.url).pathname;
const INSTANCES = new URL("../../instances/", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "shardproof-limits-"));

/** What a command may take beyond its limit. */
const allowed = (limit: number) => 1.1 * limit + 2;

interface Row {
  readonly command: "plan" | "compare" | "frontier" | "explain";
  readonly file: string;
  readonly limit: number;
  readonly options?: readonly string[];
}

interface Run {
  readonly wall: number;
  readonly cpu: number;
  readonly plan: boolean;
  readonly bound: boolean;
}

const written = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const wide = written("wide-30x2048.json", wideInstance({ tables: 30, nodes: 256 }));
const widest = written("wide-60x65536.json", wideInstance({ tables: 60, nodes: 8192 }));
const groups = written("groups-6x65536.json", wideGroups({ tables: 6, nodes: 8192 }));
const [criteo, meta] = ["joint/criteo-8.yaml", "joint/meta-24.yaml"].map((name) => INSTANCES + name) as [
  string,
  string,
];
const colossal = `${INSTANCES}public/nvidia-synthetic-colossal.yaml`;
const memory = ["--memory-limit", "700MiB"];

const rows: readonly Row[] = [
  { command: "plan", file: wide, limit: 5 },
  { command: "plan", file: widest, limit: 5 },
  { command: "plan", file: groups, limit: 5 },
  ...[5, 10].map((limit) => ({ command: "plan", file: criteo, limit }) as const),
  ...[5, 10].map((limit) => ({ command: "plan", file: meta, limit }) as const),
  ...[5, 10].map((limit) => ({ command: "frontier", file: criteo, limit }) as const),
  { command: "frontier", file: meta, limit: 5 },
  { command: "frontier", file: `${INSTANCES}public/mlperf-dlrm-dcnv2.yaml`, limit: 5 },
  { command: "frontier", file: wide, limit: 5 },
  { command: "compare", file: criteo, limit: 5 },
  { command: "compare", file: meta, limit: 5 },
  { command: "compare", file: wide, limit: 5 },
  { command: "explain", file: wide, limit: 5 },
  { command: "explain", file: criteo, limit: 10 },
  ...[10, 30].flatMap((limit) => [
    { command: "plan", file: colossal, limit } as const,
    { command: "plan", file: colossal, limit, options: memory } as const,
  ]),
  { command: "plan", file: `${INSTANCES}paper/torchrec-4520.yaml`, limit: 10 },
];

/** The shell says what the command took of the processor. */
async function timed(
  args: readonly string[],
): Promise<{ readonly text: string; readonly wall: number; readonly cpu: number }> {
  const started = performance.now();
  const shell = '"$@"; code=$?; times >&2; exit $code';
  const child = spawn("sh", ["-c", shell, "sh", process.execPath, PROGRAM, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const parts: { out: Buffer[]; err: Buffer[] } = { out: [], err: [] };
  child.stdout.on("data", (part: Buffer) => parts.out.push(part));
  child.stderr.on("data", (part: Buffer) => parts.err.push(part));
  await new Promise((resolve) => child.on("close", resolve));
  const wall = (performance.now() - started) / 1000;
  const [user = 0, system = 0] = [
    ...(Buffer.concat(parts.err).toString().trim().split("\n").at(-1) ?? "").matchAll(/(\d+)m([\d.]+)s/g),
  ].map(([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds));
  return { text: Buffer.concat(parts.out).toString(), wall, cpu: user + system };
}

/** Of what is shown, whether there is a plan and a bound: a list of either, of a frontier. */
function foundIn({ command }: Row, text: string): Pick<Run, "plan" | "bound"> {
  if (command === "plan") {
    const isUnknown = /^(unknown|infeasible)/m.test(text);
    return {
      plan: /^ {2}(largest|options|fullest)/m.test(text),
      bound: /proved bound|^infeasible|^proved/m.test(text) && !isUnknown,
    };
  }
  if (text === "") return { plan: false, bound: false };
  const found = JSON.parse(text) as {
    readonly rows?: readonly { readonly value: number | null; readonly bound: number | null }[];
    readonly optimal?: readonly { readonly value: number | null; readonly bound: number | null }[];
  };
  const points = found.rows ?? found.optimal;
  if (points === undefined) return { plan: true, bound: true };
  return { plan: points.some(({ value }) => value !== null), bound: points.some(({ bound }) => bound !== null) };
}

async function run(row: Row): Promise<Run> {
  const { command, file, limit, options = [] } = row;
  const limits = ["--quiet", "--time-limit", String(limit), ...options];
  let about = file;
  if (command === "explain") {
    about = join(folder, "explained.plan.json");
    await timed(["plan", file, ...limits, "--out", about]);
  }
  const { text, wall, cpu } = await timed([command, about, ...limits, ...(command === "plan" ? [] : ["--json"])]);
  return { wall, cpu, ...foundIn(row, text) };
}

const shown: string[][] = [];
let isKept = true;
try {
  for (const row of rows) {
    const { command, file, limit, options = [] } = row;
    const name = [command, file.replace(INSTANCES, "").replace(`${folder}/`, ""), ...options].join(" ");
    if (!new RegExp(pattern).test(name)) continue;
    const { wall, cpu, plan, bound } = await run(row);
    const isWithin = (judged === "cpu" ? cpu : wall) <= allowed(limit);
    isKept &&= isWithin && plan && bound;
    const word = (is: boolean) => (is ? "yes" : "NO");
    shown.push([
      name,
      String(limit),
      wall.toFixed(1),
      cpu.toFixed(1),
      allowed(limit).toFixed(1),
      word(isWithin),
      word(plan),
      word(bound),
    ]);
    console.error(shown.at(-1)?.join("  "));
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(
  table(["command", "limit s", "wall s", "processor s", "may take s", "kept", "plan", "bound"], shown, "lrrrrlll"),
);
if (!isKept) process.exitCode = 1;
