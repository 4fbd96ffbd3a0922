import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readRemap } from "../../src/interop/remap/read-remap.js";
import { duckDb, withDuckDb } from "../support/duckdb.js";
import { runCli, temporaryFolder } from "./run-cli.js";

const SAMPLES = 1000;

/** By rank the row and its accesses: which rows are hot is in no order of their ids. */
const HISTORY = Array.from({ length: 2000 }, (_, k) => ({ row: (k * 7919) % 20000, count: k < 50 ? 100 : 15 }));
const BRAND = Array.from({ length: 5000 }, (_, k) => ({ row: (k * 31 + 7) % 5000, count: k < 20 ? 500 : 1 }));
const COUNTS = [
  ...HISTORY.map(({ row, count }) => `('history', ${row}, ${count})`),
  ...BRAND.map(({ row, count }) => `('brand', ${row}, ${count})`),
];
const COUNTED = `SELECT * FROM (VALUES ${COUNTS.join(", ")}) AS t("table", row_id, count) ORDER BY row_id`;

const BASE = `shardproof: 1
name: counted   # by profile
problem: table-placement
costModel: torchrec
cluster: {nodes: 4, gpusPerNode: 1, hbmBytesPerGpu: 1.6e7, hostBytesPerGpu: 1.0e9}
torchrec: {batch_size: 512}
splits: {hotRows: true}
tables:
  - {name: history, num_embeddings: 20000, embedding_dim: 64, sharding_types: [table_wise, row_wise], compute_kernels: [fused_uvm]}
  - {name: brand, rows: 5000, dim: 32}
`;

async function files(): Promise<(name: string) => string> {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  writeFileSync(at("base.yaml"), BASE);
  await withDuckDb(async (connection) => {
    await connection.run(`COPY (${COUNTED}) TO '${at("counts.parquet")}' (FORMAT parquet)`);
    const log = `SELECT "table", row_id FROM (${COUNTED}) AS counts CROSS JOIN range(500) AS t(i) WHERE i < count`;
    await connection.run(`COPY (${log}) TO '${at("log.parquet")}' (FORMAT parquet)`);
  });
  return at;
}

async function hotRowsOf(folder: string, table: string): Promise<number[]> {
  const hot: number[] = [];
  for await (const { firstRow, tiers } of (await readRemap(folder)).rowsOf(table)) {
    for (const [k, tier] of tiers.entries()) if (tier === 0) hot.push(firstRow + k);
  }
  return hot;
}

describe.skipIf(duckDb === undefined)("shardproof profile --table", () => {
  test("from counts of all tables, or a log, to a proved plan with hot rows and its remap, in two commands", async () => {
    const at = await files();
    const read = ["--table", "table", "--row", "row_id", "--samples", String(SAMPLES), "--instance", at("base.yaml")];
    const written = ["--weight", "count", "--out", at("instance.yaml"), "--plan", at("plan.json")];
    const profiled = await runCli(["profile", at("counts.parquet"), ...read, ...written]);
    expect([profiled.stderr, profiled.status]).toEqual(["", 0]);
    expect(profiled.stdout).toContain("proved: no plan");
    const exported = await runCli(["export", at("plan.json"), "--to", "remap", "--out", at("remap")]);
    expect([exported.stderr, exported.status]).toEqual(["", 0]);
    const hot = await hotRowsOf(at("remap"), "history");
    expect(hot.length).toBeGreaterThan(0);
    const hottest = [...HISTORY].sort((a, b) => b.count - a.count || a.row - b.row).slice(0, hot.length);
    expect(hot).toEqual(hottest.map(({ row }) => row).sort((a, b) => a - b));
    expect((await runCli(["verify", at("plan.json")])).status).toBe(0);

    const instance = readFileSync(at("instance.yaml"), "utf8");
    expect(instance).toContain("name: counted # by profile");
    const accesses = HISTORY.reduce((sum, { count }) => sum + count, 0);
    expect(instance).toContain(`pooling_factors: [${accesses / SAMPLES}]`);
    expect(instance).toContain(`access: {counts: {file: instance-counts/brand.parquet, samples: ${SAMPLES}}}`);
    expect(readdirSync(at("instance-counts")).sort()).toEqual(["brand.parquet", "history.parquet"]);
    const logged = await runCli(["profile", at("log.parquet"), ...read, "--out", at("logged.yaml")]);
    expect([logged.stderr, logged.status]).toEqual(["", 0]);
    expect(readFileSync(at("logged.yaml"), "utf8").replaceAll("logged-", "instance-")).toBe(instance);
    for (const name of readdirSync(at("instance-counts"))) {
      expect(readFileSync(at(`logged-counts/${name}`)).equals(readFileSync(at(`instance-counts/${name}`)))).toBe(true);
    }
  });

  test("rows that the log alone has told are said, in the file and on standard error", async () => {
    const at = await files();
    const base = BASE.replace("rows: 5000, ", "").replace("num_embeddings: 20000, ", "");
    const words = "distinct ids of the log; say the table's own rows where it has more";
    for (const out of ["out.yaml", "out.json"]) {
      writeFileSync(at("base.yaml"), base);
      const args = ["--table", "table", "--weight", "count", "--samples", "9", "--instance", at("base.yaml")];
      const done = await runCli(["profile", at("counts.parquet"), ...args, "--out", at(out)]);
      expect(done).toMatchObject({ status: 0, stderr: `rows of history (2000), brand (5000): the ${words}\n` });
    }
    const text = readFileSync(at("out.yaml"), "utf8");
    expect(text.match(/num_embeddings: 2000\b.*# num_embeddings: the distinct ids/g)).toHaveLength(1);
    expect(text.match(/rows: 5000\b.*# rows: the distinct ids/g)).toHaveLength(1);
    expect(readFileSync(at("out.json"), "utf8")).not.toContain("distinct ids");
    expect(readdirSync(at("out-counts")).sort()).toEqual(["brand.parquet", "history.csv"]);
  });

  test("what is no instance leaves nothing behind", async () => {
    const at = await files();
    writeFileSync(at("base.yaml"), BASE.replace("hotRows: true", "hotRow: true"));
    const args = ["--table", "table", "--weight", "count", "--samples", "9", "--instance", at("base.yaml")];
    const done = await runCli(["profile", at("counts.parquet"), ...args, "--out", at("out.yaml")]);
    expect([done.status, existsSync(at("out.yaml")), existsSync(at("out-counts"))]).toEqual([2, false, false]);
  });

  test.each([
    [["--merge"], "give --table or --merge"],
    [["--print-sql"], "profile sql is of one table a column"],
    [["--from-aggregate", "a.csv"], "--table reads a file of all tables"],
  ])("--table with %j is refused", async (args, says) => {
    const events = args[0] === "--from-aggregate" ? [] : ["e.parquet"];
    const { status, stderr } = await runCli(["profile", ...events, "--table", "t", ...args]);
    expect(stderr).toContain(says);
    expect(status).toBe(2);
  });
});
