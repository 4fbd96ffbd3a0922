import { expect, test } from "vitest";
import { tableClasses } from "../../../src/access/table-classes.js";
import { loadWith } from "../../../src/instance/load.js";
import { rowTiersReader } from "../../../src/problems/row-tiers/instance/reader.js";
import { instanceFiles } from "../../support/instance-files.js";

const files = instanceFiles(["tiny", "paper", "public", "hostile"]);

test.each(files)("%s loads, says its source, and its classes hold all rows", async (file) => {
  const instance = await loadWith([rowTiersReader], file);
  expect(file).toContain(`/${instance.name}.yaml`);
  expect(instance.source).toMatch(/\S/);
  for (const table of instance.tables) {
    const { rows, appearances } = await tableClasses(table, instance.file);
    expect(rows.reduce((sum, count) => sum + count, 0)).toBe(table.rows);
    for (let k = 1; k < appearances.length; k++) expect(appearances[k]).toBeLessThan(appearances[k - 1] as number);
  }
});

const tiny = files.filter((file) => file.startsWith("instances/tiny/"));

test.each(tiny)("%s has few enough assignments to try them all", async (file) => {
  const instance = await loadWith([rowTiersReader], file);
  let assignments = 1;
  for (const table of instance.tables) {
    for (const rows of (await tableClasses(table, instance.file)).rows) {
      // Ways to share alike rows among the tiers: rows + tiers − 1 over tiers − 1.
      for (let k = 1; k < instance.tiers.length; k++) assignments *= (rows + k) / k;
    }
  }
  expect(assignments).toBeLessThanOrEqual(200_000);
});

test("the tiny ones cover every objective, budget, tier and type", async () => {
  const all = await Promise.all(tiny.map((file) => loadWith([rowTiersReader], file)));
  expect(new Set(all.map(({ objective }) => objective)).size).toBe(3);
  expect(new Set(all.map(({ budget }) => budget.kind)).size).toBe(3);
  expect(new Set(all.flatMap(({ tiers }) => tiers)).size).toBe(5);
  expect(new Set(all.flatMap(({ tables }) => tables.map(({ dataType }) => dataType)))).toEqual(
    new Set(["fp32", "fp16", "int8"]),
  );
  expect(all.some(({ granularity }) => granularity > 1)).toBe(true);
  expect(all.some(({ cluster }) => cluster.latency.allReduceCross > 0)).toBe(true);
});
