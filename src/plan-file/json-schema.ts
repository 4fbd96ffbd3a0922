import { z } from "zod";
import type { Promised, StatusTable } from "./by-status.js";
import { listElements } from "./fields.js";

type Json = { [key: string]: unknown };

/** What the JSON Schema of a problem's plan files is made of. */
export interface PlanContract {
  readonly problem: string;
  readonly statuses: StatusTable;
  readonly schema: z.ZodType;
}

/** The JSON Schema (draft 2020-12) of a problem's plan files: the shape that is read, and what each status promises. */
export function planJsonSchema({ problem, statuses, schema }: PlanContract): object {
  const { $schema: _, properties, ...rest } = written(schema);
  return {
    ...rest,
    properties: {
      ...(properties as Json),
      shardproof: { const: 1, description: "version of the format" },
      problem: { const: problem },
      status: { enum: Object.keys(statuses), description: "what is known of the plan: says which keys may be null" },
    },
    allOf: Object.entries(statuses).map(([status, promised]) => ({
      if: { properties: { status: { const: status } }, required: ["status"] },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own keyword
      then: promiseOf(promised),
    })),
  };
}

function written(schema: z.core.$ZodType): Json {
  return z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: "input",
    // What zod knows of such a list is that it is one.
    override: ({ zodSchema, jsonSchema }) => {
      const element = listElements.get(zodSchema);
      if (element === undefined) return;
      const { $schema: _, ...items } = written(element);
      jsonSchema.items = items;
    },
  }) as Json;
}

/** Keys that are there, and keys under which there is nothing. */
function promiseOf({ some, none }: Promised): Json {
  const promises = [
    ...some.map((path) => under(path, { not: { type: "null" } })),
    ...none.map((path) => under(path, { type: "null" })),
  ];
  return { allOf: promises };
}

function under(path: string, schema: Json): Json {
  return path.split(".").reduceRight<Json>((inner, key) => ({ properties: { [key]: inner } }), schema);
}
