/**
 * `solve` and HiGHS on programs, one after the other, as the table of docs/public-programs.md:
 * `npm run bench -- programs [FILE | FOLDER | drawn …] [seconds=60] [match=PATTERN] [apart]`. Without names, those shipped;
 * `drawn` stands for three of each kind of bench/drawn-programs.ts, called `drawn/KIND-SEED`; `apart` gives every program a
 * process of its own, whose start then counts. Seconds are of the processor, all threads together, for each.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
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
const words = given.words.filter((word) => !/^(apart|only)$/.test(word));
if (given.words.includes("only")) {
  console.log(JSON.stringify(await rowOf(words[0] as string)));
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

function rowApart(name: string): Row {
  const child = [process.argv[1] as string, "programs", name, `seconds=${timeLimitSeconds}`, "only"];
  return JSON.parse(
    execFileSync(process.execPath, child, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }),
  ) as Row;
}

async function rowOf(name: string): Promise<Row> {
  const program = programNamed(name);
  const beside = { timeLimitSeconds, gap: 0, seed: 0, signal: new AbortController().signal };
  const [{ answer }, theirs] = await withCpu(() => solveBeside("highs", program, beside));
  const [solved, ours] = await withCpu(() => solveProgram(program, { timeLimitSeconds }));
  const { status, value, gap } = solved.outcome;
  const isSettled = status === "proved" || status === "infeasible";
  const claim = "claim" in answer ? answer.claim : null;
  const claimed = claim?.primalBound ?? null;
  const differs =
    value !== null && claimed !== null && Math.abs(claimed - value.toNumber()) > 1e-6 * (1 + Math.abs(claimed));
  const ratio = isSettled ? ours / theirs : null;
  const cells = [
    basename(name).replace(ZIPPED, "").replace(PROGRAM_ENDING, ""),
    `${program.columns.length} (${program.columns.filter(({ integer }) => integer).length})`,
    `${program.rows.length}`,
    `${numberText(value?.toNumber() ?? null)}${differs ? "!" : ""}`,
    isSettled ? "yes" : gapText(gap?.toNumber() ?? null),
    ours.toFixed(1),
    solved.proveSeconds.toFixed(1),
    `${solved.nodes}`,
    sizeText(certificateBytes(solved)),
    claim === null ? "failed" : claim.status === "optimal" ? numberText(claimed) : claim.status,
    theirs.toFixed(1),
    `${claim?.nodes ?? 0}`,
    ratio === null ? "–" : ratio.toFixed(1),
  ];
  return { cells, ratio };
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
