/** A JSON Schema, or the part of one that is read here. */
type Schema = boolean | { readonly [keyword: string]: unknown };

/** What a keyword has against a value; `null`: nothing. */
type Keyword = (operand: never, value: unknown, schema: Readonly<Record<string, unknown>>) => string | null;

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  array: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => TYPES.object?.(value) === true;
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const first = (found: readonly (string | null)[]) => found.find((one) => one !== null) ?? null;
const passes = (schema: Schema, value: unknown) => against(schema, value) === null;

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: (types: string | string[], value) =>
    [types].flat().some((type) => TYPES[type]?.(value)) ? null : `is not of type ${types}`,
  const: (constant: unknown, value) => (same(constant, value) ? null : `is not ${JSON.stringify(constant)}`),
  enum: (values: unknown[], value) => (values.some((one) => same(one, value)) ? null : `is none of ${values}`),
  minimum: (least: number, value) => (typeof value === "number" && value < least ? `is below ${least}` : null),
  maximum: (most: number, value) => (typeof value === "number" && value > most ? `is above ${most}` : null),
  exclusiveMaximum: (end: number, value) => (typeof value === "number" && value >= end ? `is not below ${end}` : null),
  minItems: (least: number, value) => (Array.isArray(value) && value.length < least ? `has too few entries` : null),
  maxItems: (most: number, value) => (Array.isArray(value) && value.length > most ? `has too many entries` : null),
  required: (keys: string[], value) => {
    const missing = isObject(value) ? keys.find((key) => !Object.hasOwn(value, key)) : undefined;
    return missing === undefined ? null : `has no ${missing}`;
  },
  properties: (properties: Record<string, Schema>, value) =>
    isObject(value)
      ? first(
          Object.entries(value).map(([key, own]) =>
            below(key, Object.hasOwn(properties, key) ? properties[key] : true, own),
          ),
        )
      : null,
  additionalProperties: (other: Schema, value, { properties = {} }) =>
    isObject(value)
      ? first(
          Object.entries(value).map(([key, own]) =>
            Object.hasOwn(properties as object, key) ? null : below(key, other, own),
          ),
        )
      : null,
  prefixItems: (items: Schema[], value) =>
    Array.isArray(value)
      ? first(items.map((item, k) => (k < value.length ? below(`${k}`, item, value[k]) : null)))
      : null,
  items: (item: Schema, value, { prefixItems = [] }) =>
    Array.isArray(value)
      ? first(value.map((own, k) => (k < (prefixItems as unknown[]).length ? null : below(`${k}`, item, own))))
      : null,
  allOf: (schemas: Schema[], value) => first(schemas.map((schema) => against(schema, value))),
  anyOf: (schemas: Schema[], value) =>
    schemas.some((schema) => passes(schema, value))
      ? null
      : `is none of ${schemas.length}: ${against(schemas[0] as Schema, value)}`,
  oneOf: (schemas: Schema[], value) => {
    const fitting = schemas.filter((schema) => passes(schema, value)).length;
    return fitting === 1
      ? null
      : `is ${fitting} of ${schemas.length}: ${schemas.map((schema) => against(schema, value)).join("; ")}`;
  },
  not: (schema: Schema, value) => (passes(schema, value) ? `is what it must not be` : null),
  if: (condition: Schema, value, { then = true }) => (passes(condition, value) ? against(then as Schema, value) : null),
};

/** Keywords that say nothing of a value, or are read with another one. */
const SILENT = new Set(["$schema", "title", "description", "then"]);

/**
 * What a JSON Schema (draft 2020-12) has against a value, with the path of the first thing; `null`: nothing. Throws for a
 * keyword that is not known here, so that none passes unseen.
 */
export function against(schema: Schema, value: unknown): string | null {
  if (typeof schema === "boolean") return schema ? null : "is not allowed";
  return first(
    Object.entries(schema).map(([keyword, operand]) => {
      if (SILENT.has(keyword)) return null;
      const check = KEYWORDS[keyword];
      if (check === undefined) throw new TypeError(`the keyword ${keyword} is not known`);
      return check(operand as never, value, schema);
    }),
  );
}

function below(key: string, schema: Schema | undefined, value: unknown): string | null {
  const found = schema === undefined ? null : against(schema, value);
  return found === null ? null : `${key}: ${found}`;
}
