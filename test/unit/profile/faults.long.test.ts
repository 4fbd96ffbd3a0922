import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { duckDb } from "../../support/duckdb.js";
import { folder, parquet, profiled, write } from "./support.js";

const OPTIONS = { row: "row", sample: "sample" };
const many = (line: string) => line.repeat(5000);

describe.skipIf(duckDb === undefined)("a malformed log", () => {
  test.each([
    ["too few fields", "row,sample\n1,2\n3\n", OPTIONS, "3:2: expected 2 fields, received 1; correct the line"],
    ["too many fields", "row,sample\n1,2\n3,4,5\n", OPTIONS, "3:5: expected 2 fields, received 3; correct the line"],
    ["no row id", "row,sample\n1,2\n,4\n", OPTIONS, "3:1: expected a row id, received nothing; correct the line"],
    [
      "a blank row id",
      "row,sample\n1,2\n  ,4\n",
      OPTIONS,
      "3:1: expected a row id, received nothing; correct the line",
    ],
    ["no sample", "row,sample\n1,2\n3,\n", OPTIONS, "3:3: expected a sample, received nothing"],
    [
      "a text among integers",
      "row,sample\n1,2\nx7,4\n",
      OPTIONS,
      '3:1: expected an integer, as most of the first row ids are, received "x7"; correct the line, say --null "x7" where that is no value, or --ids texts',
    ],
    ["a fraction among integers", "row,sample\n1,2\n1.5,4\n", OPTIONS, "3:1: expected an integer"],
    [
      "a text in a list of integers",
      "ids\n1 2\n3 4 5\n6 x 7\n",
      {},
      '4:3: expected an integer, as most of the first row ids are, received "x"; correct the line, say --null "x" where that is no value, or --ids texts',
    ],
    ...[
      ["a list that only opens", "[4", 1],
      ["a list that only closes", "5]", 2],
      ["a list in a list", "[[6]]", 2],
      ["a list at the end of a list", "[1 2 [3]]", 6],
      ["two lists", "[1] [2]", 3],
      ["something behind a list", "[1 2] 3", 1],
      ["an open quote in a list", "[1 '2]", 4],
      ["a closing quote in a list", "1 2' 3", 4],
      ["ids in quotes without a separator", "['1''2']", 5],
      ["an open bracket in a quoted id's place", "['1' [ '2']", 6],
    ].map(([what, cell, column]): [string, string, object, string] => [
      `${what}`,
      `ids\n[1]\n${many("2 3\n")}${cell}\n`,
      { list: "ids" },
      `5003:${column}: expected a list of row ids, such as [1, 2] or 1|2, with no brackets inside and every quote closed, received "${cell}"; correct the line`,
    ]),
    [
      "a fractional weight",
      "row,n\n1,2\n2,2.5\n",
      { row: "row", weight: "n", samples: 3 },
      '3:3: expected a whole number of accesses, received "2.5"; correct the line',
    ],
    [
      "a negative weight",
      "row,n\n1,2\n2,-1\n",
      { row: "row", weight: "n", samples: 3 },
      '3:3: expected a whole number of accesses, received "-1"; correct the line',
    ],
    [
      "no weight",
      "row,n\n1,2\n2,\n",
      { row: "row", weight: "n", samples: 3 },
      "3:3: expected a whole number of accesses, received nothing; correct the line",
    ],
    [
      "an open quote",
      'row,sample\n1,2\n"3,4\n5,6\n',
      OPTIONS,
      "3:1: expected a closing quote, received the end of the file; close it or double it",
    ],
    [
      "something after a quote",
      'row,sample\n1,2\n"3"x,4\n',
      OPTIONS,
      '3:4: expected a comma after the closing quote, received "x"; double the quotes inside a field',
    ],
    [
      "a fault after a line break in quotes",
      'row,sample\n1,"a\nb"\n3\n',
      OPTIONS,
      "4:2: expected 2 fields, received 1; correct the line",
    ],
    [
      "other bytes than UTF-8",
      Buffer.from("row,sample\n1,é\n2,caf\xe9\n".replace("é", "e"), "latin1"),
      OPTIONS,
      "3:6: expected UTF-8 text, received the byte 0xE9 at byte 20 (from 0); say what it is with --encoding (latin-1, utf-16, …), or convert the file",
    ],
    [
      "a fault far down",
      `row,sample\n${many("1,2\n")}3\n${many("1,2\n")}`,
      OPTIONS,
      "5002:2: expected 2 fields, received 1; correct the line",
    ],
    [
      "a fault far down behind empty lines",
      `row,sample\n${many("1,2\n\n")}x,3\n`,
      OPTIONS,
      "10002:1: expected an integer, as most of the first row ids are",
    ],
  ])("with %s names line and column", async (_, content, options, message) => {
    const file = write("e.csv", content);
    await expect(profiled(file, options)).rejects.toThrow(`${file}:${message}`);
  });

  test.each([
    ["nothing", "", OPTIONS, "expected a log of accesses, received an empty file"],
    ["a header alone", "row,sample\n", OPTIONS, "expected accesses, received a log without any"],
    [
      "another name",
      "rows,sample\n1,2\n",
      OPTIONS,
      '--row: expected one of the columns rows, sample, received "row"; did you mean rows?',
    ],
    [
      "a name twice",
      "row,row,sample\n1,2,3\n",
      OPTIONS,
      '--row: expected one column "row", received several; give its number',
    ],
    [
      "a number beyond its columns",
      "1,2\n3,4\n",
      { row: "3", samples: 2 },
      '--row: expected a column number from 1 to 2, received "3"; the file has no header',
    ],
    [
      "no column asked for",
      "item,sample\n1,2\n",
      {},
      "expected --row COLUMN or --list COLUMN, received neither; the columns are item, sample",
    ],
    [
      "no samples",
      "row,sample\n1,2\n",
      { row: "row" },
      "expected --sample COLUMN or --samples N, received neither: lines that are one access each do not say how many samples there are",
    ],
  ])("with %s says what to do", async (_, content, options, message) => {
    const file = write("e.csv", content);
    await expect(profiled(file, options)).rejects.toThrow(`${file}: ${message}`);
  });

  test("in the second of two files", async () => {
    const first = write("a.csv", "row,sample\n1,2\n");
    const second = write("b.csv", "row,sample\n1,2\n3\n");
    await expect(profiled([first, second], OPTIONS)).rejects.toThrow(`${second}:3:2: expected 2 fields, received 1`);
    const other = write("b.csv", "sample,row\n1,2\n");
    await expect(profiled([first, other], OPTIONS)).rejects.toThrow(
      `${other}:1:1: expected the columns row,sample of the first file, received sample,row`,
    );
  });

  test.each([
    [
      "a null id",
      "VALUES (1, 2), (NULL, 3)",
      'row 1 (from 0), column "row": expected a row id (--skip null leaves missing ones out), received null',
    ],
    ["a null sample", "VALUES (1, 2), (3, NULL)", 'row 1 (from 0), column "sample": expected a sample, received null'],
    [
      "fractions",
      "VALUES (1.5, 2)",
      'column "row": expected row ids that are integers or texts, received DECIMAL(2,1)',
    ],
  ])("in Parquet with %s", async (_, values, message) => {
    const file = await parquet(`SELECT * FROM (${values}) AS t(row, sample)`);
    await expect(profiled(file, OPTIONS)).rejects.toThrow(`${file}: ${message}`);
  });

  test("in Parquet with a null inside a list, and with a fractional weight", async () => {
    const lists = await parquet("SELECT * FROM (VALUES ([1]), ([1, NULL])) AS t(ids)");
    await expect(profiled(lists)).rejects.toThrow(`${lists}: row 1 (from 0), column "ids": expected a row id`);
    const weights = await parquet("SELECT * FROM (VALUES (1, 2.0), (1, 2.5)) AS t(row, n)");
    const texts = await parquet(`SELECT * FROM (VALUES ('[1, 2]'), (NULL), (''), ('[4')) AS t(ids)`);
    await expect(profiled(texts)).rejects.toThrow(
      `${texts}: row 3 (from 0), column "ids": expected a list of row ids, such as [1, 2] or 1|2, with no brackets inside and every quote closed, received [4; correct the file`,
    );
    await expect(profiled(weights, { weight: "n", samples: 1 })).rejects.toThrow(
      `${weights}: row 1 (from 0), column "n": expected a whole number of accesses, received 2.5`,
    );
  });

  test("that is none: no file, no match, a directory, another kind, two kinds, broken ones", async () => {
    const csv = write("e.csv", "row,sample\n1,2\n");
    const inside = (name: string) => join(dirname(csv), name);
    mkdirSync(inside("folder.csv"));
    await expect(profiled(inside("gone.csv"))).rejects.toThrow(
      "expected a log that can be read, received no such file",
    );
    await expect(profiled(inside("*.tsv"))).rejects.toThrow(
      "expected a pattern of files, received one that no file matches",
    );
    await expect(profiled(inside("folder.csv"))).rejects.toThrow("expected a folder of files, received an empty one");
    await expect(profiled(write("e.log", "1\n"))).rejects.toThrow("say --format csv, tsv, json, parquet, npy or arrow");
    await expect(profiled([csv, await parquet("SELECT 1 AS row")])).rejects.toThrow("expected files of one format");
    const broken = write("e.parquet", "not Parquet at all");
    await expect(profiled(broken)).rejects.toThrow(`${broken}: expected a Parquet file that can be read, received`);
    await expect(profiled(write("e.csv.gz", "not gzip"), OPTIONS)).rejects.toThrow(/GZIP/i);
  });

  test("whose ranks cannot be written leaves no file behind", async () => {
    const rankFile = join(folder(), "no-such-folder", "ranks.txt");
    await expect(profiled(write("e.txt", "1 2\n"), { rankFile })).rejects.toThrow(
      `${rankFile}: expected a file that can be written, received`,
    );
  });
});
