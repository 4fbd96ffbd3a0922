import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { buildRowTiers } from "../../models/row-tiers/build.js";
import { tableClasses } from "../../src/access/table-classes.js";
import { Rational } from "../../src/exact/rational.js";
import { loadWith } from "../../src/instance/load.js";
import { rowTiersReader } from "../../src/problems/row-tiers/instance/reader.js";
import { solveRowTiers } from "../../src/problems/row-tiers/solve/solve.js";
import { bruteForce } from "../support/brute-force.js";
import { expectedOf, readExpected, writeExpected } from "../support/expected.js";
import { instanceFiles } from "../support/instance-files.js";

// Too many rows to try every plan.
const beyondBruteForce = ["billion-rows", "huge-numbers"];

const files = instanceFiles(["tiny", "hostile"]).filter((file) => !beyondBruteForce.includes(basename(file, ".yaml")));

async function load(file: string) {
  const instance = await loadWith([rowTiersReader], file);
  const access = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
  return { instance, access };
}

describe.each(files)("%s", (file) => {
  // UPDATE_EXPECTED=1 writes the expected files anew, from brute force alone.
  test("brute force finds the expected optimum", async () => {
    const { instance, access } = await load(file);
    const found = expectedOf(bruteForce(instance, access));
    if (process.env.UPDATE_EXPECTED === "1") writeExpected(file, found);
    expect(found).toEqual(readExpected(file));
  });

  test("the exact method proves the expected optimum", async () => {
    const { instance, access } = await load(file);
    const model = buildRowTiers(instance, access);
    const { verdict } = await solveRowTiers(model, { gap: Rational.zero, timeLimitSeconds: 60 });
    const { objective, status } = readExpected(file);
    expect(verdict.status).toBe(status);
    expect(verdict.value?.toNumber() ?? null).toBe(objective);
    expect(verdict.bound?.toString()).toBe(verdict.value?.toString());
  });
});
