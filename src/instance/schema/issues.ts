import { z } from "zod";
import { didYouMean } from "../../errors/nearest.js";
import type { Path, PlacedDocument } from "../document.js";
import { type Finding, received, throwFindings } from "../findings.js";
import { keysOf as schemaKeys } from "../keys.js";

type Issue = z.core.$ZodIssue;

/** The document as the schema has it, defaults filled in. Throws `InputError` at the first thing that is not. */
export function shaped<Shape>(document: PlacedDocument, schema: z.ZodType<Shape>): Shape {
  const parsed = schema.safeParse(document.value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throwFindings(document, findingsOfIssues(parsed.error.issues, schema));
  throw parsed.error;
}

/** What zod has against a value, in this program's words. */
export function findingsOfIssues(issues: readonly Issue[], schema: z.ZodType): Finding[] {
  return issues.flatMap((issue) => findingsOfIssue(issue, schema, []));
}

function findingsOfIssue(issue: Issue, schema: z.ZodType, base: Path): Finding[] {
  const path = [...base, ...(issue.path as Path)];
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, path);
    return issue.keys.map((key) => unknownKey(path, key, known, schema));
  }
  if (issue.code === "invalid_union") {
    const { discriminator } = issue as { readonly discriminator?: string };
    if (discriminator !== undefined) return [unknownKind(path, issue.input, discriminator, schema)];
    // The alternative that the value has the shape of, where there is one, knows best what is wrong inside it.
    const inside = issue.errors.filter((errors) => errors.length > 0 && errors.every(isInside));
    const fewest = inside.sort((a, b) => a.length - b.length)[0];
    if (fewest) return fewest.flatMap((nested) => findingsOfIssue(nested, schema, path));
    const amount = issue.errors.flat().find(isAmount);
    if (amount) return findingsOfIssue(amount, schema, path);
    const known = keysAt(schema, path);
    const unknown = keysOf(issue.input).filter((key) => !known.includes(key));
    if (known.length > 0 && unknown.length > 0) return unknown.map((key) => unknownKey(path, key, known, schema));
  }
  if (isAmount(issue)) return [{ path, message: issue.message }];
  const fields = fieldsAt(schema, path);
  const description = fields.map(descriptionOf).find((found) => found !== undefined);
  const isInteger = fields.flatMap(unwrap).some((field) => field instanceof z.ZodNumberFormat);
  const expected = expectation(issue, isInteger ? "an integer" : "a finite number") ?? description ?? "another value";
  const meaning = description && description !== expected ? ` (${description})` : "";
  const last = path.at(-1);
  const advice = issue.input === undefined && typeof last === "string" ? `; add the key ${last}` : "";
  return [{ path, message: `expected ${expected}${meaning}, received ${received(issue.input)}${advice}` }];
}

/** Of a map whose kind one of its keys tells: it tells none that there is. */
function unknownKind(path: Path, input: unknown, key: string, schema: z.ZodType): Finding {
  const known = fieldsAt(schema, path).flatMap((field) => (field instanceof z.ZodLiteral ? [...field.values] : []));
  const given = (input as Readonly<Record<string, unknown>>)[key];
  const advice = given === undefined ? `; add the key ${key}` : "";
  return { path, message: `expected one of ${known.join(", ")}, received ${received(given)}${advice}` };
}

function unknownKey(path: Path, key: string, known: readonly string[], schema: z.ZodType): Finding {
  // Of a map of another kind.
  if (known.includes(key))
    return { path: [...path, key], atKey: true, message: "unknown key in this place; remove it" };
  const advice = didYouMean(key, known) ?? placeOf(key, schema) ?? `known here: ${known.join(", ")}`;
  return { path: [...path, key], atKey: true, message: `unknown key; ${advice}` };
}

/** Where else a schema has a key of this name, in words; `undefined`: nowhere. */
function placeOf(key: string, schema: z.ZodType): string | undefined {
  const all = schemaKeys(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  const places = all.flatMap(({ path }) => (path.split(".").at(-1)?.toLowerCase() === key.toLowerCase() ? path : []));
  return places.length === 0 ? undefined : `its place is ${places.slice(0, 3).join(" or ")}`;
}

function keysOf(value: unknown): string[] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

function isInside(issue: Issue): boolean {
  return issue.path.length > 0 && !(issue.code === "invalid_type" && issue.input === undefined);
}

/** Of a text that is no amount (src/instance/schema/quantities.ts), which says all itself. */
function isAmount(issue: Issue): boolean {
  return issue.code === "custom" && issue.params?.isAmount === true;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  object: "a map",
  array: "a list",
  tuple: "a list",
  string: "a text",
  int: "an integer",
};

function expectation(issue: Issue, number: string): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected === "number") return number;
      return TYPE_NAMES[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.join(", ")}`;
    case "too_small":
      if (issue.origin === "array") return issue.minimum === 1 ? "at least one entry" : `${issue.minimum} entries`;
      if (issue.origin === "string") return "a text that is not empty";
      return `${number} ${issue.inclusive ? "of at least" : "above"} ${issue.minimum}`;
    case "too_big":
      if (issue.origin === "array") return `${issue.maximum} entries`;
      return `${number} ${issue.inclusive ? "of at most" : "below"} ${issue.maximum}`;
    default:
      return undefined;
  }
}

/** The keys that the schema knows in the map at a path. */
function keysAt(schema: z.ZodType, path: Path): string[] {
  const keys = fieldsAt(schema, path).flatMap((field) => {
    const bare = unwrap(field);
    return bare.flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : []));
  });
  return [...new Set(keys)];
}

/** The schemas that apply at a path: more than one below a union. */
function fieldsAt(schema: z.ZodType, path: Path): z.ZodType[] {
  let fields: z.ZodType[] = [schema];
  for (const step of path) {
    fields = fields.flatMap(unwrap).flatMap((field): z.ZodType[] => {
      if (field instanceof z.ZodObject) {
        const inner: unknown = field.shape[step];
        return inner ? [inner as z.ZodType] : [];
      }
      if (field instanceof z.ZodArray) return [field.element as z.ZodType];
      if (field instanceof z.ZodTuple) {
        const item: unknown = field.def.items[Number(step)];
        return item ? [item as z.ZodType] : [];
      }
      return [];
    });
  }
  return fields;
}

function descriptionOf(field: z.ZodType): string | undefined {
  if (field.description !== undefined) return field.description;
  return isWrapper(field) ? descriptionOf(field.unwrap() as z.ZodType) : undefined;
}

function unwrap(field: z.ZodType): z.ZodType[] {
  if (isWrapper(field)) return unwrap(field.unwrap() as z.ZodType);
  if (field instanceof z.ZodPipe) return unwrap(field.out as z.ZodType);
  if (field instanceof z.ZodUnion) return field.options.flatMap((option) => unwrap(option as z.ZodType));
  return [field];
}

function isWrapper(field: z.ZodType): field is z.ZodOptional | z.ZodDefault | z.ZodPrefault {
  return field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodPrefault;
}
