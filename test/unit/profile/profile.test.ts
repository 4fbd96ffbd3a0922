import { expect, test } from "vitest";
import { countsClasses } from "../../../src/access/counts/counts.js";
import { histogramClasses } from "../../../src/access/known-classes.js";
import { requireInstance } from "../../../src/instance/reader.js";
import { parseInstance } from "../../../src/problems/planning/instances.js";
import { rowTiersReader } from "../../../src/problems/row-tiers/instance/reader.js";
import { hottestShare, profileOf, writeCountsCsv, writeProfile } from "../../../src/profile/profile.js";
import { write } from "./support.js";

const profile = profileOf({
  counts: [
    [30, 1],
    [7, 10],
    [1, 89],
  ],
  samples: 90,
  tableRows: 1000,
  files: ["e.csv"],
});

test("the profile adds up", () => {
  expect(profile).toMatchObject({ rows: 1000, samples: 90, accesses: 189, meanLength: 2.1 });
  expect(profile.histogram).toEqual([
    [1, 30 / 90],
    [10, 7 / 90],
    [89, 1 / 90],
    [900, 0],
  ]);
  expect(hottestShare(profile, 1)).toBe(30 / 189);
  expect(hottestShare(profile, 3)).toBe(44 / 189);
  expect(hottestShare(profile, 1000)).toBe(1);
});

test("the written histogram is an instance's access, and the written counts give the same classes", async () => {
  const { histogram, ...rest } = JSON.parse(writeProfile(profile));
  expect(rest).toEqual({
    shardproof: 1,
    rows: 1000,
    samples: 90,
    accesses: 189,
    meanLength: 2.1,
    counts: [
      [30, 1],
      [7, 10],
      [1, 89],
      [0, 900],
    ],
    files: ["e.csv"],
  });
  const text = `{"shardproof": 1, "name": "x", "problem": "row-tiers",
    "cluster": {"nodes": 2, "gpusPerNode": 2, "bandwidth": {"allToAllGlobal": 1, "allToAllIntra": 1, "allReduceGlobal": 1, "allReduceCross": 1}},
    "training": {"batchPerGpu": 1, "replicaMemoryFactor": 6},
    "tables": [{"name": "t", "rows": 1000, "dim": 4, "dataType": "fp32", "access": {"histogram": ${JSON.stringify(histogram)}}}]}`;
  const [table] = requireInstance(rowTiersReader, parseInstance(text, "x.json")).tables;
  if (table?.access.kind !== "histogram") throw new Error("no histogram");
  const classes = histogramClasses(table.access);
  const file = write("counts.csv", writeCountsCsv(profile));
  expect(await countsClasses({ kind: "counts", file, samples: 90 }, 1000, "-")).toEqual(classes);
});

test("counts whose quotients are one double are one bin of the histogram, and stay two counts", () => {
  const samples = 1.99;
  const counts = [1, 2, 3, 4]
    .map((k) => 2 ** 53 - k)
    .find((count) => count / samples === (count - 1) / samples) as number;
  const merged = profileOf({
    counts: [
      [counts, 2],
      [counts - 1, 3],
    ],
    samples,
    tableRows: undefined,
    files: [],
  });
  expect(merged.histogram).toEqual([[5, counts / samples]]);
  expect(merged.counts).toHaveLength(2);
});
