/**
 * Reading a counts file of thirty million uint32, its SHA-256 and its row classes, against the least that a script can do
 * with it: read it whole into a typed array and take the largest. Also as CSV and, with DuckDB, as Parquet.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDuckDb } from "../src/access/duckdb/open.js";
import { tableClasses } from "../src/access/table-classes.js";
import { seededRandom } from "../src/exact/random.js";
import { loadWith } from "../src/instance/load.js";
import { rowTiersReader } from "../src/problems/row-tiers/instance/reader.js";
import { medianSeconds, printTable } from "./measure.js";

const ROWS = 30_000_000;

const folder = mkdtempSync(join(tmpdir(), "shardproof-bench-"));
try {
  const random = seededRandom(1);
  const counts = new Uint32Array(ROWS);
  for (let row = 0; row < ROWS; row++) counts[row] = Math.min(5e6, Math.floor(0.5 * (random.next() + 1e-9) ** -1.1));
  const header = `{'descr': '<u4', 'fortran_order': False, 'shape': (${ROWS},), }`.padEnd(117).concat("\n");
  const files = { npy: join(folder, "c.npy"), csv: join(folder, "c.csv"), parquet: join(folder, "c.parquet") };
  const preamble = Buffer.from([0x93, ...Buffer.from("NUMPY"), 1, 0, header.length, 0]);
  writeFileSync(files.npy, Buffer.concat([preamble, Buffer.from(header), Buffer.from(counts.buffer)]));
  for (let row = 0; row < ROWS; row += 1e6) {
    writeFileSync(files.csv, `${counts.subarray(row, row + 1e6).join("\n")}\n`, { flag: "a" });
  }
  const { connection, close } = await openDuckDb("the benchmark");
  await connection.run(
    `COPY (SELECT * FROM read_csv('${files.csv}', columns = {'n': 'UINTEGER'}, header = false)) TO '${files.parquet}'`,
  );
  close();

  const least = await medianSeconds("least", 5, () => {
    const bytes = readFileSync(files.npy);
    const values = new Uint32Array(bytes.buffer, bytes.byteOffset + 128, ROWS);
    let largest = 0;
    for (let row = 0; row < ROWS; row++) if ((values[row] as number) > largest) largest = values[row] as number;
    if (largest === 0) throw new Error("nothing was read");
  });
  const hash = await medianSeconds("hash", 5, () => createHash("sha256").update(readFileSync(files.npy)).digest("hex"));
  const rows = [["", "MB", "seconds", "times the least"]];
  const add = (name: string, file: string, seconds: number) =>
    rows.push([name, (statSync(file).size / 1e6).toFixed(0), seconds.toFixed(3), (seconds / least).toFixed(2)]);
  add("read whole, take the largest", files.npy, least);
  add("read whole, SHA-256", files.npy, hash);
  for (const file of Object.values(files)) {
    const seconds = await medianSeconds(file, 5, () => load(file));
    add(`instance and classes, .${file.split(".").at(-1)}`, file, seconds);
  }
  printTable(rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function load(file: string): Promise<void> {
  const text = `{shardproof: 1, name: counts, problem: row-tiers,
    cluster: {nodes: 4, gpusPerNode: 8, bandwidth: {allToAllGlobal: 1, allToAllIntra: 1, allReduceGlobal: 1, allReduceCross: 1}},
    training: {batchPerGpu: 1, replicaMemoryFactor: 6},
    tables: [{name: t, rows: ${ROWS}, dim: 4, dataType: fp32, access: {counts: {file: ${file}, samples: 1000}}}]}`;
  const path = join(folder, "instance.yaml");
  writeFileSync(path, text);
  const instance = await loadWith([rowTiersReader], path);
  const [table] = instance.tables;
  if (table === undefined) throw new Error("no table");
  await tableClasses(table, instance.file);
}
