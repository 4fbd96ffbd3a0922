import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { duckDb, withDuckDb } from "../../support/duckdb.js";
import { folder, parquet, profiled, write } from "./support.js";

const OPTIONS = { row: "row", sample: "sample" };

/** Bytes 0x80 to 0x9F are in all of them. */
const NAMES = ["Öl", "Straße", "1 – 2", "Привет", "中文", "日本語", "😀"];
const LOG = `row,sample\n${NAMES.map((name, k) => `${name},${k}\n${name},x\n`).join("")}`;
const EXPECTED = { samples: NAMES.length + 1, counts: [[2, NAMES.length]] };

describe.skipIf(duckDb === undefined)("a log in UTF-8", () => {
  test.each([
    ["letters of many alphabets", "e.csv", LOG],
    ["behind a byte order mark", "e.csv", `\uFEFF${LOG}`],
    ["in a header", "e.csv", LOG.replace("row,sample", "row,sample,Größe").replace(/(?<=,\w)$/gm, ",1")],
    ["packed", "e.csv.gz", gzipSync(LOG)],
    ["packed in two members", "e.csv.gz", Buffer.concat([gzipSync(LOG.slice(0, 20)), gzipSync(LOG.slice(20))])],
  ])("with %s", async (_, name, content) => {
    expect(await profiled(write(name, content), OPTIONS)).toEqual(EXPECTED);
  });

  test("packed by Zstandard", async () => {
    const file = join(folder(), "e.csv.zst");
    const values = NAMES.map((name, k) => `('${name}', '${k}'), ('${name}', 'x')`).join(", ");
    await withDuckDb((connection) =>
      connection.run(
        `COPY (SELECT * FROM (VALUES ${values}) AS t("row", "sample")) TO '${file}' (FORMAT csv, COMPRESSION zstd)`,
      ),
    );
    expect(await profiled(file, OPTIONS)).toEqual(EXPECTED);
  });

  test("with such a letter first at line 100,000, and the ranks as they were written", async () => {
    const rankFile = join(folder(), "ranks.txt");
    const file = write("e.csv", `row,sample\n${"a,1\n".repeat(99_998)}Ö,2\n`);
    expect(await profiled(file, { ...OPTIONS, rankFile })).toEqual({
      samples: 2,
      counts: [
        [99_998, 1],
        [1, 1],
      ],
    });
    expect(readFileSync(rankFile, "utf8")).toBe("a\nÖ\n");
  });

  test("of lists, with a fault behind such letters", async () => {
    const file = write("e.csv", "ids\n1 2\nÖ 3\n");
    await expect(profiled(file)).rejects.toThrow(`${file}:3:1: expected an integer, as most of the first row ids are`);
  });
});

describe.skipIf(duckDb === undefined)("a log in another encoding", () => {
  const utf16 = Buffer.from(LOG, "utf16le");
  const bigEndian = Buffer.from(utf16).swap16();
  test.each([
    ["utf-16", utf16],
    ["UTF-16", Buffer.concat([Buffer.of(0xff, 0xfe), utf16])],
    ["utf16be", Buffer.concat([Buffer.of(0xfe, 0xff), bigEndian])],
  ])("%s", async (encoding, content) => {
    expect(await profiled(write("e.csv", content), { ...OPTIONS, encoding })).toEqual(EXPECTED);
    expect(await profiled(write("e.csv.gz", gzipSync(content)), { ...OPTIONS, encoding })).toEqual(EXPECTED);
  });

  test.each(["latin-1", "latin1", "ISO-8859-1", "cp1252"])("%s is windows-1252", async (encoding) => {
    const rankFile = join(folder(), "ranks.txt");
    const file = write("e.csv", Buffer.from("row,sample\n\x80\xe9,1\n\x80\xe9,2\n", "latin1"));
    expect(await profiled(file, { ...OPTIONS, encoding, rankFile })).toEqual({ samples: 2, counts: [[2, 1]] });
    expect(readFileSync(rankFile, "utf8")).toBe("€é\n");
  });

  test("names the file and the place of what is malformed in it", async () => {
    const fields = write("e.csv", Buffer.from("row,sample\né,1\né\n", "latin1"));
    await expect(profiled(fields, { ...OPTIONS, encoding: "latin-1" })).rejects.toThrow(
      `${fields}:3:2: expected 2 fields, received 1`,
    );
    const surrogate = write("e.csv", Buffer.from("row,sample\r\na,1\r\nb\ud800c,2\r\n", "utf16le"));
    await expect(profiled(surrogate, { ...OPTIONS, encoding: "utf-16" })).rejects.toThrow(
      `${surrogate}:3:2: expected utf-16le text, received the bytes 0x00 0xD8 0x63 at byte 36 (from 0); correct the file, or say another --encoding`,
    );
  });

  test("is refused with what to do where it is not said", async () => {
    const utf = write("e.csv", Buffer.concat([Buffer.of(0xff, 0xfe), utf16]));
    await expect(profiled(utf, OPTIONS)).rejects.toThrow(
      `${utf}: expected UTF-8 text, received UTF-16; say --encoding utf-16`,
    );
    const late = write(
      "e.csv",
      Buffer.concat([Buffer.from(`row,sample\n${"é,1\n".repeat(600_000)}`), Buffer.of(0xe9)]),
    );
    await expect(profiled(late, OPTIONS)).rejects.toThrow(
      `${late}:600002:1: expected UTF-8 text, received the byte 0xE9 at byte 3000011 (from 0); say what it is with --encoding`,
    );
  });

  test("that nobody knows, or beside Parquet or Zstandard, is refused", async () => {
    const file = write("e.csv", LOG);
    await expect(profiled(file, { ...OPTIONS, encoding: "klingon" })).rejects.toThrow(
      '--encoding: expected an encoding such as utf-8, latin-1, utf-16, shift_jis or gbk, received "klingon"',
    );
    const packed = write("e.csv.zst", "");
    await expect(profiled(packed, { ...OPTIONS, encoding: "latin-1" })).rejects.toThrow(
      `${packed}: expected text that`,
    );
    const columns = await parquet("SELECT 1 AS row, 1 AS sample");
    await expect(profiled(columns, { ...OPTIONS, encoding: "latin-1" })).rejects.toThrow("received Parquet");
  });
});

describe.skipIf(duckDb === undefined)("what is no text at all", () => {
  test.each([
    ["gzip", gzipSync(LOG), "received gzip data; unpack it, or give it a name that ends in .gz"],
    ["Zstandard", Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0), "received Zstandard data; unpack it"],
    ["Parquet", Buffer.from("PAR1..."), "received Parquet; say --format parquet"],
  ])("%s under the name of a CSV", async (_, content, message) => {
    const file = write("e.csv", content);
    await expect(profiled(file, OPTIONS)).rejects.toThrow(`${file}: expected UTF-8 text, ${message}`);
  });

  test("gzip that is cut", async () => {
    const file = write("e.csv.gz", gzipSync(LOG).subarray(0, 60));
    await expect(profiled(file, OPTIONS)).rejects.toThrow(
      `${file}: expected gzip data, as the name says, received other bytes (unexpected end of file)`,
    );
  });
});

describe.skipIf(duckDb === undefined)("blanks and leading zeros", () => {
  test("are of a text, in quotes and without", async () => {
    const rankFile = join(folder(), "ranks.txt");
    const file = write("e.csv", 'row,sample\ntrail,a\n"trail ",a\n trail,a \n"trail ", a\n');
    expect(await profiled(file, { ...OPTIONS, rankFile })).toEqual({
      samples: 3,
      counts: [
        [2, 1],
        [1, 2],
      ],
    });
    expect(readFileSync(rankFile, "utf8")).toBe("trail \n trail\ntrail\n");
  });

  test("are nothing to an integer: of rows and of samples", async () => {
    const file = write("e.csv", "row,sample\n7,1\n07, 1\n 7 ,01\n7,+1\n");
    expect(await profiled(file, OPTIONS)).toEqual({ samples: 1, counts: [[4, 1]] });
    const values = "('7', '1'), ('07', ' 1'), (' 7 ', '01')";
    const texts = await parquet(`SELECT * FROM (VALUES ${values}) AS t(row, sample)`);
    expect(await profiled(texts, OPTIONS)).toEqual({ samples: 1, counts: [[3, 1]] });
    const mixed = write("e.csv", "row,sample\n7,1\n7,01\n7,x\n");
    expect(await profiled(mixed, OPTIONS)).toEqual({ samples: 3, counts: [[3, 1]] });
  });
});
