import { describe, expect, test } from "vitest";
import { buildRowTiers } from "../../models/row-tiers/build.js";
import { tableClasses } from "../../src/access/table-classes.js";
import { Rational } from "../../src/exact/rational.js";
import { loadWith } from "../../src/instance/load.js";
import { rowTiersReader } from "../../src/problems/row-tiers/instance/reader.js";
import { solveRowTiers } from "../../src/problems/row-tiers/solve/solve.js";
import { type LadderPoint, tierSums } from "../../src/program/ladder/evaluate.js";
import { readExpected, writeExpected } from "../support/expected.js";
import { bestTwoThresholds } from "../support/two-thresholds.js";
import { bracketWithHost } from "../support/with-host.js";

const files = [
  ...["rm1", "rm2", "rm3", "rm4"].map((model) => `instances/paper/flexshard-${model}.yaml`),
  "instances/public/amazon-beauty.yaml",
  "instances/public/criteo1tb.yaml",
  "instances/hostile/billion-rows.yaml",
];

describe.each(files)("%s", (file) => {
  test("proved to the row, and what a scan over both thresholds finds", async () => {
    const instance = await loadWith([rowTiersReader], file);
    const [access] = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
    if (access === undefined) throw new Error("no table");
    const scanned = bestTwoThresholds(instance, access);
    const { verdict } = await solveRowTiers(buildRowTiers(instance, [access]), {
      gap: Rational.zero,
      timeLimitSeconds: 60,
    });
    expect(verdict.status).toBe("proved");
    const value = (verdict.value as Rational).toNumber();
    expect(Math.abs(value - scanned) / scanned).toBeLessThan(1e-11);
    if (process.env.UPDATE_EXPECTED === "1") writeExpected(file, { objective: value, status: "proved" });
    expect(readExpected(file)).toEqual({ objective: value, status: "proved" });
  });
});

test("instances/public/criteo1tb-host.yaml: proved to the row, within what bounds and plans by themselves allow", async () => {
  const file = "instances/public/criteo1tb-host.yaml";
  const instance = await loadWith([rowTiersReader], file);
  const [access] = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
  if (access === undefined) throw new Error("no table");
  const { below, above } = bracketWithHost(instance, access);
  expect((above - below) / above).toBeLessThan(1e-8);
  const model = buildRowTiers(instance, [access]);
  const { verdict, point } = await solveRowTiers(model, { gap: Rational.zero, timeLimitSeconds: 60 });
  expect(verdict.status).toBe("proved");
  const value = (verdict.value as Rational).toNumber();
  expect(value).toBeGreaterThan(below * (1 - 1e-12));
  expect(value).toBeLessThan(above * (1 + 1e-12));
  // The host memory does not bind, as the bracket has it.
  const { host } = Object.fromEntries(
    model.ladder.rows.map(({ name, form, upper }) => {
      const used = tierSums(model.ladder, (point as LadderPoint).counts).valueOf(form);
      return [name, used.toNumber() / upper.toNumber()];
    }),
  );
  expect(host).toBeGreaterThan(0.01);
  expect(host).toBeLessThan(0.9);
  if (process.env.UPDATE_EXPECTED === "1") writeExpected(file, { objective: value, status: "proved" });
  expect(readExpected(file)).toEqual({ objective: value, status: "proved" });
});

test.each(["exposed", "channels"] as const)(
  "flexshard-rm3 with the objective %s is proved within seconds",
  async (objective) => {
    const instance = { ...(await loadWith([rowTiersReader], "instances/paper/flexshard-rm3.yaml")), objective };
    const access = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
    const { verdict, nodes } = await solveRowTiers(buildRowTiers(instance, access), {
      gap: Rational.parse("1e-9"),
      timeLimitSeconds: 60,
    });
    expect(verdict.status).toBe("proved");
    expect(nodes).toBeLessThan(1000);
  },
);
