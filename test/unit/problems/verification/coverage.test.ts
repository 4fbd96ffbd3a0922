import { expect, test } from "vitest";
import { z } from "zod";
import { GROUPED_PLACEMENT } from "../../../../src/problems/grouped-placement/coverage.js";
import { groupedPlacementPlanSchema } from "../../../../src/problems/grouped-placement/plan-file/schema.js";
import { listElements } from "../../../../src/problems/plan-file/plan-shape.js";
import { certificateFileSchema, solutionSchema } from "../../../../src/problems/program/answer/schema.js";
import { PROGRAM_CERTIFICATE, PROGRAM_SOLUTION } from "../../../../src/problems/program/coverage.js";
import { ROW_TIERS } from "../../../../src/problems/row-tiers/coverage.js";
import { rowTiersPlanSchema } from "../../../../src/problems/row-tiers/plan-file/schema.js";
import { TABLE_PLACEMENT } from "../../../../src/problems/table-placement/coverage.js";
import { tablePlacementPlanSchema } from "../../../../src/problems/table-placement/plan-file/schema.js";
import { TOWER_PARTITION } from "../../../../src/problems/tower-partition/coverage.js";
import { towerPartitionPlanSchema } from "../../../../src/problems/tower-partition/plan-file/schema.js";
import { computedNumbers, uncoveredIn } from "../../../../src/problems/verification/coverage/uncovered.js";

test.each([
  { name: "row tiers", schema: rowTiersPlanSchema, table: ROW_TIERS },
  { name: "table placement", schema: tablePlacementPlanSchema, table: TABLE_PLACEMENT },
  { name: "placement in groups", schema: groupedPlacementPlanSchema, table: GROUPED_PLACEMENT },
  { name: "tower partition", schema: towerPartitionPlanSchema, table: TOWER_PARTITION },
  { name: "certificates", schema: certificateFileSchema, table: PROGRAM_CERTIFICATE },
  { name: "solutions", schema: solutionSchema, table: PROGRAM_SOLUTION },
])("$name: verify says of every field of the schema what it makes of it, and of no other", ({ schema, table }) => {
  const fields = [...new Set(fieldsOf(schema))].sort();
  expect(fields.length).toBeGreaterThan(10);
  expect(Object.keys(table).sort()).toEqual(fields);
});

test("the walk through a schema finds fields below lists, tuples, unions and what may be missing", () => {
  const schema = z.strictObject({
    a: z.number().optional(),
    b: z.array(z.tuple([z.string(), z.array(z.number())])).nullable(),
    c: z.strictObject({ d: z.union([z.number(), z.strictObject({ e: z.boolean() })]) }),
    f: z.unknown(),
  });
  expect(fieldsOf(schema)).toEqual(["a", "b[][]", "b[][][]", "c.d", "c.d.e", "f"]);
  expect(() => fieldsOf(z.strictObject({ a: z.map(z.string(), z.string()) }))).toThrow("a: map");
});

test("a field that no table knows counts as not checked", () => {
  const table = { a: "computed", certificate: "chosen" } as const;
  const file = { a: 1, b: [{ c: 2 }, { c: 3 }], certificate: { steps: [4] }, d: null };
  expect(uncoveredIn(file, table)).toEqual([{ path: "b[].c", reason: "no check is known for it" }]);
  expect(computedNumbers(file, table, [])).toBe(1);
});

test("what is left out is not counted, with all below it and nothing else", () => {
  const table = { "a[].b": "told", "a[].bc": "computed" } as const;
  const file = {
    a: [
      { b: 1, bc: 2 },
      { b: 3, bc: 4 },
    ],
  };
  expect(computedNumbers(file, table, [])).toBe(4);
  expect(computedNumbers(file, table, [{ path: "a[].b", reason: "" }])).toBe(2);
  expect(computedNumbers(file, table, [{ path: "a[1]", reason: "" }])).toBe(2);
  expect(computedNumbers(file, table, [{ path: "a", reason: "" }])).toBe(0);
});

/** The paths of all fields that a schema allows and that have none of their own. Throws for a kind that it does not know. */
function fieldsOf(schema: z.core.$ZodType, path = ""): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([key, field]) =>
      fieldsOf(field, path === "" ? key : `${path}.${key}`),
    );
  }
  const element = listElements.get(schema);
  if (element !== undefined) return fieldsOf(element, `${path}[]`);
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element, `${path}[]`);
  if (schema instanceof z.ZodTuple) return schema.def.items.flatMap((item) => fieldsOf(item, `${path}[]`));
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldsOf(option, path));
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return fieldsOf(schema.unwrap(), path);
  const { type } = schema._zod.def;
  if (!["string", "number", "boolean", "literal", "enum", "unknown"].includes(type))
    throw new TypeError(`${path}: ${type}`);
  return [path];
}
