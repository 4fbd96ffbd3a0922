import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { duckDb } from "../support/duckdb.js";
import { runCli, runProcess, temporaryFolder } from "./run-cli.js";

const LOG = "row,sample\n5,1\n7,1\n5,2\n9,2\n5,3\n7,3\n";
const BINS = [
  [1, 1],
  [1, 2 / 3],
  [1, 1 / 3],
];

function logFile(content = LOG, name = "log.csv"): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}

describe.skipIf(duckDb === undefined)("shardproof profile", () => {
  test("Arrow is read where its packages are; where one is not, it is said how to get it", async () => {
    const file = "test/unit/profile/arrow/pandas.feather";
    const args = ["profile", file, "--columns", "user", "--json"];
    const { status, stdout } = await runCli([...args, "--format", "arrow"]);
    expect([status, JSON.parse(stdout).columns[0].profile.accesses]).toEqual([0, 120]);
    const planted = [{ file: "profile/arrow-log.js", from: 'import("lz4-napi")', to: 'import("lz4-absent")' }];
    expect(await runProcess(args, { planted })).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /reading Arrow needs packages that are not all installed; .* npm install apache-arrow flatbuffers fzstd lz4-napi/,
      ),
    });
    const cut = logFile("ARROW1", "cut.feather");
    expect(await runCli(["profile", cut, "--columns", "all"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`${cut}: expected Arrow's mark at the file's end`),
    });
  });

  test("writes a histogram that an instance takes, and says the same to people", async () => {
    const folder = temporaryFolder();
    const [out, counts, ranks] = ["p.json", "c.csv", "r.txt"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const args = ["profile", logFile(), "--row", "row", "--sample", "sample", "--rows", "10"];
    const shown = await runCli([...args, "--out", out, "--rank-file", ranks]);
    expect(shown).toMatchObject({ status: 0, stderr: "" });
    expect(shown.stdout).toMatch(
      / rows {2,}10, 7 of them never read\n {2}samples {2,}3\n {2}accesses {2,}6\n {2}mean length {2,}2 /,
    );
    expect(shown.stdout).toContain("50.0 %");
    const profile = JSON.parse(readFileSync(out, "utf8"));
    expect(profile).toMatchObject({ shardproof: 1, rows: 10, samples: 3, accesses: 6, meanLength: 2 });
    expect(profile.histogram).toEqual([...BINS, [7, 0]]);
    expect(readFileSync(ranks, "utf8")).toBe("5\n7\n9\n");
    const json = await runCli([...args, "--json", "--out", counts]);
    expect(json.stdout).toBe(readFileSync(out, "utf8"));

    // The same access, pasted and as a counts file: plans of the same value.
    const plain = readFileSync("instances/tiny/two-tiers.yaml", "utf8");
    const values = [];
    for (const access of [`histogram: ${JSON.stringify(profile.histogram)}`, `counts: {file: ${counts}, samples: 3}`]) {
      const head = plain.slice(0, plain.indexOf("tables:"));
      const file = join(folder, "instance.yaml");
      writeFileSync(file, `${head}tables:\n  - {name: t, rows: 10, dim: 4, dataType: fp32, access: {${access}}}\n`);
      const plan = await runCli(["plan", file, "--json"]);
      expect(plan.stderr).toBe("");
      values.push(JSON.parse(plan.stdout).objective.value);
    }
    expect(values[0]).toBe(values[1]);
  });

  test("commands answer as the older options do", async () => {
    const [log, folder] = [logFile(), temporaryFolder()];
    const [part, other] = ["part.parquet", "other.parquet"].map((name) => join(folder, name)) as [string, string];
    const columns = ["--columns", "row,sample"];
    const answers = async (spelled: readonly string[], older: readonly string[], ...options: readonly string[]) => {
      const answer = await runCli(["profile", ...spelled, ...options]);
      expect(answer).toMatchObject({ status: 0, stderr: "" });
      expect(answer.stdout + answer.stderr).not.toBe("");
      expect(await runCli(["profile", ...older, ...options])).toEqual(answer);
      return answer.stdout;
    };
    expect(await answers(["count", log], [log], "--row", "row", "--sample", "sample", "--json")).toContain(
      '"samples": 3',
    );
    expect(await answers(["columns", log], [log], ...columns, "--json")).toContain('"samples":6');
    await runCli(["profile", "columns", log, ...columns, "--partial", "--out", part]);
    await runCli(["profile", log, ...columns, "--partial", "--out", other]);
    expect(await answers(["merge", part, other], [part, other, "--merge"], "--json")).toContain('"samples":12');
    expect(await answers(["sql", "logs.events"], ["logs.events", "--print-sql"], "--row", "item")).toContain("SELECT");
    expect(await answers(["sql"], ["--print-sql"], "--columns", "a,b", "--dialect", "trino")).toContain("UNION ALL");
  });

  test("reads standard input", async () => {
    const { status, stdout } = await runCli(["profile", "-", "--json", "--format", "csv"], {
      input: "5 7\n5 9\n5 7\n",
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ samples: 3, histogram: BINS, files: ["-"] });
  });

  test("the printed SQL's result goes back in", async () => {
    const file = logFile("row_id,accesses\n5,3\n7,2\n9,1\n", "part-0.csv");
    const { stdout } = await runCli(["profile", "--from-aggregate", file, "--samples", "3", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ samples: 3, histogram: BINS });
  });

  test("a malformed line is one line on standard error with file, line and column", async () => {
    const file = logFile(`${LOG}x,4\n`);
    const { status, stdout, stderr } = await runCli(["profile", file, "--row", "row", "--sample", "sample"]);
    expect(stderr).toBe(
      `${file}:8:1: expected an integer, as most of the first row ids are, received "x"; correct the line, say --null "x" where that is no value, or --ids texts\n`,
    );
    expect([status, stdout]).toEqual([2, ""]);
  });

  test("Ctrl-C ends it and leaves no files behind", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "long.txt");
    const lines = Array.from({ length: 400_000 }, (_, k) => `${k} ${k + 1} ${k + 2} ${k + 3}\n`).join("");
    writeFileSync(file, lines.repeat(5));
    const temporary = temporaryFolder();
    const out = join(folder, "p.json");
    const { status, stdout, stderr } = await runProcess(
      ["profile", file, "--temp-directory", temporary, "--out", out],
      {
        onStart: (child) => {
          const timer = setInterval(() => {
            // Its folder is there once it has begun.
            if (readdirSync(temporary).length === 0) return;
            clearInterval(timer);
            setTimeout(() => child.kill("SIGINT"), 200);
          }, 10);
        },
      },
    );
    expect([status, stdout, stderr]).toEqual([130, "", ""]);
    expect(readdirSync(temporary)).toEqual([]);
    expect(existsSync(out)).toBe(false);
  });
});

test("the printed SQL needs no database", async () => {
  const { status, stdout } = await runCli([
    "profile",
    "logs.events",
    "--print-sql",
    "--dialect",
    "spark",
    "--row",
    "item",
    "--sample",
    "user",
  ]);
  expect(status).toBe(0);
  expect(
    stdout,
  ).toBe(`-- Accesses per row. Write the result as Parquet or CSV, then: shardproof profile count --from-aggregate FILE --samples N
-- Samples, for --samples: SELECT COUNT(DISTINCT \`user\`) AS samples FROM \`logs\`.\`events\`
SELECT row_id, CAST(SUM(accesses) AS BIGINT) AS accesses
FROM (
  SELECT \`item\` AS row_id, 1 AS accesses
  FROM \`logs\`.\`events\`
) AS accesses_of_rows
WHERE row_id IS NOT NULL
GROUP BY row_id;
`);
});

test.each([
  { args: [], says: "expected a log: EVENTS" },
  { args: ["e.csv", "--row", "a", "--list", "b"], says: "give --row or --list, not both" },
  { args: ["e.csv", "--samples", "0"], says: "Expected an integer of at least 1" },
  { args: ["e.csv", "--dialect", "spark"], says: "--dialect goes with profile sql" },
  {
    args: ["--print-sql", "--dialect", "oracle", "--row", "a"],
    says: "Allowed choices are duckdb, spark, trino, postgres, clickhouse",
  },
  { args: ["--print-sql"], says: "profile sql needs --row COLUMN or --list COLUMN" },
  { args: ["--print-sql", "--row", "a", "--skip", "0"], says: "profile sql takes no --skip: give it where the result" },
  { args: ["--print-sql", "--row", "a", "--null", "NULL"], says: "profile sql takes no --null: make such texts NULL" },
  { args: ["e.csv", "--from-aggregate", "a.csv"], says: "not both" },
  { args: ["--from-aggregate", "a.csv"], says: "--from-aggregate needs --samples N" },
  { args: ["count", "e.csv", "--merge"], says: "profile count takes no --merge; see shardproof profile count --help" },
  { args: ["count", "e.csv", "--samples", "x"], says: "see shardproof profile count --help" },
  { args: ["count", "e.csv", "--row", "a", "--row", "b"], says: "--row was given twice" },
  { args: ["columns", "e.csv", "--row", "a", "--list", "b"], says: "give --row or --list, not both" },
  { args: ["columns", "e.csv"], says: "expected --columns NAMES (all: every column of ids) or --instance FILE" },
  { args: ["columns", "e.csv", "--rows", "3"], says: "profile columns takes no --rows" },
  { args: ["merge"], says: "missing required argument 'files'" },
  { args: ["sql"], says: "profile sql needs --row COLUMN" },
  { args: ["sql", "--dialect", "oracle"], says: "Allowed choices are duckdb, spark" },
  { args: ["-", "e.csv"], says: "standard input cannot stand beside files" },
  { args: ["no-such-log.csv"], says: "expected a log that can be read, received no such file" },
  { args: ["e.csv", "--out", "no-such-folder/p.json"], says: "expected a folder that can be written to" },
  { args: ["e.csv", "--delimiter", "abcde"], says: "Expected one to 4 characters" },
])("profile $args is one line on standard error and exit status 2", async ({ args, says }) => {
  const { status, stdout, stderr } = await runCli(["profile", ...args]);
  expect(stderr).toContain(says);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect([status, stdout]).toEqual([2, ""]);
});
