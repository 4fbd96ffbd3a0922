import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RowClasses } from "../../../src/access/row-classes.js";
import { tableClasses } from "../../../src/access/table-classes.js";
import { bytesOf as buffer, npy } from "../../support/npy.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "shardproof-counts-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(name: string, content: string | Buffer, rows: number, samples = 10): Promise<RowClasses> {
  await writeFile(join(folder, name), content);
  const access = { kind: "counts", file: name, samples } as const;
  const table = { name: "t", rows, dim: 4, dataType: "fp32", elementBytes: 4, access } as const;
  return tableClasses(table, join(folder, "instance.yaml"));
}

const plain = ({ rows, appearances }: RowClasses) => [Array.from(rows), Array.from(appearances)];

test.each([
  ["one per line", "3\n0\n3\n7\n"],
  ["without a last line feed", "3\n0\n3\n7"],
  [
    "with a header, comments, empty lines and carriage returns",
    "# counts\r\ncount\r\n3\r\n\r\n0\r\n# more\r\n3\r\n7\r\n",
  ],
  ["with a byte order mark, signs, decimals and exponents", "\uFEFF3\n0.0\n+3.\n0.7e1\n"],
  ["as a histogram", "# a comment\nrows,accesses_per_row\n1,7\n2,3.0\n1,0\n"],
])("CSV %s", async (_, content) => {
  expect(plain(await read("c.csv", content, 4))).toEqual([
    [1, 2, 1],
    [0.7, 0.3, 0],
  ]);
});

test("rows that the file leaves out are never read", async () => {
  expect(plain(await read("c.csv", "5\n0\n", 1e9))).toEqual([
    [1, 1e9 - 1],
    [0.5, 0],
  ]);
});

test("CSV longer than a chunk, with counts across its border", async () => {
  const lines = Array.from({ length: 300_000 }, (_, row) => 100_000 + (row % 3));
  const classes = await read("c.csv", lines.join("\n"), 300_000, 1);
  expect(plain(classes)).toEqual([
    [100_000, 100_000, 100_000],
    [100_002, 100_001, 100_000],
  ]);
});

test.each([
  ["a word", "1\n2\nthree\n", '3:1: expected a count (a finite number, not negative), received "three"'],
  ["a negative count", "1\n -2\n", '2:2: expected a count (a finite number, not negative), received "-2"'],
  ["not a number", "1\nnan\n", '2:1: expected a count (a finite number, not negative), received "nan"'],
  ["too large for a double", "1e999\n", '1:1: expected a count (a finite number, not negative), received "1e999"'],
  [
    "two columns",
    "1,2\n",
    "1:2: expected one count, received 2 columns; two columns need the header rows,accesses_per_row",
  ],
  [
    "a bin without a count",
    "rows,accesses_per_row\n1,\n",
    "2:3: expected accesses per row (a finite number, not negative), received nothing",
  ],
  ["a bin of one column", "rows,accesses_per_row\n1\n", '2:1: expected rows,accesses_per_row, received "1"'],
  ["half a row", "rows,accesses_per_row\n0.5,1\n", "2:1: expected a whole number of rows, received 0.5"],
  [
    "too many rows",
    "1\n2\n3\n4\n5\n",
    "5:1: expected at most 4 rows, the table's, received more by this line; correct the table's rows or the file",
  ],
])("CSV with %s", async (_, content, message) => {
  await expect(read("bad.csv", content, 4)).rejects.toThrow(`${join(folder, "bad.csv")}:${message}`);
});

test.each([
  ["<u4", buffer(Uint32Array.of(3, 0, 3, 4_000_000_000)), 4_000_000_000],
  ["<i4", buffer(Int32Array.of(3, 0, 3, 2_000_000_000)), 2_000_000_000],
  ["<u8", buffer(BigUint64Array.of(3n, 0n, 3n, 2n ** 40n + 1n)), 2 ** 40 + 1],
  ["<i8", buffer(BigInt64Array.of(3n, 0n, 3n, 2n ** 40n + 1n)), 2 ** 40 + 1],
  ["<f8", buffer(Float64Array.of(3, 0, 3, 7.5)), 7.5],
])("NumPy %s", async (descr, data, largest) => {
  for (const version of [1, 2, 3]) {
    expect(plain(await read("c.npy", npy(descr, data, "4,", { version }), 5, 1))).toEqual([
      [1, 2, 2],
      [largest, 3, 0],
    ]);
  }
});

test("NumPy longer than a chunk", async () => {
  const data = Uint32Array.from({ length: 600_000 }, (_, row) => row % 2);
  expect(plain(await read("c.npy", npy("<u4", buffer(data), "600000,"), 600_000, 1))).toEqual([
    [300_000, 300_000],
    [1, 0],
  ]);
});

const four = buffer(Uint32Array.of(1, 2, 3, 4));
test.each([
  [
    "big-endian",
    npy(">u4", four, "4,"),
    "expected elements of one of <u4, <i4, <u8, <i8, <f8, received >u4; convert with astype",
  ],
  ["two dimensions", npy("<u4", four, "2, 2"), "expected one dimension, received the shape (2, 2); convert with ravel"],
  [
    "Fortran order",
    npy("<u4", four, "4,", { order: "True" }),
    "expected C order, received fortran_order; convert with ascontiguousarray",
  ],
  [
    "a shape twice",
    npy("<u4", four, "4,), 'shape': (2,"),
    "expected shape once in the header, received it more often; write it with numpy.save",
  ],
  [
    "cut off",
    npy("<u4", four.subarray(0, 15), "4,"),
    "expected 16 bytes of data after the header, received 15; the file is cut off or not an array file",
  ],
  [
    "too long",
    npy("<u4", buffer(Uint32Array.of(1, 2, 3, 4, 5)), "5,"),
    "expected at most 4 rows, the table's, received 5; correct one of both",
  ],
  [
    "negative",
    npy("<i8", buffer(BigInt64Array.of(1n, -1n)), "2,"),
    "element 1: expected a count from 0 to 2^53 − 1, received -1; correct the file",
  ],
  [
    "not a number",
    npy("<f8", buffer(Float64Array.of(Number.NaN)), "1,"),
    "element 0: expected a count from 0 to 2^53 − 1, received NaN; correct the file",
  ],
  [
    "beyond 2^53",
    npy("<u8", buffer(BigUint64Array.of(2n ** 60n)), "1,"),
    `element 0: expected a count from 0 to 2^53 − 1, received ${2 ** 60}; correct the file`,
  ],
  [
    "another kind of file",
    Buffer.from("PAR1 and so on"),
    "expected a NumPy array file, received something else; write it with numpy.save",
  ],
  ["empty", Buffer.alloc(0), "expected a NumPy array file, received something else; write it with numpy.save"],
])("NumPy %s", async (_, content, message) => {
  await expect(read("bad.npy", content, 4)).rejects.toThrow(`${join(folder, "bad.npy")}: ${message}`);
});

test("a file that is not there", async () => {
  const access = { kind: "counts", file: "gone.csv", samples: 1 } as const;
  const table = { name: "t", rows: 4, dim: 4, dataType: "fp32", elementBytes: 4, access } as const;
  const message = `${join(folder, "gone.csv")}: expected a file of counts that can be read, received no such file; check the path`;
  await expect(tableClasses(table, join(folder, "instance.yaml"))).rejects.toThrow(message);
});

test("a file without any count is refused: an export cut short must not pass for rows that are never read", async () => {
  await expect(read("nothing.csv", "# counts\n", 5)).rejects.toThrow(
    /nothing\.csv: expected counts of up to 5 rows, received an empty file$/,
  );
});
