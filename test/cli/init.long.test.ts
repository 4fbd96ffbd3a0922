import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { duckDb, withDuckDb } from "../support/duckdb.js";
import { runCli, temporaryFolder } from "./run-cli.js";

test("a skeleton is planned as it is", async () => {
  for (const problem of ["table-placement", "tower-partition"]) {
    const file = join(temporaryFolder(), "init.yaml");
    const made = await runCli(["init", problem, "--preset", "dmt-a100", "--out", file]);
    expect(made).toMatchObject({ status: 0, stdout: "", stderr: "" });
    const { status, stdout } = await runCli(["plan", file]);
    expect(status).toBe(0);
    expect(stdout).toContain("proved: no ");
  }
});

test("presets are listed with their sources", async () => {
  const { status, stdout } = await runCli(["init", "--list"]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^flexshard-a100\n {2}FlexShard/);
  expect(stdout).toContain("aws-p4d-ethernet\n  AWS");
});

test.each([
  { args: ["init", "rows"], says: "Allowed choices are row-tiers, table-placement, tower-partition" },
  { args: ["init", "--preset", "dmt-h200"], says: "received dmt-h200; did you mean dmt-h100?" },
  { args: ["profile", "--columns", "a"], says: "expected a log: EVENTS" },
  { args: ["profile", "-", "--columns", "a"], says: "several columns are read from files" },
  { args: ["profile", "e.csv", "--columns", "a", "--row", "b"], says: "--columns names the columns" },
  { args: ["profile", "e.csv", "--columns", "a", "--rows", "9"], says: "--rows is of one column" },
  { args: ["profile", "columns", "e.csv", "--row", "a"], says: "give --columns, or --table where" },
  {
    args: ["profile", "e.csv", "--columns", "a", "--out", "i.yaml"],
    says: "--out FILE.yaml needs --instance FILE, or --dim N",
  },
  { args: ["profile", "e.csv", "--columns", "a", "--plan", "p.json"], says: "--plan needs --out FILE.yaml" },
  { args: ["profile", "e.csv", "--partial", "--columns", "a"], says: "--partial needs --out FILE.parquet" },
  { args: ["profile", "e.csv", "--partial", "--merge"], says: "give --partial or --merge, not both" },
  {
    args: ["profile", "e.csv", "--dim", "8"],
    says: "expected --columns NAMES (all: every column of ids) or --instance FILE",
  },
  { args: ["profile", "e.csv", "--instance", "a.yaml", "--dim", "8"], says: "they do not go with --instance" },
  { args: ["profile", "--print-sql", "--columns", "all"], says: "profile sql of several columns names each" },
  { args: ["simulate", "p.json", "--row", "a"], says: "--row is of a log: it needs --events FILE" },
])("$args is one line on standard error and exit status 2", async ({ args, says }) => {
  const { status, stdout, stderr } = await runCli(args);
  expect(stderr).toContain(says);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect([status, stdout]).toEqual([2, ""]);
});

describe.skipIf(duckDb === undefined)("from a log to a plan, and back", () => {
  const LOG = `SELECT CAST(floor(2000 * pow((hash(i) % 10007) / 10007.0, 3)) AS INTEGER) AS item,
    CASE WHEN i % 10 > 0 THEN 'u' || hash(i + 5) % 300 END AS "user" FROM range(20000) AS t(i)`;

  test("one command makes a planned instance of a preset; simulate replays the log through it", async () => {
    const folder = temporaryFolder();
    const at = (name: string) => join(folder, name);
    await withDuckDb((connection) => connection.run(`COPY (${LOG}) TO '${at("log.parquet")}' (FORMAT parquet)`));
    const done = await runCli([
      ...["profile", at("log.parquet"), "--columns", "all", "--preset", "dmt-h100", "--dim", "32"],
      ...["--out", at("instance.yaml"), "--plan", at("plan.json"), "--rank-file", folder],
    ]);
    expect(done.stderr).toMatch(/^rows of item \(\d+\), user \(300\): the distinct ids of the log; [^\n]+\n$/);
    expect(done).toMatchObject({ status: 0 });
    expect(done.stdout).toContain("proved: no plan is better than");
    for (const table of ["item", "user"]) {
      const events = ["--events", at("log.parquet"), "--row", table, "--table", table];
      const { stdout, stderr, status } = await runCli([
        ...["simulate", at("plan.json"), ...events, "--rank-file", at(`${table}.txt`), "--json"],
      ]);
      expect([table, stderr, status]).toEqual([table, "", 0]);
      expect(JSON.parse(stdout).traffic).toMatchObject({ samples: 20000, lookups: table === "item" ? 20000 : 18000 });
    }
  });

  test("an instance's tables are filled in, its comments and its other keys stay", async () => {
    const folder = temporaryFolder();
    const at = (name: string) => join(folder, name);
    await withDuckDb((connection) => connection.run(`COPY (${LOG}) TO '${at("log.parquet")}' (FORMAT parquet)`));
    const base = (await runCli(["init", "row-tiers"])).stdout.replace("rows: 1000000", "rows: 5.0e3");
    writeFileSync(at("base.yaml"), base);
    const args = ["profile", at("log.parquet"), "--instance", at("base.yaml"), "--out", at("instance.yaml")];
    expect(await runCli(args)).toMatchObject({ status: 0, stderr: "" });
    const written = readFileSync(at("instance.yaml"), "utf8");
    expect(written).toContain("rows: 5.0e3\n");
    expect(written).toContain("access: {counts: {file: instance-counts/item.csv, samples: 20000}}");
    expect(written).toContain("# memory of a data-parallel parameter as a multiple of its size");
    expect(readFileSync(at("instance-counts/item.csv"), "utf8")).toMatch(/^rows,accesses_per_row\n[\s\S]*\n\d+,0\n$/);
    // Of table-placement rows and pooling factors, of a table by another name than its column's.
    const placed = (await runCli(["init", "table-placement"])).stdout;
    writeFileSync(at("placed.yaml"), placed.replace("    rows: 1000000\n", ""));
    const named = ["--instance", at("placed.yaml"), "--columns", "item,user=user", "--out", at("p.yaml")];
    const filled = await runCli(["profile", at("log.parquet"), ...named]);
    expect(filled.stderr).toMatch(/^rows of item \(\d+\)/);
    expect(filled.status).toBe(0);
    expect(readFileSync(at("p.yaml"), "utf8")).toContain("poolingFactor: 0.9");
    expect(await runCli(["plan", at("p.yaml")])).toMatchObject({ status: 0 });
    // A column of no table.
    const lost = await runCli([...args.slice(0, 4), "--columns", "tem=item", ...args.slice(4)]);
    expect(lost.stderr).toContain('column "tem": expected a table of this name in the instance');
    expect(lost.status).toBe(2);
  });
});
