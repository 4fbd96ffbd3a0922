/**
 * `solve` and HiGHS on the program files of a folder, one after the other, as the table of docs/public-programs.md:
 * `npm run bench -- public-programs [FOLDER] [SECONDS]`. Seconds are of the processor, all threads together, for each.
 */
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { assembleCertificate } from "../src/problems/program/answer/certificate-file.js";
import { solveBeside } from "../src/problems/program/solve/solve-beside.js";
import { type SolvedFile, solveProgramFile } from "../src/problems/program/solve/solve-file.js";
import { loadProgram } from "../src/program/load-program.js";
import { PROGRAM_ENDING } from "../src/program/read-program.js";

const SHIPPED = new URL("../../instances/public-programs/", import.meta.url).pathname;
const [, , , folder = SHIPPED, limit = "60"] = process.argv;
const timeLimitSeconds = Number(limit);

const HEAD = "program,columns (integer),rows,optimum,proved,CPU s,certificate,HiGHS claims,CPU s".split(",");
const rows: string[][] = [];
for (const name of readdirSync(folder)
  .filter((file) => PROGRAM_ENDING.test(file))
  .sort()) {
  const file = join(resolve(folder), name);
  const program = await loadProgram(file);
  const beside = { timeLimitSeconds, gap: 0, seed: 0, signal: new AbortController().signal };
  const [{ answer }, theirs] = await withCpu(() => solveBeside("highs", program, beside));
  const [solved, ours] = await withCpu(() => solveProgramFile(file, { timeLimitSeconds }));
  const { columns, integerColumns, rows: rowCount } = solved.solution.model;
  const { status, objective } = solved.solution;
  const claim = "claim" in answer ? answer.claim : null;
  rows.push([
    name.replace(PROGRAM_ENDING, ""),
    `${columns} (${integerColumns})`,
    `${rowCount}`,
    `${numberText(objective.value)}`,
    status === "proved" || status === "infeasible" ? "yes" : gapText(objective.gap),
    ours.toFixed(1),
    sizeText(certificateBytes(solved)),
    claim === null ? "failed" : claim.status === "optimal" ? numberText(claim.primalBound ?? null) : claim.status,
    theirs.toFixed(1),
  ]);
  console.error(rows.at(-1)?.join("  "));
}
const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
console.log([line(HEAD), line(HEAD.map((_, k) => (k === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n"));

async function withCpu<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1e6];
}

function certificateBytes({ program, solved, solution }: SolvedFile): number {
  const { certificate, outcome, point } = solved;
  if (certificate === null) return 0;
  const { model, request } = solution;
  return JSON.stringify(assembleCertificate({ model, program, gap: request.gap, outcome, point, certificate })).length;
}

function numberText(value: number | string | null): string {
  return value === null ? "none found" : `${typeof value === "number" ? Number(value.toPrecision(10)) : value}`;
}

function gapText(gap: number | string | null): string {
  if (gap === null) return "no";
  return `gap ${Number((100 * Number(gap)).toPrecision(2))} %`;
}

function sizeText(bytes: number): string {
  if (bytes === 0) return "none";
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
