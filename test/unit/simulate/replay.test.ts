import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { InputError } from "../../../src/errors/input-error.js";
import { seededRandom } from "../../../src/exact/random.js";
import { simulatePlan } from "../../../src/simulate/simulate.js";
import { tinyInstance } from "../../support/tiny-instance.js";
import { writtenPlan } from "./support.js";

const HISTOGRAM: [number, number][] = [
  [5, 0.9],
  [20, 0.3],
  [75, 0.02],
];
const { instance, access } = tinyInstance([{ dim: 4, histogram: HISTOGRAM }]);
const plan = writtenPlan(instance, access, [
  [
    [4, "data_parallel"],
    [16, "flex"],
    [80, "row_wise"],
  ],
]);

function fileOf(content: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "shardproof-replay-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "log.txt");
  writeFileSync(file, content);
  return file;
}

const replay = (content: string | Uint8Array, ids?: string) =>
  simulatePlan(plan, instance, access, {
    events: { file: fileOf(content), ...(ids === undefined ? {} : { rankFile: fileOf(ids) }) },
  });

/** Samples as the histogram has them, sample by sample and row by row. */
function drawnSamples(samples: number, seed: number): number[][] {
  const random = seededRandom(seed);
  const chances = HISTOGRAM.flatMap(([rows, appearances]) => Array.from({ length: rows }, () => appearances));
  return Array.from({ length: samples }, () =>
    chances.flatMap((chance, rank) => (random.next() < chance ? [rank] : [])),
  );
}

const asLines = (samples: readonly (readonly number[])[]) => samples.map((ranks) => `${ranks.join(" ")}\n`).join("");

test("a log as the histogram predicts it is within 4 standard errors, one of other rows is far beyond", async () => {
  const samples = drawnSamples(4000, 1);
  const { verdict, traffic, comparisons } = await replay(asLines(samples));
  expect(verdict.within).toBe(true);
  expect(traffic).toMatchObject({ kind: "replayed", table: "t0", samples: 4000, samplesPerBatch: 32 });
  expect(comparisons.every(({ z }) => z === null || Math.abs(z) < 4)).toBe(true);
  const backwards = await replay(asLines(samples.map((ranks) => ranks.map((rank) => 99 - rank))));
  expect(backwards.verdict.within).toBe(false);
  expect(backwards.verdict.largestZ).toBeGreaterThan(100);
});

test("z has mean 0 and variance 1 over logs: their own standard errors are right", async () => {
  const scores = new Map<string, number[]>();
  const logs = 200;
  for (let seed = 0; seed < logs; seed++) {
    for (const { quantity, tier, collective, z } of (await replay(asLines(drawnSamples(100, seed)))).comparisons) {
      const key = [quantity, tier, collective].join(" ");
      if (z !== null) scores.set(key, [...(scores.get(key) ?? []), z]);
    }
  }
  expect(scores.size).toBeGreaterThan(10);
  for (const [key, values] of scores) {
    const mean = values.reduce((sum, z) => sum + z, 0) / logs;
    const variance = values.reduce((sum, z) => sum + (z - mean) ** 2, 0) / (logs - 1);
    expect(Math.abs(mean), key).toBeLessThan(4 / Math.sqrt(logs));
    expect(Math.abs(variance - 1), key).toBeLessThan(4 * Math.sqrt(2 / logs));
  }
});

test("every sample goes to a GPU in turn, and the log stands for one iteration", async () => {
  // Two nodes of two GPUs: samples 0 … 3 are those of GPUs 0 … 3. Row 20 lives on GPU 0, row 5 on the node's second GPU.
  const { collectives, traffic } = await replay("20\n5\n\n0 20 20\n");
  expect(traffic.lookups).toBe(5);
  const global = collectives.find(({ collective }) => collective === "allToAllGlobal");
  // A sample of the log stands for the 8 of its GPU. Row 20 was read once on GPU 0 and twice on GPU 3.
  expect(global?.elementsPerPass).toBe((3 * 8 * 4) / 4);
  expect(global?.largestBytesPerPass).toEqual({ bytes: 3 * 8 * 16, gpu: 0 });
  expect(global?.links).toMatchObject({ own: (2 * 8 * 16) / 4, intraNode: 0, interNode: (2 * 16 * 16) / 4 });
  const node = collectives.find(({ collective }) => collective === "allToAllIntra");
  expect(node?.links).toMatchObject({ own: (2 * 8 * 16) / 4, intraNode: 0, interNode: 0 });
});

describe("forms of logs", () => {
  const SAMPLES = [[3, 20, 99], [7], [0, 0, 50]];
  const lines = asLines(SAMPLES);
  const csv = SAMPLES.flatMap((ranks, sample) => ranks.map((rank) => `user${sample},${rank}\n`)).join("");
  const withoutFile = async (content: string, ids?: string) => {
    const { traffic, ...rest } = await replay(content, ids);
    return { ...rest, traffic: { ...traffic, file: "" } };
  };

  test.each([
    { what: "carriage returns", content: lines.replaceAll("\n", "\r\n") },
    { what: "no line feed at the end", content: lines.trimEnd() },
    { what: "more spaces and tabs", content: lines.replaceAll(" ", " \t ").replaceAll("\n", " \n") },
    { what: "lines of sample,row", content: csv },
    { what: "a header", content: `sample,row\n${csv}` },
    { what: "spaces around the comma", content: csv.replaceAll(",", " , ") },
  ])("$what make no difference", async ({ content }) => {
    expect(await withoutFile(content)).toEqual(await withoutFile(lines));
  });

  test("ids stand for the rank that their file gives them", async () => {
    const names = Array.from({ length: 100 }, (_, rank) => (rank % 2 === 0 ? `item-${rank}` : String(7000 - rank)));
    const named = SAMPLES.map((ranks) => `${ranks.map((rank) => names[rank]).join(" ")}\n`).join("");
    expect(await withoutFile(named, names.join("\n"))).toEqual(await withoutFile(lines));
  });

  test("ids that are not in the file follow in the order of the log", async () => {
    const known = Array.from({ length: 50 }, (_, rank) => `known-${rank}`).join("\n");
    const named = "known-3 new-a\nnew-b new-a\n";
    expect(await withoutFile(named, known)).toEqual(await withoutFile("3 50\n51 50\n"));
  });
});

test.each<{ content: string | Uint8Array; ids?: string; says: string }>([
  { content: "1 2\n3 100\n", says: ":2:3: expected a rank from 0 to 99" },
  { content: "1 2\n3 -1\n", says: ":2:3: expected a rank from 0 to 99" },
  { content: "1 2\n3 x7\n", says: "give their order with --rank-file FILE" },
  { content: "1\n2,3\n", says: ":2:2: expected row ids with spaces between them, received a comma" },
  { content: "a,1\na,2,3\n", says: ":2:1: expected sample,row" },
  { content: "a,1\n\n", says: ":2:1: expected sample,row, received an empty line" },
  { content: "a,1\na,\n", says: ":2:1: expected sample,row" },
  { content: "1 2\n", says: ": expected a log of at least 2 samples, received 1" },
  { content: "", says: ": expected a log of at least 2 samples, received 0" },
  { content: new Uint8Array([0x31, 0x0a, 0xff, 0x0a]), says: "expected UTF-8 text" },
  { content: "1\n", ids: "a\nb\na\n", says: ':3:1: expected every row id once, received "a" again' },
  { content: "1\n", ids: "a\n\nb\n", says: ":2:1: expected a row id, received an empty line" },
  {
    content: "1\n",
    ids: Array.from({ length: 101 }, (_, id) => id).join("\n"),
    says: ":101:1: expected the ids of 100 rows, the table's, received more",
  },
  {
    content: "new\n",
    ids: Array.from({ length: 100 }, (_, id) => id).join("\n"),
    says: ":1:1: expected ids of 100 rows, the table's, received one more",
  },
])("a log like $content is refused: $says", async ({ content, ids, says }) => {
  const replayed = replay(content, ids);
  await expect(replayed).rejects.toThrow(InputError);
  await expect(replayed).rejects.toThrow(says);
});

test("a file that is not there is refused", async () => {
  const replayed = simulatePlan(plan, instance, access, { events: { file: "no-such-log.txt" } });
  await expect(replayed).rejects.toThrow("no-such-log.txt: expected a log that can be read, received no such file");
});

describe("several tables", () => {
  const two = tinyInstance([
    { dim: 4, histogram: [[10, 0.5]] },
    { dim: 8, histogram: [[10, 0.25]] },
  ]);
  const planOfTwo = writtenPlan(two.instance, two.access, [[[10, "row_wise"]], [[10, "flex"]]]);
  const replayTable = (content: string, table?: string) =>
    simulatePlan(planOfTwo, two.instance, two.access, {
      events: { file: fileOf(content), ...(table === undefined ? {} : { table }) },
    });

  test("only the log's table is compared, and nothing of the whole plan", async () => {
    const { comparisons, notCompared, collectives } = await replayTable("1 2\n3\n", "t1");
    expect(new Set(comparisons.map(({ table }) => table))).toEqual(new Set(["t1", null]));
    expect(comparisons.flatMap(({ table, quantity }) => (table === null ? [quantity] : []))).toEqual(["budget"]);
    expect(notCompared).toEqual(expect.arrayContaining(["objective.value", "collectives", "tables.t0"]));
    expect(collectives.map(({ collective }) => collective)).toEqual(["allToAllIntra", "allReduceCross"]);
  });

  test("the table must be named, and be one of them", async () => {
    await expect(replayTable("1\n2\n")).rejects.toThrow("add --table NAME");
    await expect(replayTable("1\n2\n", "t2")).rejects.toThrow('expected one of the tables t0, t1, received "t2"');
  });
});
