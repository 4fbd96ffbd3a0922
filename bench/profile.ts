/**
 * `shardproof profile count` as a whole process on ten million accesses, as CSV and as Parquet, against a naive count of the
 * same accesses in this process; the histograms must be equal. Needs DuckDB and `npm run build`.
 */
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openDuckDb } from "../src/access/duckdb/open.js";
import { seededRandom } from "../src/exact/random.js";
import { medianSeconds, printTable } from "./measure.js";

const ACCESSES = 10_000_000;
const PER_SAMPLE = 20;

const folder = mkdtempSync(join(tmpdir(), "shardproof-bench-"));
try {
  const csv = join(folder, "log.csv");
  const parquet = join(folder, "log.parquet");
  writeLog(csv);
  const { connection, close } = await openDuckDb("the benchmark");
  const columns = "{'row': 'BIGINT', 'sample': 'BIGINT'}";
  await connection.run(`COPY (SELECT * FROM read_csv('${csv}', columns = ${columns}, header = true)) TO '${parquet}'`);
  close();

  let naive: [number, number][] = [];
  const naiveSeconds = await medianSeconds("naive", 1, () => {
    naive = naiveCounts();
  });
  const rows = [["", "MB", "seconds", "times naive", "histogram"]];
  rows.push(["naive count of integers in memory", "", naiveSeconds.toFixed(2), "1", `${naive.length} counts`]);
  for (const file of [csv, parquet]) {
    let output = "";
    const seconds = await medianSeconds(file, 3, () => {
      output = profile(file);
    });
    const isSame = JSON.stringify(JSON.parse(output).counts) === JSON.stringify(naive);
    if (!isSame) process.exitCode = 1;
    rows.push([
      file.slice(folder.length + 1),
      (statSync(file).size / 1e6).toFixed(0),
      seconds.toFixed(2),
      (seconds / naiveSeconds).toFixed(2),
      isSame ? "the same" : "DIFFERS",
    ]);
  }
  printTable(rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function profile(file: string): string {
  const main = fileURLToPath(new URL("../../dist/src/cli/main.js", import.meta.url));
  const args = [main, "profile", "count", file, "--row", "row", "--sample", "sample", "--json"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** Row ids that fall off like rank^−2, spread over a few million. */
function* rowIds(): Generator<number> {
  const random = seededRandom(1);
  for (let k = 0; k < ACCESSES; k++) yield Math.floor(3 / (random.next() + 1e-6)) * 1_000_003 + (k % 7);
}

function writeLog(file: string): void {
  const out = openSync(file, "w");
  let text = "row,sample\n";
  let written = 0;
  for (const row of rowIds()) {
    text += `${row},${Math.floor(written++ / PER_SAMPLE)}\n`;
    if (text.length < 1 << 20) continue;
    writeSync(out, text);
    text = "";
  }
  writeSync(out, text);
  closeSync(out);
}

function naiveCounts(): [number, number][] {
  const accesses = new Map<number, number>();
  for (const row of rowIds()) accesses.set(row, (accesses.get(row) ?? 0) + 1);
  const counts = new Map<number, number>();
  for (const count of accesses.values()) counts.set(count, (counts.get(count) ?? 0) + 1);
  return [...counts].sort((a, b) => b[0] - a[0]);
}
