import { describe, expect, test } from "vitest";
import { plan, writePlan } from "../../../../src/index.js";
import { plansJsonSchema } from "../../../../src/problems/planning/plan-schemas.js";
import { PROBLEMS } from "../../../../src/problems/planning/registry.js";
import { against } from "../../../support/json-schema.js";

/** That plans of every status are as their schema says is in the library's tests, which make one of each. */
const schemaOf = async (problem?: Parameters<typeof plansJsonSchema>[0]) => ({ ...(await plansJsonSchema(problem)) });
const given = async () => JSON.parse(writePlan(await plan("instances/tiny/placement-given.yaml")));

describe("what is no plan of its status is against the schema", () => {
  test.each<[string, (file: Record<string, unknown>) => object, string]>([
    ["a bound that is not there", (file) => ({ ...file, certificate: null }), "certificate: is what it must not be"],
    ["a status that there is not", (file) => ({ ...file, status: "optimal" }), "status: is none of"],
    ["another status", (file) => ({ ...file, status: "infeasible" }), "infeasibility: is what it must not be"],
    ["an unknown key", (file) => ({ ...file, cost: 1 }), "cost: is not allowed"],
    ["another version", (file) => ({ ...file, shardproof: 2 }), "shardproof: is not 1"],
    ["another problem", (file) => ({ ...file, problem: "row-tiers" }), 'problem: is not "table-placement"'],
    ["a missing key", ({ digest: _, ...file }) => file, "has no digest"],
    ["a number as text", (file) => ({ ...file, deviceCosts: ["1", "2"] }), "deviceCosts: is none of 2"],
    [
      "a table without its ranks",
      (file) => ({ ...file, choices: { a: { shardingType: "table_wise", kernel: "fused" } } }),
      "choices: a: has no ranks",
    ],
    [
      "a word that there is not",
      (file) => ({ ...file, objective: { ...Object(file.objective), kind: "cost" } }),
      "objective: kind: is none of",
    ],
  ])("%s", async (_, change, said) => {
    const file = await given();
    expect(against(await schemaOf("table-placement"), file)).toBeNull();
    expect(against(await schemaOf("table-placement"), change(file))).toContain(said);
    expect(against(await schemaOf(), change(file))).not.toBeNull();
  });
});

test("a file without the keys that its status leaves open is of no problem but its own", async () => {
  const file = await given();
  for (const problem of ["row-tiers", "tower-partition"] as const) {
    expect(against(await schemaOf(problem), file)).not.toBeNull();
  }
});

test("every list of a schema says what its entries are, and towers with tables and without have one name", async () => {
  const bare: string[] = [];
  const walk = (schema: unknown, path: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    const { type, items, prefixItems } = schema as Readonly<Record<string, unknown>>;
    if (type === "array" && prefixItems === undefined && Object.keys(Object(items)).length === 0) bare.push(path);
    for (const [key, inner] of Object.entries(schema)) walk(inner, `${path}.${key}`);
  };
  walk(await schemaOf(), "");
  expect(bare).toEqual([]);
  expect(Object(await schemaOf()).oneOf).toHaveLength(PROBLEMS.length);
  expect(Object(await schemaOf("tower-partition")).oneOf).toHaveLength(2);
});
