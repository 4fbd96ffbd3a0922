import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Measured, worseRows } from "../../../bench/acceptance/compare.js";
import { instanceFile } from "../../../bench/acceptance/instance-file.js";
import { medianRun } from "../../../bench/acceptance/median-run.js";
import { rowsOf, SHORT_SECONDS } from "../../../bench/acceptance/rows.js";
import { UsageError } from "../../../src/errors/usage-error.js";
import { loadInstance } from "../../../src/problems/planning/instances.js";

const open: Measured = {
  ...{ status: "feasible", value: 100, bound: 98, gap: 0.02, conditional: false },
  ...{
    firstSeconds: 1,
    seconds: 20,
    proveSeconds: 1,
    cpuSeconds: 25,
    certificateBytes: 1000,
    limitSeconds: 20,
    checked: true,
  },
};
const proved: Measured = { ...open, status: "proved", value: 100, bound: 100, gap: 0 };

const whyWorse = (before: Measured, now: Measured | undefined) =>
  worseRows({ row: before }, now === undefined ? {} : { row: now })[0]?.why ?? null;

test("what is equal is not worse, nor is what is better", () => {
  for (const row of [open, proved]) expect(whyWorse(row, { ...row })).toBeNull();
  expect(whyWorse(open, { ...proved, value: 99, bound: 99 })).toBeNull();
  expect(whyWorse({ ...open, status: "unknown", bound: null, gap: null }, open)).toBeNull();
});

test("a gap is worse above 1.25 times the frozen one and 0.05 %", () => {
  const withGap = (gap: number): Measured => ({ ...open, gap, bound: 100 * (1 - gap) });
  expect(whyWorse(open, withGap(0.0254))).toBeNull();
  expect(whyWorse(open, withGap(0.0256))).toBe("gap 2 % → 2.56 %");
  expect(whyWorse(withGap(1e-8), withGap(0.00049))).toBeNull();
  expect(whyWorse(withGap(1e-8), withGap(0.00051))).toContain("gap");
  expect(whyWorse(open, { ...open, status: "unknown", bound: null, gap: null })).toBe("gap 2 % → -");
});

test("a lost proof is worse, whatever gap is left", () => {
  expect(whyWorse(proved, { ...open, gap: 1e-7, bound: 99.99999 })).toBe("was proved, is feasible");
  expect(whyWorse({ ...proved, status: "infeasible", value: null, bound: null, gap: null }, proved)).toBe(
    "was infeasible, is proved",
  );
});

test("another proved value is worse, and so is any bound beyond the other's plan", () => {
  expect(whyWorse(proved, { ...proved, value: 99, bound: 99 })).toContain("contradict");
  expect(whyWorse(proved, { ...proved, value: 101, bound: 101 })).toContain("contradict");
  expect(whyWorse(open, { ...proved, value: 97, bound: 97 })).toContain("contradict");
  // Of a program that is maximised the bound is above.
  expect(whyWorse({ ...open, value: 98, bound: 100 }, { ...open, value: 98.5, bound: 99.5 })).toBeNull();
  // Two plans within the gap that was asked for need not be the same.
  const within = { ...proved, value: 100 + 1e-8, bound: 100 - 1e-8, gap: 2e-10 };
  expect(whyWorse(proved, within)).toBeNull();
  // Another run's first goals may allow more, or less.
  expect(whyWorse({ ...proved, conditional: true }, { ...proved, conditional: true, value: 99, bound: 99 })).toBeNull();
});

test("a row that is not there, that verify refuses, or that had another limit is worse", () => {
  expect(whyWorse(open, undefined)).toBe("was not run");
  expect(whyWorse(open, { ...open, checked: false })).toBe("verify does not accept it");
  expect(whyWorse(open, { ...open, limitSeconds: 60 })).toBe("ran 60 s, the frozen one 20 s");
});

test("the median run is the one with the median gap, in the median of seconds, and checked where all are", () => {
  const runs = [
    { ...open, gap: 0.03, seconds: 3 },
    { ...open, gap: null, seconds: 1, bound: null },
    { ...open, gap: 0.01, seconds: 2, checked: false },
  ];
  expect(medianRun(runs)).toEqual({ ...open, gap: 0.03, seconds: 2, checked: false });
});

test("rows are asked for by name, with or without the seed, by their first part, and as short ones", () => {
  const names = (words: readonly string[], seeds = 1) => rowsOf(words, seeds).map(({ name }) => name);
  expect(names(["lognormal/26x8x10"], 3)).toEqual([1, 2, 3].map((seed) => `lognormal/26x8x10/${seed}`));
  expect(names(["costs", "lognormal/26x8x10/1", "costs/learned-15x3"])).toHaveLength(4);
  expect(new Set(names([])).size).toBe(names([]).length);
  const short = rowsOf(["short"], 1);
  expect(short.every(({ limitSeconds }) => limitSeconds <= SHORT_SECONDS)).toBe(true);
  expect(short.length).toBeLessThan(names([]).length);
  expect(rowsOf(["torchrec/7x1x2/5"], 1)).toEqual([{ name: "torchrec/7x1x2/5", limitSeconds: SHORT_SECONDS }]);
});

const temporary = () => mkdtempSync(join(tmpdir(), "shardproof-acceptance-"));

test("every shipped file of the list is there, and unknown names are refused", () => {
  const folder = temporary();
  const shipped = rowsOf(["public", "paper", "costs", "public-programs"], 1);
  expect(shipped.length).toBeGreaterThan(20);
  for (const { name } of shipped) expect(instanceFile(name, folder)).toMatch(/^instances\//);
  for (const name of ["nonsense/7", "public/nothing", "lognormal/7", "towers/x"]) {
    expect(() => instanceFile(name, folder)).toThrow(UsageError);
  }
});

test.each([
  ["lognormal/5x2x3/1", 5, 2],
  ["torchrec/6x1x2@1.3/2", 6, 2],
  ["drifted/6x1x2/3", 6, 2],
  ["criteo/16", 26, 16],
  ["dcnv2/8", 26, 8],
  ["dlrm40/7", 40, 16],
])("%s is an instance of %i tables on %i devices", async (name, tables, devices) => {
  const instance = await loadInstance(instanceFile(name, temporary()));
  if (instance.problem !== "table-placement") throw new TypeError(`${name} places no tables`);
  const { nodes, gpusPerNode } = instance.cluster;
  expect([instance.tables.length, nodes * gpusPerNode]).toEqual([tables, devices]);
  expect(instance.goals?.length ?? 1).toBe(name.startsWith("drifted") ? 2 : 1);
});

test("towers are drawn by features, towers and seed", async () => {
  expect(await loadInstance(instanceFile("towers/9x3/2", temporary()))).toMatchObject({ towers: 3 });
});
