import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readNpyCounts } from "../../../src/access/counts/npy/read.js";
import { threadUrl } from "../../../src/access/counts/npy/threads.js";
import { seededRandom } from "../../../src/exact/random.js";
import { bytesOf, npy } from "../../support/npy.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "shardproof-threads-"));
});
afterAll(() => rm(folder, { recursive: true }));

// Threads run the built program; `npm test` builds it.
describe.skipIf(threadUrl() === undefined)("a file read in parts by threads", () => {
  test("gives the tally of one thread", async () => {
    const random = seededRandom(11);
    const counts = Float64Array.from({ length: 1_000_003 }, () => {
      const kind = random.integer(10);
      return kind === 0 ? random.integer(1e9) : kind === 1 ? random.next() * 100 : random.integer(300);
    });
    const file = join(folder, "c.npy");
    await writeFile(file, npy("<f8", bytesOf(counts), `${counts.length},`));
    const one = await readNpyCounts(file, counts.length, 1);
    for (const threads of [2, 3, 7]) {
      const several = await readNpyCounts(file, counts.length, threads);
      expect(several.rows).toBe(one.rows);
      expect(several.classes(counts.length, 1000)).toEqual(one.classes(counts.length, 1000));
    }
  });

  test("names the first element that is no count, whichever thread meets one first", async () => {
    const counts = new Int32Array(1_000_000);
    counts[999_999] = -2;
    counts[600_000] = -1;
    const file = join(folder, "bad.npy");
    await writeFile(file, npy("<i4", bytesOf(counts), "1000000,"));
    await expect(readNpyCounts(file, 1_000_000, 4)).rejects.toThrow(
      `${file}: element 600000: expected a count from 0 to 2^53 − 1, received -1; correct the file`,
    );
  });
});
