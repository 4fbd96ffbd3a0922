/**
 * `solve` and HiGHS on programs, one after the other, as the table of docs/public-programs.md:
 * `npm run bench -- programs [FILE | FOLDER | drawn …] [seconds=60] [match=PATTERN] [apart]`. Without names, those shipped;
 * `drawn` stands for three of each kind of bench/drawn-programs.ts, called `drawn/KIND-SEED`; `apart` gives each of the two a
 * process of its own for every program, whose start then counts, with V8 as the command line sets it for ours, and as it is for
 * HiGHS. Seconds are of the processor, all threads together.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { optimiseLate } from "../src/cli/v8-tiering.js";
import { solveBeside } from "../src/problems/program/solve/solve-beside.js";
import { type SolvedProgram, solveProgram } from "../src/problems/program/solve/solve-program.js";
import type { Program } from "../src/program/program.js";
import { PROGRAM_ENDING, readProgram } from "../src/program/read-program.js";
import { Arguments } from "./arguments.js";
import { drawnProgram, PROGRAM_KINDS } from "./drawn-programs.js";

const SHIPPED = new URL("../../instances/public-programs/", import.meta.url).pathname;
const DRAWN = PROGRAM_KINDS.flatMap((kind) => [1, 2, 3].map((seed) => `drawn/${kind}-${seed}`));
const ZIPPED = /\.gz$/;
const HEAD =
  "program,columns (integer),rows,optimum,proved,CPU s,checking s,nodes,certificate,HiGHS claims,CPU s,nodes,ratio";

interface Row {
  readonly cells: readonly string[];
  /** Our seconds over HiGHS's; `null` where we have not settled the program. */
  readonly ratio: number | null;
}

const given = new Arguments(process.argv.slice(3), ["seconds", "match"]);
const timeLimitSeconds = given.number("seconds", 60);
const words = given.words.filter((word) => !/^(apart|ours|theirs)$/.test(word));
if (given.words.includes("ours")) {
  optimiseLate();
  console.log(JSON.stringify(withWhole(await oursOf(programNamed(words[0] as string)))));
} else if (given.words.includes("theirs")) {
  console.log(JSON.stringify(withWhole(await theirsOf(programNamed(words[0] as string)))));
} else {
  const pattern = new RegExp(given.text("match") ?? ".");
  const rows: Row[] = [];
  for (const name of (words.length === 0 ? [SHIPPED] : words)
    .flatMap(programsIn)
    .filter((each) => pattern.test(each))) {
    const row = given.words.includes("apart") ? rowApart(name) : await rowOf(name);
    rows.push(row);
    console.error(row.cells.join("  "));
  }
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const head = HEAD.split(",");
  const rule = head.map((_, k) => (k === 0 ? "---" : "---:"));
  console.log([head, rule, ...rows.map(({ cells }) => cells)].map(line).join("\n"));
  const settled = rows.flatMap(({ ratio }) => ratio ?? []).sort((a, b) => a - b);
  const all = [...settled, ...rows.slice(settled.length).map(() => Number.POSITIVE_INFINITY)];
  console.log(`\n${settled.length} of ${rows.length} settled, median ratio ${median(all).toFixed(2)}`);
}

function programsIn(word: string): readonly string[] {
  if (word === "drawn") return DRAWN;
  if (word.startsWith("drawn/") || !statSync(word).isDirectory()) return [word];
  const files = readdirSync(word).filter((file) => PROGRAM_ENDING.test(file.replace(ZIPPED, "")));
  return files.sort().map((file) => join(resolve(word), file));
}

function programNamed(name: string): Program {
  const drawn = /^drawn\/(.*)-(\d+)$/.exec(name);
  if (drawn !== null) return drawnProgram(drawn[1] as string, Number(drawn[2]));
  const bytes = readFileSync(name);
  return readProgram((ZIPPED.test(name) ? gunzipSync(bytes) : bytes).toString(), basename(name).replace(ZIPPED, ""));
}

/** What one of the two came to, and the seconds of the processor that it took. */
interface Side {
  readonly seconds: number;
  /** Its columns before the seconds, and behind them. */
  readonly word: string;
  readonly cells: readonly string[];
  readonly value: number | null;
  readonly isSettled: boolean;
}

/** The seconds of the whole process in place of those of the solve. */
function withWhole(side: Side): Side {
  const { user, system } = process.cpuUsage();
  return { ...side, seconds: (user + system) / 1e6 };
}

function sideApart(name: string, which: "ours" | "theirs"): Side {
  const child = [process.argv[1] as string, "programs", name, `seconds=${timeLimitSeconds}`, which];
  return JSON.parse(
    execFileSync(process.execPath, child, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }),
  ) as Side;
}

function rowApart(name: string): Row {
  return row(name, programNamed(name), sideApart(name, "ours"), sideApart(name, "theirs"));
}

async function rowOf(name: string): Promise<Row> {
  const program = programNamed(name);
  const theirs = await theirsOf(program);
  return row(name, program, await oursOf(program), theirs);
}

function row(name: string, program: Program, ours: Side, theirs: Side): Row {
  const [value, claimed] = [ours.value, theirs.value];
  const differs = value !== null && claimed !== null && Math.abs(claimed - value) > 1e-6 * (1 + Math.abs(claimed));
  const ratio = ours.isSettled ? ours.seconds / theirs.seconds : null;
  const cells = [
    basename(name).replace(ZIPPED, "").replace(PROGRAM_ENDING, ""),
    `${program.columns.length} (${program.columns.filter(({ integer }) => integer).length})`,
    `${program.rows.length}`,
    `${numberText(value)}${differs ? "!" : ""}`,
    ...[ours, theirs].flatMap(({ word, seconds, cells }) => [word, seconds.toFixed(1), ...cells]),
    ratio === null ? "–" : ratio.toFixed(1),
  ];
  return { cells, ratio };
}

async function oursOf(program: Program): Promise<Side> {
  const [solved, seconds] = await withCpu(() => solveProgram(program, { timeLimitSeconds }));
  const { status, value, gap } = solved.outcome;
  const isSettled = status === "proved" || status === "infeasible";
  const word = isSettled ? "yes" : gapText(gap?.toNumber() ?? null);
  const cells = [solved.proveSeconds.toFixed(1), `${solved.nodes}`, sizeText(certificateBytes(solved))];
  return { seconds, word, cells, value: value?.toNumber() ?? null, isSettled };
}

async function theirsOf(program: Program): Promise<Side> {
  const beside = { timeLimitSeconds, gap: 0, seed: 0, signal: new AbortController().signal };
  const [{ answer }, seconds] = await withCpu(() => solveBeside("highs", program, beside));
  const claim = "claim" in answer ? answer.claim : null;
  const value = claim?.primalBound ?? null;
  const word = claim === null ? "failed" : claim.status === "optimal" ? numberText(value) : claim.status;
  return { seconds, word, cells: [`${claim?.nodes ?? 0}`], value, isSettled: claim?.status === "optimal" };
}

async function withCpu<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1e6];
}

function certificateBytes({ certificate }: SolvedProgram): number {
  return certificate === null ? 0 : JSON.stringify(certificate).length;
}

function median(sorted: readonly number[]): number {
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

function numberText(value: number | null): string {
  return value === null ? "none found" : `${Number(value.toPrecision(10))}`;
}

function gapText(gap: number | null): string {
  return gap === null ? "no" : `gap ${Number((100 * gap).toPrecision(2))} %`;
}

function sizeText(bytes: number): string {
  if (bytes === 0) return "none";
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
