import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { countRanks } from "../../../src/access/counts/count-ranks.js";
import { fileRanks } from "../../../src/interop/remap/table-ranks.js";
import { ranksByValue, temporaryFolder } from "./support.js";

async function all(chunks: AsyncIterable<Float64Array>): Promise<number[]> {
  const ranks: number[] = [];
  for await (const chunk of chunks) ranks.push(...chunk);
  return ranks;
}

/** Counts in chunks of three, in one buffer that is used again, as readers of files do. */
async function* chunked(counts: readonly number[]): AsyncGenerator<Float64Array> {
  const buffer = new Float64Array(3);
  for (let start = 0; start < counts.length; start += 3) {
    const part = counts.slice(start, start + 3);
    buffer.set(part);
    yield buffer.subarray(0, part.length);
  }
}

function ranksOfCounts(counts: readonly number[], samples: number, rows = counts.length): Promise<number[]> {
  return all(countRanks(() => chunked(counts), samples, rows, "counts.csv"));
}

test("equal counts are ranked by row id, rows without a count last", async () => {
  expect(await ranksOfCounts([2, 9, 0, 2], 10, 6)).toEqual([1, 0, 3, 2, 4, 5]);
});

test("counts whose appearances are the same double are equal", async () => {
  const counts = [2 ** 53 - 2, 2 ** 53 - 1, 5e-324, 0];
  expect((counts[0] as number) / 9e15).toBe((counts[1] as number) / 9e15);
  expect((counts[2] as number) / 9e15).toBe(0);
  expect(await ranksOfCounts(counts, 9e15, 5)).toEqual([0, 1, 2, 3, 4]);
  // By themselves they differ.
  expect(await ranksOfCounts(counts, 1, 5)).toEqual([1, 0, 2, 3, 4]);
});

test("ranks are those of sorting", async () => {
  const count = fc.oneof(fc.nat(5), fc.nat(1e6), fc.double({ min: 0, max: 1e9, noNaN: true }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(count, { minLength: 1, maxLength: 50 }),
      fc.constantFrom(1, 3, 1e9),
      async (counts, samples) => {
        const appearances = counts.map((each) => each / samples);
        expect(await ranksOfCounts(counts, samples)).toEqual(ranksByValue(appearances));
      },
    ),
  );
});

test.each([
  { second: [1, 2, 2], name: "another count" },
  { second: [1, 2, 7], name: "a new count" },
  { second: [1, 2], name: "fewer" },
  { second: [1, 2, 1, 1], name: "more" },
])("counts that change between the readings are refused: $name", async ({ second }) => {
  let readings = 0;
  const counts = () => chunked(readings++ === 0 ? [1, 2, 1] : second);
  await expect(all(countRanks(counts, 1, 10, "counts.csv"))).rejects.toThrow("counts.csv: expected the same counts");
});

function rankFile(text: string): string {
  const file = join(temporaryFolder(), "ids.txt");
  writeFileSync(file, text);
  return file;
}

test("a rank file is read in windows as it is at once", async () => {
  const file = rankFile("4\r\n\n1\n6\r\n0\n\n3");
  const expected = [3, 1, 5, 4, 0, 6, 2, 7];
  for (const window of [1, 2, 3, 7, 8, 100]) expect(await all(fileRanks(file, 8, window))).toEqual(expected);
});

test.each([
  ["3\n8\n", "ids.txt:2:1: expected a row id from 0 to 7, received 8"],
  ["3\n99999999999999999999\n", "ids.txt:2:1: expected a row id from 0 to 7, received a larger number"],
  ["3\n\n-1\n", "ids.txt:3:1: expected a row id from 0 to 7, received another text"],
  ["row\n3\n", "ids.txt:1:1: expected a row id from 0 to 7, received another text"],
  ["3\r4\n", "ids.txt:1:1: expected a row id from 0 to 7, received another text"],
  ["3 \n", "ids.txt:1:1: expected a row id from 0 to 7, received another text"],
  ["3\n5\n3\n", "ids.txt:3:1: expected every row id once, received 3 again"],
  ["", "ids.txt: expected row ids of up to 8 rows, received an empty file"],
  ["\n\n", "ids.txt: expected row ids of up to 8 rows, received an empty file"],
])("the rank file %j is refused with its line", async (text, message) => {
  await expect(all(fileRanks(rankFile(text), 8))).rejects.toThrow(message);
  await expect(all(fileRanks(rankFile(text), 8, 2))).rejects.toThrow(message);
});

test("a rank file that is not there is refused", async () => {
  await expect(all(fileRanks("/nowhere/ids.txt", 8))).rejects.toThrow("/nowhere/ids.txt: expected a file of row ids");
});
