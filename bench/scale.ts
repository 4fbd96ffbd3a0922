/**
 * `shardproof plan` on counts of many rows, proof included, against a minimal script that reads the same file and takes
 * its largest count: whole processes in one run, in turns. Prints ratios of median times, time per row and the largest
 * memory. The one argument, if given, is a list of row counts (default 30000000; a billion needs 4 GB of disk):
 *
 *   npm run bench -- scale 30000000,1000000000
 *
 * Needs `npm run build`.
 */
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { seededRandom } from "../src/exact/random.js";
import { printTable } from "./measure.js";

const RUNS = 5;

/** Reads the file in pieces of 16 MB and takes the maximum: no file of 4 GB can be read whole. */
const MINIMAL = `
import { openSync, readSync } from "node:fs";
const file = openSync(process.argv[2], "r");
const buffer = new Uint32Array(1 << 22);
const header = new Uint8Array(10);
readSync(file, header, 0, 10, 0);
let largest = 0;
for (let at = 10 + header[8] + 256 * header[9]; ; ) {
  const bytes = readSync(file, buffer, 0, buffer.byteLength, at);
  if (bytes === 0) break;
  const count = bytes >> 2;
  for (let k = 0; k < count; k++) if (buffer[k] > largest) largest = buffer[k];
  at += bytes;
}
console.log(largest);
`;

/** Tells the largest resident memory of a process as its last line on standard error. */
const TELL_MEMORY = "data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))";

const folder = mkdtempSync(join(tmpdir(), "shardproof-bench-"));
const table = [["rows", "process", "seconds", "times minimal", "ns per row", "largest memory, MB"]];
try {
  const minimal = join(folder, "minimal.mjs");
  writeFileSync(minimal, MINIMAL);
  const main = fileURLToPath(new URL("../../dist/src/cli/main.js", import.meta.url));
  for (const rows of (process.argv[3] ?? "30000000").split(",").map(Number)) {
    const counts = join(folder, "counts.npy");
    const instance = join(folder, "instance.yaml");
    writeCounts(counts, rows);
    writeFileSync(instance, instanceOf(rows));
    const times: number[][] = [[], []];
    const memory = [0, 0];
    for (let run = 0; run < (rows > 1e8 ? 2 : RUNS); run++) {
      for (const [which, args] of [
        [minimal, counts],
        [main, "plan", instance, "--quiet"],
      ].entries()) {
        const started = performance.now();
        const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", TELL_MEMORY, ...args], {
          encoding: "utf8",
        });
        times[which]?.push((performance.now() - started) / 1000);
        if (status !== 0 || (which === 1 && !stdout.includes("proved:"))) throw new Error(stderr + stdout);
        memory[which] = Math.max(memory[which] as number, Number(stderr.trim().split("\n").at(-1)) / 1000);
      }
    }
    const [least, ours] = times.map(median) as [number, number];
    for (const [which, [name, seconds]] of (
      [
        ["minimal: read and take the largest", least],
        ["shardproof plan, proof included", ours],
      ] as const
    ).entries()) {
      table.push([
        rows.toLocaleString("en"),
        name,
        seconds.toFixed(3),
        (seconds / least).toFixed(2),
        ((seconds / rows) * 1e9).toFixed(2),
        (memory[which] as number).toFixed(0),
      ]);
    }
  }
  printTable(table);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Counts that fall off like rank^−0.95, in random order, as a NumPy array of uint32. */
function writeCounts(path: string, rows: number): void {
  const file = openSync(path, "w");
  const text = `{'descr': '<u4', 'fortran_order': False, 'shape': (${rows},), }`;
  const header = text.padEnd(117, " ");
  writeSync(file, Buffer.concat([Buffer.from("\x93NUMPY\x01\x00\x76\x00", "latin1"), Buffer.from(`${header}\n`)]));
  const random = seededRandom(1);
  const counts = new Uint32Array(1 << 22);
  for (let done = 0; done < rows; done += counts.length) {
    const piece = counts.subarray(0, Math.min(counts.length, rows - done));
    for (let k = 0; k < piece.length; k++) piece[k] = 2e8 * (random.next() * rows + 100) ** -0.95;
    writeSync(file, new Uint8Array(piece.buffer, 0, piece.byteLength));
  }
  closeSync(file);
}

function instanceOf(rows: number): string {
  return `shardproof: 1
name: counts-of-${rows}
problem: row-tiers
cluster:
  nodes: 4
  gpusPerNode: 8
  bandwidth: {allToAllGlobal: 25.3e9, allToAllIntra: 79.0e9, allReduceGlobal: 75.0e9, allReduceCross: 12.0e9}
training: {batchPerGpu: 4096, replicaMemoryFactor: 6}
tables:
  - {name: history, rows: ${rows}, dim: 256, dataType: fp32, access: {counts: {file: counts.npy, samples: 1000000}}}
`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}
