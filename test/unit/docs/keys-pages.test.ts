import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { type Key, keysOf } from "../../../src/instance/keys.js";
import { coverageOf } from "../../../src/plan-file/fields.js";
import { planJsonSchema } from "../../../src/plan-file/json-schema.js";
import * as all from "../../../src/problems/planning/all.js";
import { rowTiersSchema } from "../../../src/problems/row-tiers/instance/schema.js";
import { TABLE_PLACEMENT_SCHEMAS } from "../../../src/problems/table-placement/instance/schema.js";
import { towerJointSchema, towerPartitionSchema } from "../../../src/problems/tower-partition/instance/schema.js";
import { generatorSchema } from "../../../src/study/generate/generate.js";
import { GENERATOR_KINDS } from "../../../src/study/generate/kinds.js";
import { keysTable, planTable } from "../../support/keys-tables.js";

/** Between two marks of a page: what is made of schemas. */
const MADE = /(<!-- made: (\S+) -->\n)[\s\S]*?(<!-- end -->)/g;

const jsonOf = (schema: z.ZodType): object => z.toJSONSchema(schema, { io: "input" });

const schemasOf = (kind: (typeof GENERATOR_KINDS)[number]): readonly object[] => {
  const schema = jsonOf(generatorSchema(kind)) as { readonly oneOf?: readonly object[] };
  return schema.oneOf ?? [schema];
};

const OPTIONS = GENERATOR_KINDS.flatMap((kind) =>
  schemasOf(kind).map((schema, k) => [k === 0 ? kind : `${kind}-${k + 1}`, keysTable(schema, "option")] as const),
);

const KEYS = [
  ["row-tiers", rowTiersSchema],
  ...Object.entries(TABLE_PLACEMENT_SCHEMAS).map(([family, schema]) => [`table-placement-${family}`, schema] as const),
  ["tower-partition", towerPartitionSchema],
  ["tower-partition-joint", towerJointSchema],
] as const;

const PLANS = await Promise.all(
  Object.entries(all).map(async ([name, { name: problem, statuses, verifying }]) => {
    const { schema } = await verifying();
    const json = planJsonSchema({ problem, statuses, schema });
    return { name: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), json, coverage: coverageOf(schema) };
  }),
);

/** Whether all plan files have the key, and mean the same by it. */
const isAlike = ({ path, type }: Key) =>
  PLANS.every(({ json }) => keysOf(json).some((key) => key.path === path && key.type === type));

const [{ json: first, coverage: ofFirst }] = PLANS as [(typeof PLANS)[number]];
const PLAN_TABLES = [
  ["all-plans", planTable(first, ofFirst, isAlike)],
  ...PLANS.map(({ name, json, coverage }) => [name, planTable(json, coverage, (key) => !isAlike(key))] as const),
] as const;

const PAGES: readonly (readonly [page: string, tables: ReadonlyMap<string, string>])[] = [
  ["docs/generators.md", new Map(OPTIONS)],
  ["docs/plan-keys.md", new Map(PLAN_TABLES)],
  ["docs/instance-keys.md", new Map(KEYS.map(([name, schema]) => [name, keysTable(jsonOf(schema), "key")]))],
];

// UPDATE_DOCS=1 writes the pages anew.
test.each(PAGES)("the tables of %s are those of the schemas", (page, tables) => {
  const text = readFileSync(page, "utf8");
  const used: string[] = [];
  const made = text.replace(MADE, (_all, begin: string, name: string, end: string) => {
    used.push(name);
    return `${begin}\n${tables.get(name)}\n\n${end}`;
  });
  if (process.env.UPDATE_DOCS === "1") writeFileSync(page, made);
  expect(used.toSorted()).toEqual([...tables.keys()].toSorted());
  expect(readFileSync(page, "utf8")).toBe(made);
});
