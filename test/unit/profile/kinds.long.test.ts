import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { mergePartials, profileColumns, writePartial } from "../../../src/profile/profile-columns.js";
import { profileLog } from "../../../src/profile/profile-log.js";
import { printedSql } from "../../../src/profile/sql/aggregate.js";
import { duckDb, withDuckDb } from "../../support/duckdb.js";
import { bytesOf, npy, npz } from "../../support/npy.js";
import { counted, folder, parquet, write } from "./support.js";

/** Of twelve lines: 7 six times, 8 and 9 three times. */
const ITEM = "[7, 8, 9, 7][(i % 4) + 1]";
const items = (type: string, condition = "true") =>
  `SELECT i AS "user", CASE WHEN ${condition} THEN ${ITEM} END::${type} AS item FROM range(12) AS t(i)`;

describe.skipIf(duckDb === undefined)("ids as writers have them", () => {
  const user = [12, 12];

  test("integers that a writer made doubles or decimals of are ids, and what is missing is none", async () => {
    expect(await counted(await parquet(items("DOUBLE", "i > 0")), "all")).toEqual({ user, item: [3, 11] });
    expect(
      await counted(
        await parquet(
          `SELECT ${ITEM}::DOUBLE AS item, CASE WHEN i = 0 THEN 'nan'::DOUBLE ELSE 5 END AS other FROM range(12) AS t(i)`,
        ),
        "all",
      ),
    ).toEqual({ item: [3, 12], other: [1, 11] });
    expect(await counted(await parquet(items("DECIMAL(20, 0)")), "all")).toEqual({ user, item: [3, 12] });
    // DuckDB writes wide integers as doubles.
    expect(await counted(await parquet(items("HUGEINT")), "all")).toEqual({ user, item: [3, 12] });
    expect(await counted(await parquet(items("FLOAT")), ["item"])).toEqual({ item: [3, 12] });
  });

  test("fractions and doubles that are not exact become no ids, whichever way they are asked for", async () => {
    for (const [value, shown] of [
      ["7.25", "7.25"],
      ["9007199254740993", "9007199254740992.0"],
      ["'inf'", "inf"],
    ] as const) {
      const file = await parquet(
        `SELECT 1 AS a, CASE WHEN i = 3 THEN ${value}::DOUBLE ELSE 1 END AS item FROM range(5) AS t(i)`,
      );
      expect(await counted(file, "all")).toEqual({
        a: [1, 5],
        notes: ['column "item" is left out: DOUBLE with fractions, or none that is whole below 2^53'],
      });
      const refusal = `row 3 (from 0), column "item": expected a whole row id below 9007199254740992, as DOUBLE holds it exactly, received ${shown}`;
      await expect(counted(file, ["item"])).rejects.toThrow(refusal);
      await expect(profileLog([file], { row: "item", samples: 5 })).rejects.toThrow(refusal);
    }
  });

  test("lists of lists are one list, also of doubles and decimals", async () => {
    for (const type of ["BIGINT", "DOUBLE", "DECIMAL(9, 0)", "VARCHAR"]) {
      const file = await parquet(`SELECT [[${ITEM}], NULL, [${ITEM}]]::${type}[][] AS item FROM range(12) AS t(i)`);
      expect(await counted(file, "all")).toEqual({ item: [3, 24] });
    }
    const bad = await parquet("SELECT [[1.0::DOUBLE, 2], [2.5]] AS item");
    await expect(counted(bad, ["item"])).rejects.toThrow('row 0 (from 0), column "item": expected a whole row id');
  });

  test("what all leaves out is named with the reason", async () => {
    const file = await parquet(
      "SELECT 1 AS a, 1.5::FLOAT AS label, DATE '2024-01-01' AS day, {x: 1} AS s, true AS t, 2.5 AS price, NULL::INTEGER AS none, 1 AS __index_level_0__",
    );
    const { notes } = await counted(file, "all");
    expect(notes).toEqual([
      'column "label" is left out: FLOAT, which is exact for whole numbers below 2^24 alone',
      'column "day" is left out: DATE, which holds no row ids',
      'column "s" is left out: STRUCT(x INTEGER), which holds no row ids',
      'column "t" is left out: BOOLEAN, which holds no row ids',
      'column "price" is left out: DECIMAL(2,1), which holds no row ids',
      'column "__index_level_0__" is left out: its name is that of an index, which pandas and R write beside the columns',
      'column "none" is left out: no line has a value in it',
    ]);
    const csv = write("log.csv", ",user,item\n0,1,a\n1,2,b\n");
    expect(await counted(csv, "all")).toMatchObject({
      user: [2, 2],
      item: [2, 2],
      notes: [expect.stringMatching(/^column "" is left out/)],
    });
  });

  test("an unquoted \\N is missing, of texts, integers and lists; in quotes it is a text", async () => {
    const file = write("log.tsv", "user\titem\tlist\n1\tx\t1|2\n\\N\t\\N\t\\N\n2\tx\t3|4\n");
    expect(await counted(file, "all")).toEqual({ user: [2, 2], item: [1, 2], list: [4, 4] });
    expect(await counted(write("log.csv", 'item,a\nx,1\n"\\N",1\n\\N,1\n'), ["item"])).toEqual({ item: [2, 2] });
    const other = write("log.csv", "item,a\n5,1\nNULL,1\nnan,1\n");
    expect(await counted(other, ["item"], { missing: ["NULL", "nan"] })).toEqual({ item: [1, 1] });
    await expect(counted(other, ["item"])).rejects.toThrow(
      ':3:1: expected an integer, as most of the first row ids are, received "NULL"; correct the line, say --null "NULL"',
    );
    await expect(profileLog([write("log.csv", "row,s\n5,1\n\\N,1\n")], { row: "row", sample: "s" })).rejects.toThrow(
      ":3:1: expected a row id, received nothing",
    );
    await expect(profileLog([write("log.csv", "row,s\n5,1\n5,\\N\n")], { row: "row", sample: "s" })).rejects.toThrow(
      ":3:3: expected a sample, received nothing",
    );
  });

  test("the SQL for one column leaves missing ids out, as that of several does", async () => {
    const rows = await withDuckDb(async (connection) => {
      await connection.run("CREATE TABLE events AS SELECT unnest([1, 1, NULL]) AS item");
      return (
        await connection.runAndReadAll(printedSql({ dialect: "duckdb", table: "events", row: "item" }))
      ).getRows();
    });
    expect(rows).toEqual([[1, 2n]]);
  });

  test("folders are no columns unless a key is asked for, and never replace one", async () => {
    const root = folder();
    for (const [day, hour] of [
      [1, 0],
      [1, 1],
      [2, 0],
    ]) {
      const path = join(root, `day=${day}`, `hour=${hour}`);
      mkdirSync(path, { recursive: true });
      await withDuckDb((connection) =>
        connection.run(`COPY (SELECT 5 AS item FROM range(4)) TO '${path}/part.parquet' (FORMAT parquet)`),
      );
    }
    for (const files of [root, join(root, "**/*.parquet")]) {
      expect(await counted(files, "all")).toEqual({ item: [1, 12] });
      expect(await counted(files, ["item", "hour", "day"])).toEqual({ item: [1, 12], hour: [2, 12], day: [2, 12] });
    }
    for (const [name, column, bytes] of [
      ["part.jsonl", "item", '{"item": 5}\n{"item": 6}\n'],
      ["part.npy", "1", npy("<i4", bytesOf(Int32Array.of(5, 6)), "2, 1")],
    ] as const) {
      const other = folder();
      for (const day of [1, 2]) {
        mkdirSync(join(other, `day=${day}`));
        writeFileSync(join(other, `day=${day}`, name), bytes);
      }
      expect(await counted(other, "all")).toEqual({ [column]: [2, 4] });
      expect(await counted(other, [column, "day"])).toEqual({ [column]: [2, 4], day: [2, 4] });
    }
    const own = join(root, "item=3");
    mkdirSync(own);
    await withDuckDb((connection) =>
      connection.run(`COPY (${items("BIGINT")}) TO '${own}/part.parquet' (FORMAT parquet)`),
    );
    expect(await counted(join(own, "part.parquet"), "all")).toEqual({ user, item: [3, 12] });
    const text = join(own, "part.csv");
    writeFileSync(text, "item,user\n7,1\n8,2\n");
    expect(await counted(text, "all")).toEqual({ item: [2, 2], user: [2, 2] });
  });

  test.each([
    ["Comedy|Drama", "Drama", [2, 3], true],
    ["N1 N2", "N3", [3, 3], true],
    ["a;b", "c", [3, 3], true],
    ["{x,y}", "{y}", [2, 3], true],
    ["5:0.5|6:1", "5:2", [2, 3], true],
    ["(a|b)", "(b)", [2, 3], true],
    ["{1,2}", "{}", [2, 2], false],
    ["(1, 2)", "(2,)", [2, 3], false],
    ["{'a', 'b c'}", "set()", [2, 2], false],
  ])("texts of several ids: %s, %s", async (first, second, expected, isAsked) => {
    const csv = write("log.csv", `user,ids\n1,"${first}"\n2,"${second}"\n`);
    const file = await parquet(
      `SELECT unnest([${[first, second].map((text) => `'${text.replaceAll("'", "''")}'`).join(", ")}]) AS ids`,
    );
    for (const log of [csv, file]) {
      expect(await counted(log, ["ids"], { lists: ["ids"] })).toEqual({ ids: expected });
      // As tuples and arrays they are known by their looks; otherwise it is said what they are counted as.
      const plain = isAsked
        ? { ids: [2, 2], notes: [expect.stringContaining("say --columns ids[]")] }
        : { ids: expected };
      expect(await counted(log, ["ids"])).toEqual(plain);
    }
  });

  test("one odd text makes no lists, and a malformed list has its place", async () => {
    const file = write("log.csv", `a,ids\n${"1,x\n".repeat(500)}1,12 34\n`);
    expect(await counted(file, ["ids"])).toEqual({ ids: [2, 501] });
    const bad = write("log.csv", 'a,ids\n1,"(1, 2)"\n2,"(3, (4)"\n');
    await expect(counted(bad, ["ids"])).rejects.toThrow(
      ':3:3: expected an integer, as most of the first row ids are, received "(3"',
    );
    const mixed = write("log.csv", "a,ids\n1,5:1|6:2\n2,x:1\n");
    await expect(counted(mixed, ["ids"], { lists: ["ids"], ids: "integers" })).rejects.toThrow(
      ":3:3: expected an integer",
    );
  });

  test("a header without a comma is cut where its names are", async () => {
    for (const cut of [";", "|"]) {
      const file = write("log.csv", `user${cut}item\n${[0, 1, 2].map((k) => `${k}${cut}${7 + (k % 2)}\n`).join("")}`);
      expect(await counted(file, "all")).toEqual({ user: [3, 3], item: [2, 3] });
    }
    expect(await counted(write("log.csv", "ids\n1;2\n3;4;5\n"), "all")).toEqual({ ids: [5, 5] });
    const dat = write("ratings.dat", "1::7::5::978\n1::8::3::979\n2::7::4::978\n");
    const { rows, samples } = await profileLog([dat], { format: "csv", delimiter: "::", row: "2", sample: "1" });
    expect([rows, samples]).toEqual([2, 2]);
  });

  test("an aggregate's counts are known by their name, wherever they stand", async () => {
    const lines = [
      ["7", 30],
      ["8", 15],
      ["9", 15],
    ] as const;
    for (const name of ["count", "counts", "n", "len", "accesses", "count_star()"]) {
      const file = await parquet(
        `SELECT * FROM (VALUES ${lines.map(([id, n]) => `(${n}, ${id})`).join(", ")}) AS t("${name}", item)`,
      );
      const csv = write("part.csv", `${name},item\n${lines.map(([id, n]) => `${n},${id}\n`).join("")}`);
      for (const log of [file, csv]) {
        const { counts } = await profileLog([log], { isAggregate: true, samples: 60 });
        expect(counts).toEqual([
          [30, 1],
          [15, 2],
        ]);
      }
    }
    const plain = write("part.csv", "item,seen\na,2\nb,1\n");
    expect((await profileLog([plain], { isAggregate: true, samples: 3 })).accesses).toBe(3);
  });

  test("files are read by name and by the wider type", async () => {
    const narrow = await parquet(items("INTEGER"));
    expect(
      await counted(
        [narrow, await parquet(`SELECT ${ITEM}::BIGINT + (1::BIGINT << 40) AS item FROM range(12) AS t(i)`)],
        ["item"],
      ),
    ).toEqual({ item: [6, 24] });
    const grown = [await parquet(`SELECT i AS "user" FROM range(12) AS t(i)`), await parquet(items("BIGINT"))];
    for (const files of [grown, grown.toReversed()])
      expect(await counted(files, "all")).toEqual({ user: [12, 24], item: [3, 12] });
    expect(
      await counted([await parquet("SELECT NULL AS item FROM range(3)"), await parquet(items("BIGINT"))], ["item"]),
    ).toEqual({ item: [3, 12] });
    const fractions = await parquet('SELECT 1::BIGINT AS "user", 7.25::DOUBLE AS item');
    await expect(counted([narrow, fractions], ["item"])).rejects.toThrow(
      `${fractions}: row 0 (from 0), column "item": expected a whole row id`,
    );
    const missing = await parquet("SELECT 5 AS item, 1 AS s");
    await expect(profileLog([missing, narrow], { row: "item", sample: "s" })).rejects.toThrow(
      `${narrow}: row 0 (from 0), column "s": expected a sample`,
    );
  });

  test.each([
    ["'007'", "7", "VARCHAR", "INTEGER"],
    ["[7]", "7", "INTEGER[]", "INTEGER"],
    ["'7'", "7.0::DOUBLE", "VARCHAR", "DOUBLE"],
  ])("files of texts and of numbers are no one log: %s, %s", async (one, other, is, was) => {
    const files = [await parquet(`SELECT ${other} AS item`, "a.parquet"), await parquet(`SELECT ${one} AS item`)];
    const says = `${files[1]}: column "item": expected ${was} as in a.parquet, received ${is}`;
    await expect(counted(files, ["item"])).rejects.toThrow(says);
  });

  test("the kind of ids is what most of the first thousand are; hexadecimal is text", async () => {
    const hashes = write(
      "log.tsv",
      ["68416286", "05e90000", "1e5aa210", "68416286"].map((id) => `0\t${id}\n`).join(""),
    );
    expect(await counted(hashes, ["2"])).toEqual({ "2": [3, 4] });
    expect(await counted(write("log.csv", "a,id\n1,0001048791\n1,B00X\n1,B01Y\n"), ["id"])).toEqual({ id: [3, 3] });
    expect(await counted(write("log.csv", "a,id\n1,01\n1,1\n"), ["id"])).toEqual({ id: [1, 2] });
  });

  test("padding is left out where that is said, and named where it shows", async () => {
    const file = await parquet(
      "SELECT unnest([[5, 6, 0, 0], [5, 0, 0, 0], [7, 5, 8, 0], [0, 0, 0, 0], [6, 0, 0, 0]]) AS hist, 1 AS a",
    );
    const { notes, ...plain } = await counted(file, "all");
    expect(plain).toEqual({ hist: [5, 20], a: [1, 5] });
    expect(notes).toEqual(['column "hist": 0 fills the ends of 4 of 5 lists; if it is padding, say --skip hist=0']);
    for (const skip of [["0"], ["hist=0"], ["hist=00"]])
      expect(await counted(file, "all", { skip })).toMatchObject({ hist: [4, 7], a: [1, 5] });
    const text = write("log.csv", "a,hist\n0,5 0 0\n0,6 0 0\n");
    expect(await counted(text, "all", { skip: ["hist=0"] })).toEqual({ a: [1, 2], hist: [2, 2] });
    expect(await counted(text, ["a"], { skip: ["9"] })).toEqual({
      a: [1, 2],
      notes: ['--skip 9: column "a" has no such id'],
    });
    // Its zeros would stay without a word.
    const says = "--skip hits=0: expected one of the columns a, hist before =, received hits; did you mean hist?";
    await expect(counted(text, "all", { skip: ["hits=0"] })).rejects.toThrow(says);
    await expect(writePartial([text], "all", join(folder(), "part.parquet"), { skip: ["hits=0"] })).rejects.toThrow(
      says,
    );
    const [part, own] = [join(folder(), "part.parquet"), join(folder(), "log.parquet")];
    expect(own).toBeDefined();
    await writePartial([file], ["hist"], part, { skip: ["0"] });
    expect((await mergePartials([part], "all")).columns[0]?.profile.accesses).toBe(7);
  });

  test("a missing entry of a list has its place, and how to leave it out", async () => {
    const file = await parquet("SELECT unnest([[1, 2], [3, NULL]]) AS hist");
    const says = `${file}: row 1 (from 0), column "hist": expected a row id in every place of a list (--skip null leaves missing ones out), received [3, NULL]`;
    await expect(counted(file, ["hist"])).rejects.toThrow(says);
    const part = join(folder(), "part.parquet");
    await expect(writePartial([file], ["hist"], part)).rejects.toThrow(says);
    expect(await counted(file, ["hist"], { skip: ["null"] })).toEqual({ hist: [3, 3] });
    await writePartial([file], ["hist"], part, { skip: ["null"] });
    expect((await mergePartials([part], "all")).columns[0]?.profile.accesses).toBe(3);
  });

  test("a system's own files beside a log are no part of it", async () => {
    const root = folder();
    await withDuckDb((connection) =>
      connection.run(`COPY (${items("BIGINT")}) TO '${root}/part-0.parquet' (FORMAT parquet)`),
    );
    for (const name of ["_SUCCESS", "_metadata", ".part-0.parquet.crc", "part-0.parquet.crc", "_metadata.json"])
      writeFileSync(join(root, name), "x");
    for (const files of [root, `${root}/`, join(root, "*")])
      expect(await counted(files, "all")).toEqual({ user, item: [3, 12] });
  });

  test("JSON lines and arrays, as they are written", async () => {
    const lines = [
      { user: 1, item: 7.0, ids: [1, 2], deep: [[1], [2, 3]], name: "a", big: 0, s: { x: 1 }, t: true, price: 1.5 },
      { user: 2, item: null, ids: [], name: 'b"c', big: 0, ids2: ["x", 'y"z'] },
    ].map((line) =>
      JSON.stringify(line).replace('"big":0', '"big":36893488147419103232').replace('"item":7', '"item":7.0'),
    );
    const expected = { user: [2, 2], item: [1, 1], ids: [2, 2], deep: [3, 3], name: [2, 2], big: [1, 2], ids2: [2, 2] };
    for (const file of [write("log.jsonl", `${lines.join("\n")}\n`), write("log.json", `[${lines.join(",")}]`)]) {
      const { notes, ...rest } = await counted(file, "all");
      expect(rest).toEqual(expected);
      expect(notes).toHaveLength(3);
    }
    const mixed = [write("a.jsonl", '{"item":7}\n'), write("b.jsonl", '{"item":7.0,"late":1}\n')];
    expect(await counted(mixed, "all")).toEqual({ item: [1, 2], late: [1, 1] });
    await expect(counted(write("log.jsonl", '{"item":1}\nno\n'), "all")).rejects.toThrow(
      "expected a JSON object a line, or an array of them",
    );
    await expect(
      profileLog([write("log.jsonl", '{"row":1,"s":1}\n{"s":1}\n')], { row: "row", sample: "s" }),
    ).rejects.toThrow('log.jsonl: row 1 (from 0), column "row": expected a row id');
  });

  test("NumPy's arrays: samples by columns in one, or by the ids of a column in each of an archive", async () => {
    const matrix = write("day_0_sparse.npy", npy("<i4", bytesOf(Int32Array.of(7, -8, 7, 9, 5, -8)), "3, 2"));
    expect(await counted(matrix, "all")).toEqual({ "1": [2, 3], "2": [2, 3] });
    expect((await profileColumns([matrix], ["2"])).samples).toBe(3);
    const long = write(
      "a.npy",
      npy("<u8", bytesOf(BigUint64Array.from({ length: 5000 }, (_, k) => 2n ** 63n + BigInt(k % 7))), "5000,"),
    );
    expect(await counted(long, "all")).toEqual({ "1": [7, 5000] });
    const archive = write("day_0.npz", readFileSync("test/unit/profile/multi-hot.npz"));
    expect(await counted(archive, "all")).toEqual({ "0": [4, 24], "1": [3, 12], "2": [3, 12] });
    expect((await profileColumns([archive], ["0"])).columns[0]?.profile.meanLength).toBe(2);
  });

  test.each([
    [
      "a.npy",
      npy("<f4", bytesOf(Float32Array.of(1)), "1,"),
      "expected elements of one of |i1, |u1, <i2, <u2, <i4, <u4, <i8, <u8, received <f4",
    ],
    [
      "a.npy",
      npy("<i4", bytesOf(Int32Array.of(1)), "1, 1, 1"),
      "expected the shape (samples, columns), received (1, 1, 1)",
    ],
    ["a.npy", npy("<i4", bytesOf(Int32Array.of(1)), "2,"), "the file ends too early"],
    ["a.npy", npy("<i4", bytesOf(Int32Array.of(1, 2)), "1,"), "expected the end of the data, received more"],
    ["a.npz", Buffer.from("no archive"), "expected an archive that numpy.savez wrote"],
    [
      "a.npz",
      npz(["x/a", "y/A"].map((name) => [`${name}.npy`, npy("<i4", bytesOf(Int32Array.of(1)), "1,")] as const)),
      "a.npz, y/A.npy: expected arrays of different names, received another A; rename one",
    ],
    [
      "a.npz",
      npz([["a.npy", npy("<i4", bytesOf(new Int32Array(100_000)), "1, 100000")]]),
      "expected the shape (samples, ids of each), received (1, 100000)",
    ],
  ])("arrays that are no row ids are refused: %s, %#", async (name, bytes, says) => {
    await expect(counted(write(name, bytes), "all")).rejects.toThrow(says);
  });

  test("what is packed is text whatever its name before", async () => {
    expect(await counted(write("day_0.gz", gzipSync("1\t5\n2\t5\n")), "all")).toEqual({ "1": [2, 2], "2": [1, 2] });
    await expect(counted(write("day_0.bz2", "x"), "all")).rejects.toThrow(
      "unpack it first, or pack it by gzip or zstd",
    );
    await expect(counted(write("day_0.bin", "x"), "all")).rejects.toThrow(
      "received another; say --format csv, tsv, json, parquet, npy or arrow",
    );
  });
});
