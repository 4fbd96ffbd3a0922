/**
 * What must not get worse: plans and programs of every class, each in a process of its own, one after the other, and what
 * each came to. `npm run bench -- acceptance [short] [NAME …] [seeds=1] [runs=1] [out=FILE] [against=FILE] [keep=FOLDER]`:
 * the rows are those of acceptance/rows.ts, all of them without names; `short` leaves out those with a limit above 20 s;
 * `runs=3` takes each row's median run; `out` writes what was measured; `against` says which rows are worse than in such a file, and
 * exits with 1 if any are; `keep` leaves drawn instances and plan files in a folder, for `plan --solver highs` and others.
 */
import { type StdioOptions, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { count } from "../src/text/units.js";
import { type Measured, type Measurements, percent, worseRows } from "./acceptance/compare.js";
import { instanceFile } from "./acceptance/instance-file.js";
import { medianRun } from "./acceptance/median-run.js";
import { type Row, rowsOf } from "./acceptance/rows.js";
import type { Outcome } from "./acceptance/run-row.js";
import { Arguments } from "./arguments.js";

const RUN = new URL("./acceptance/run-row.js", import.meta.url).pathname;
const CLI = new URL("../src/cli/main.js", import.meta.url).pathname;
const HEAD = [
  "row",
  "limit",
  "status",
  "gap",
  "value",
  "bound",
  "first s",
  "end s",
  "check s",
  "CPU s",
  "certificate",
  "checked",
];
const WIDTHS = [-42, 5, -10, 9, 13, 13, 7, 6, 7, 6, 11, 7];
/** A process that has not ended after so many times its limit is ended. */
const OVERDUE = 10;
/** A row whose process ended otherwise than with an outcome. */
const FAILED: Omit<Measured, "limitSeconds"> = {
  ...{ status: "failed", value: null, bound: null, gap: null, conditional: false, checked: false },
  ...{ firstSeconds: null, seconds: 0, proveSeconds: 0, cpuSeconds: 0, certificateBytes: 0 },
};

const given = new Arguments(process.argv.slice(3), ["seeds", "runs", "out", "against", "keep"]);
const out = given.text("out");
const kept = given.text("keep");
const folder = kept === undefined ? mkdtempSync(join(tmpdir(), "shardproof-acceptance-")) : resolve(kept);
mkdirSync(folder, { recursive: true });
const rows = rowsOf(given.words, given.number("seeds", 1));
const measured: Record<string, Measured> = {};
try {
  const drawn = rows.map((row) => ({ ...row, file: instanceFile(row.name, folder) }));
  print(HEAD);
  for (const row of drawn) {
    const runs = Array.from({ length: given.number("runs", 1) }, () => measure(row));
    const median = medianRun(runs);
    measured[row.name] = median;
    print(cells(row.name, median));
    if (out !== undefined) writeMeasurements(out, measured);
  }
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}
console.log(`${rows.length} rows in ${(performance.now() / 60_000).toFixed(1)} minutes`);
const against = given.text("against");
if (against !== undefined) compare(JSON.parse(readFileSync(against, "utf8")) as Measurements);

function measure({ name, limitSeconds, file }: Row & { readonly file: string }): Measured {
  const plan = join(folder, `${name.replaceAll("/", "-")}.plan.json`);
  const ran = node([RUN, file, `${limitSeconds}`, plan], 1000 * OVERDUE * limitSeconds);
  if (ran.status !== 0) return { ...FAILED, limitSeconds };
  // Published methods run again would say nothing of the proof.
  const { status } = node([CLI, "verify", plan, "--quiet", "--no-baselines"]);
  return { ...(JSON.parse(ran.stdout) as Outcome), limitSeconds, checked: status === 0 };
}

function node(args: readonly string[], timeout?: number): { readonly stdout: string; readonly status: number | null } {
  const stdio: StdioOptions = ["ignore", "pipe", "inherit"];
  return spawnSync(process.execPath, args, { encoding: "utf8", maxBuffer: 2 ** 28, stdio, timeout });
}

/** Where rows were named, of the frozen ones those alone. */
function compare(frozen: Measurements): void {
  const names = new Set(rows.map(({ name }) => name));
  const asked = Object.entries(frozen).filter(([name]) => given.words.length === 0 || names.has(name));
  const worse = worseRows(Object.fromEntries(asked), measured);
  for (const { name, why } of worse) console.log(`worse: ${name}: ${why}`);
  const beside = rows.filter(({ name }) => frozen[name] === undefined).length;
  console.log(`${asked.length} rows compared, ${worse.length} worse${beside > 0 ? `, ${beside} not in the file` : ""}`);
  if (worse.length > 0) process.exitCode = 1;
}

/** A row on a line of its own, so that changes are read as such. */
function writeMeasurements(file: string, all: Measurements): void {
  const lines = Object.entries(all).map(([name, row]) => `  ${JSON.stringify(name)}: ${JSON.stringify(row)}`);
  writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
}

function cells(name: string, row: Measured): readonly string[] {
  const seconds = (value: number | null) => (value === null ? "-" : value.toFixed(value < 10 ? 2 : 1));
  const number = (value: number | null) => (value === null ? "-" : `${Number(value.toPrecision(9))}`);
  return [
    ...[name, `${row.limitSeconds}`, row.status, percent(row.gap), number(row.value), number(row.bound)],
    ...[seconds(row.firstSeconds), seconds(row.seconds), seconds(row.proveSeconds), seconds(row.cpuSeconds)],
    ...[count(row.certificateBytes), row.checked ? "yes" : "NO"],
  ];
}

function print(line: readonly string[]): void {
  const padded = line.map((cell, k) => {
    const width = WIDTHS[k] ?? 0;
    return width < 0 ? cell.padEnd(-width) : cell.padStart(width);
  });
  console.log(padded.join("  ").trimEnd());
}
