import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as arrow from "apache-arrow";
import { describe, expect, test } from "vitest";
import { arrowAsParquet } from "../../../src/profile/arrow-log.js";
import { profileColumns } from "../../../src/profile/profile-columns.js";
import { profileLog } from "../../../src/profile/profile-log.js";
import { duckDb, withDuckDb } from "../../support/duckdb.js";
import { counted, folder, parquet, write } from "./support.js";

/** Written by pyarrow, pandas and polars: see make.py there. */
const FIXTURES = "test/unit/profile/arrow";
const LOGS = [
  ["pyarrow.feather", "pyarrow.parquet"],
  ["pandas.feather", "pandas.parquet"],
  ["polars.arrow", "polars.parquet"],
  ["polars.arrows", "polars.parquet"],
] as const;

const fixture = (name: string) => readFileSync(join(FIXTURES, name));

type Format = "file" | "stream";

/** A log of an int64 column `item` and others, as apache-arrow writes it. */
function written(columns: Readonly<Record<string, arrow.Vector>>, format: Format = "file"): Buffer {
  return Buffer.from(arrow.tableToIPC(new arrow.Table(columns as never), format));
}

function vector(type: arrow.DataType, values: readonly unknown[]): arrow.Vector {
  return arrow.vectorFromArray(values as never[], type);
}

const listOf = (type: arrow.DataType) => new arrow.List(new arrow.Field("item", type, true));

/** Ids of 64 bits of which none is a double. */
const wide = (k: number) => 2n ** 63n - 1n - 2n * BigInt(k % 7);

describe.skipIf(duckDb === undefined)("Arrow and Feather", () => {
  test.each(LOGS)("%s is read as %s is: the same columns, types and values, in order", async (own, other) => {
    await withDuckDb(async (connection) => {
      const [{ path } = { path: "" }] = await arrowAsParquet(connection, [join(FIXTURES, own)], {}, folder());
      const [found, expected] = [path, join(FIXTURES, other)].map((file) =>
        ["DESCRIBE SELECT *", "SELECT *"].map(async (select) =>
          (await connection.runAndReadAll(`${select} FROM read_parquet('${file}')`)).getRowsJson(),
        ),
      );
      expect(await Promise.all(found ?? [])).toEqual(await Promise.all(expected ?? []));
    });
  });

  test.each(LOGS)("%s is profiled as %s is: counts, ids, and what is left out", async (own, other) => {
    const profiled = async (file: string) => {
      const [notes, rankFolder]: [string[], string] = [[], folder()];
      const onNote = (note: string) => notes.push(note);
      const options = { skip: ["null"], rankFolder, threads: 1, onNote };
      const { columns } = await profileColumns([file], "all", options);
      const ranks = readdirSync(rankFolder).map((name) => readFileSync(join(rankFolder, name), "utf8"));
      return { counts: columns.map(({ name, profile }) => [name, profile.counts]), notes, ranks };
    };
    const [found, expected] = await Promise.all([own, other].map((name) => profiled(join(FIXTURES, name))));
    expect(found).toEqual(expected);
    expect(found?.counts).toContainEqual([own.startsWith("pyarrow") ? "uint64" : "item", expect.any(Array)]);
  });

  test.each<Format>(["file", "stream"])("integers of 64 bits are exact, in several batches: %s", async (format) => {
    const ids = Array.from({ length: 5000 }, (_, k) => (k % 5 === 0 ? null : wide(k)));
    const one = new arrow.Table({
      signed: vector(new arrow.Int64(), ids),
      unsigned: vector(
        new arrow.Uint64(),
        ids.map((id) => id && id + 2n ** 63n),
      ),
    });
    const file = write("log.ipc", Buffer.from(arrow.tableToIPC(one.concat(one), format)));
    const rankFolder = folder();
    const { samples, columns } = await profileColumns([file], "all", { rankFolder, threads: 1 });
    expect([samples, columns.map(({ profile }) => [profile.rows, profile.accesses])]).toEqual([
      10_000,
      [
        [7, 8000],
        [7, 8000],
      ],
    ]);
    for (const [name, above] of [
      ["signed", 0n],
      ["unsigned", 2n ** 63n],
    ] as const) {
      const ranks = readFileSync(join(rankFolder, `${name}.txt`), "utf8")
        .trim()
        .split("\n");
      expect(ranks.sort()).toEqual(Array.from({ length: 7 }, (_, k) => `${wide(k) + above}`).sort());
    }
  });

  test("dictionaries' values are the ids, not their codes, also where batches add values", async () => {
    const codes = (texts: readonly string[]) =>
      vector(new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), 1), texts);
    const stream = Buffer.from(
      arrow.RecordBatchStreamWriter.writeAll(
        [
          ["x", "y", "x"],
          ["z", "x"],
        ].map((texts) => new arrow.Table({ item: codes(texts) }).batches[0] as never),
      ).toUint8Array(true) as Uint8Array,
    );
    const rankFile = join(folder(), "ranks.txt");
    await profileLog([write("log.arrows", stream)], { row: "item", samples: 5, rankFile, threads: 1 });
    expect(readFileSync(rankFile, "utf8")).toBe("x\ny\nz\n");
  });

  test("lists: a missing one, an empty one, a missing entry; doubles by the rules of doubles", async () => {
    const bags = [[1n, 2n], [], null, [2n]];
    const file = write(
      "log.arrow",
      written({
        bag: vector(listOf(new arrow.Int64()), bags),
        whole: vector(new arrow.Float64(), [7, Number.NaN, null, 7]),
        price: vector(new arrow.Float64(), [7, 7.25, null, 7]),
      }),
    );
    expect(await counted(file, "all")).toEqual({
      bag: [2, 3],
      whole: [1, 2],
      notes: ['column "price" is left out: DOUBLE with fractions, or none that is whole below 2^53'],
    });
    expect((await profileColumns([file], ["bag"])).samples).toBe(4);
    await expect(counted(file, ["price"])).rejects.toThrow(
      `${file}: row 1 (from 0), column "price": expected a whole row id below 9007199254740992, as DOUBLE holds it exactly, received 7.25`,
    );
    const holed = write("log.arrow", written({ bag: vector(listOf(new arrow.Int64()), [[1n], [2n, null]]) }));
    await expect(counted(holed, ["bag"])).rejects.toThrow(
      `${holed}: row 1 (from 0), column "bag": expected a row id in every place of a list`,
    );
    expect(await counted(holed, ["bag"], { skip: ["null"] })).toEqual({ bag: [2, 2] });
  });

  test("decimals of more digits than DuckDB has are doubles, as it has them of Parquet", async () => {
    const words = [7, 0, 0, 0, 0, 0, 0, 0].concat(Array(8).fill(2 ** 32 - 1));
    const data = arrow.makeData({ type: new arrow.Decimal(0, 50, 256), length: 2, data: Uint32Array.from(words) });
    const rankFolder = folder();
    const file = write("log.arrow", written({ item: new arrow.Vector([data]) }));
    expect(await counted(file, "all", { rankFolder })).toEqual({ item: [2, 2] });
    expect(readFileSync(join(rankFolder, "item.txt"), "utf8")).toBe("-1\n7\n");
  });

  test("text that is no UTF-8 is refused, not made one id", async () => {
    const file = write("log.arrow", written({ item: vector(new arrow.Utf8(), ["aaa", "bbb"]) }));
    const bytes = readFileSync(file);
    bytes[bytes.indexOf("aaabbb")] = 0xff;
    await expect(counted(write("bad.arrow", bytes), ["item"])).rejects.toThrow("invalid UTF8 characters");
  });

  test("files are read by name and by the wider type, from folders and patterns, whose keys may be asked for", async () => {
    const root = folder();
    const narrow = written({
      item: vector(new arrow.Int32(), [1, 2]),
      user: vector(new arrow.Int32(), [5, 6]),
    });
    const wider = written(
      { user: vector(new arrow.Int32(), [5, 7, 7]), item: vector(new arrow.Int64(), [2n, 2n ** 40n, null]) },
      "stream",
    );
    for (const [day, bytes] of [narrow, wider].entries()) {
      mkdirSync(join(root, `day=${day}`));
      copyFileSync(write("part.feather", bytes), join(root, `day=${day}`, "part.feather"));
    }
    for (const files of [root, join(root, "**/*.feather")]) {
      expect(await counted(files, "all")).toEqual({ item: [3, 4], user: [3, 5] });
      expect(await counted(files, ["item", "day"])).toEqual({ item: [3, 4], day: [2, 5] });
    }
    const texts = write("texts.arrow", written({ item: vector(new arrow.Utf8(), ["007"]) }));
    const numbers = write("numbers.arrow", narrow);
    await expect(counted([numbers, texts], ["item"])).rejects.toThrow(
      `${texts}: column "item": expected INTEGER as in numbers.arrow, received VARCHAR`,
    );
    await expect(counted([numbers, await parquet("SELECT 1 AS item")], "all")).rejects.toThrow(
      "expected files of one format, received Arrow and Parquet",
    );
    const other = write("log.bin", narrow);
    expect(await counted(other, "all", { format: "arrow" })).toEqual({ item: [2, 2], user: [2, 2] });
  });

  test("names that differ by case, or not at all, are read as in Parquet", async () => {
    const [one, two] = [1, 2].map((id) => vector(new arrow.Int32(), [id, id]));
    const bytes = written({ item: one as arrow.Vector, Item: two as arrow.Vector });
    expect(await counted(write("log.arrow", bytes), "all")).toEqual({ item: [1, 2], Item_1: [1, 2] });
  });

  const short = arrow.makeData({ type: new arrow.Int32(), length: 5, nullCount: 0, data: Int32Array.of(1, 2) });
  const crossed = arrow.makeData({
    type: new arrow.Utf8(),
    length: 3,
    nullCount: 0,
    valueOffsets: Int32Array.of(0, 3, 1, 4),
    data: Buffer.from("abcd"),
  });
  const whole = written({ item: vector(new arrow.Int32(), [1, 2]) });
  const stream = written({ item: vector(new arrow.Int32(), [1, 2]) }, "stream");
  test.each([
    ["a.feather", Buffer.from("FEA1 and more"), /expected Feather of version 2, received version 1; .*to_feather/],
    ["a.arrow", whole.subarray(0, -20), /expected Arrow's mark at the file's end, received a file that is cut off/],
    ["a.arrows", stream.subarray(0, -8), /expected Arrow's mark at the file's end, received a file that is cut off/],
    ["a.arrows", Buffer.concat([stream, stream]), /expected one stream, received more behind its end/],
    ["a.arrow", Buffer.from("item,user\n1,2\n"), /received other bytes at its start \("item,u"\); unpack it, or say/],
    ["a.arrow", Buffer.alloc(0), /received an empty file/],
    ["a.arrow", written({ x: new arrow.Vector([short]) }), /received fewer values than it says of Int32/],
    ["a.arrow", written({ x: new arrow.Vector([crossed]) }), /received fewer values than it says of Utf8/],
    ["a.arrow", written({}), /expected columns, received none/],
    ["a.feather", fixture("list-view.feather"), /received Unrecognized type: "ListView" \(25\); write it as Parquet/],
    ["a.feather", fixture("interval.feather"), /column "x": expected a type that Parquet has too, received Interval/],
    ["a.arrow", fixture("int128.arrow"), /column "x": expected a type that Parquet has too, received Int128/],
  ])("what cannot be read is refused: %s, %#", async (name, bytes, says) => {
    const file = write(name, bytes);
    const error = await counted(file, "all").catch((error: Error) => error);
    expect(error).toMatchObject({ name: "InputError", message: expect.stringMatching(says) });
    expect((error as Error).message.startsWith(`${file}: `)).toBe(true);
  });

  test("a changed byte is refused or read, and never ends the process", async () => {
    const bytes = fixture("pyarrow.feather");
    await withDuckDb(async (connection) => {
      for (let at = 100; at < bytes.length - 10; at += 997) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] as number) ^ 0xff;
        const file = write("a.feather", changed);
        const error = await arrowAsParquet(connection, [file], {}, folder()).catch((error: Error) => error);
        if (error instanceof Error) expect(error.name).toBe("InputError");
      }
    });
  });
});
