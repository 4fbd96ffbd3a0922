import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRowCounts } from "../../../src/access/counts/counts.js";
import { bytesOf, npy } from "../../support/npy.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "shardproof-row-counts-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(name: string, content: string | Buffer, rows: number): Promise<number[]> {
  const file = join(folder, name);
  await writeFile(file, content);
  const counts: number[] = [];
  for await (const chunk of readRowCounts(file, rows)) for (const count of chunk) counts.push(count);
  return counts;
}

test.each([
  ["<u4", (counts: number[]) => Uint32Array.from(counts), 2 ** 32 - 1],
  ["<i4", (counts: number[]) => Int32Array.from(counts), 2 ** 31 - 1],
  ["<u8", (counts: number[]) => BigUint64Array.from(counts, BigInt), Number.MAX_SAFE_INTEGER],
  ["<i8", (counts: number[]) => BigInt64Array.from(counts, BigInt), Number.MAX_SAFE_INTEGER],
  ["<f8", (counts: number[]) => Float64Array.from(counts), Number.MAX_SAFE_INTEGER],
])("NumPy %s comes back as it was written", async (descr, pack, largest) => {
  const counts = fc.array(fc.oneof(fc.nat(5), fc.integer({ min: 0, max: largest })), { minLength: 1, maxLength: 50 });
  await fc.assert(
    fc.asyncProperty(counts, async (values) => {
      const content = npy(descr, bytesOf(pack(values)), `${values.length},`);
      expect(await read("c.npy", content, 50)).toEqual(values);
    }),
    { numRuns: 30 },
  );
});

test("NumPy and CSV longer than a chunk keep their order", async () => {
  const counts = Uint32Array.from({ length: 700_001 }, (_, row) => (row * 7919) % 100_003);
  const expected = Array.from(counts);
  expect(await read("c.npy", npy("<u4", bytesOf(counts), "700001,"), 700_001)).toEqual(expected);
  expect(await read("c.csv", `count\n${counts.join("\n")}`, 700_001)).toEqual(expected);
});

test("a CSV with comments, decimals and carriage returns, and fewer rows than the table", async () => {
  expect(await read("c.csv", "# of May\r\ncount\r\n3\r\n\r\n0.5\r\n# more\r\n1e3\r\n007\r\n", 9)).toEqual([
    3, 0.5, 1000, 7,
  ]);
});

test.each([
  [
    "a histogram",
    "h.csv",
    "# c\nrows,accesses_per_row\n1,7\n",
    ":2:1: expected one count per line in the order of the rows, received a histogram; write the counts",
  ],
  ["a word", "w.csv", "1\nx\n", ':2:1: expected a count (a finite number, not negative), received "x"'],
  ["too many rows", "m.csv", "1\n2\n3\n4\n", ":4:1: expected at most 3 rows, the table's"],
  ["nothing", "e.csv", "# nothing\n", ": expected counts of up to 3 rows, received an empty file"],
  ["another kind", "c.txt", "1\n", ": expected a .csv, .npy or .parquet file of counts; convert it to one of these"],
])("%s is refused", async (_, name, content, message) => {
  await expect(read(name, content, 3)).rejects.toThrow(`${join(folder, name)}${message}`);
});

test("a NumPy element that is no count is named by its place in the whole file", async () => {
  const counts = new Float64Array(600_000);
  counts[599_999] = -1;
  await expect(read("n.npy", npy("<f8", bytesOf(counts), "600000,"), 600_000)).rejects.toThrow(
    "element 599999: expected a count from 0 to 2^53 − 1, received -1; correct the file",
  );
});

test("a file that is not there", async () => {
  const file = join(folder, "gone.npy");
  await expect(readRowCounts(file, 3).next()).rejects.toThrow(
    `${file}: expected a file of counts that can be read, received no such file; check the path`,
  );
});
