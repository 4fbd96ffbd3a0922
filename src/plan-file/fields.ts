import { z } from "zod";

/**
 * The words in which plan files are written down once: what is read of a field, what its type is, what the JSON Schema says of it, and
 * what `verify` makes of it. A schema says only the shape: whether a number or a word is right is for the verifier to say, with
 * what it should have been.
 */

export const number = z.number();
export const text = z.string();

/** One of these words, as the JSON Schema has it. A file may have any text there. */
export function word<const Word extends string>(...words: readonly Word[]): z.ZodType<string, Word> {
  return z.string().meta({ enum: words }) as unknown as z.ZodType<string, Word>;
}

/** A text of which the JSON Schema says no words, although there are some. */
export function textOf<Word extends string>(description?: string): z.ZodType<string, Word> {
  return (description === undefined ? text : text.describe(description)) as unknown as z.ZodType<string, Word>;
}

/** An integer or a fraction in lowest terms, as text. */
export const exactNumber = z.string().describe('an integer or a fraction in lowest terms, such as "1/3"');

/** A list of which the first bad entry alone is told, see {@link listOf}. */
export interface List<Element extends z.ZodType> extends z.ZodType<z.output<Element>[]> {
  readonly "~element"?: Element;
}

/** What the entries of each list are, for those who walk a schema. */
export const listElements = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/**
 * A list of which the first bad entry alone is told: zod's own keeps an issue for each, which for millions of them takes
 * all memory. A description is given here: zod describes a copy, whose elements were not known.
 */
export function listOf<Element extends z.ZodType>(element: Element, description?: string): List<Element> {
  const plain = z.array(z.unknown()).transform((entries, context) => {
    const parsedEntries: z.output<Element>[] = [];
    for (const [index, entry] of entries.entries()) {
      const parsed = element.safeParse(entry);
      if (!parsed.success) {
        const [{ path, ...issue }] = parsed.error.issues as [z.core.$ZodIssue];
        context.addIssue({ ...issue, path: [index, ...path] } as Parameters<typeof context.addIssue>[0]);
        return z.NEVER;
      }
      parsedEntries.push(parsed.data);
    }
    return parsedEntries;
  });
  const list = description === undefined ? plain : plain.describe(description);
  listElements.set(list, element);
  return list as unknown as List<Element>;
}

/** An object whose type has a name of its own, under which declarations have it with what they say of its fields. */
export interface Named<Type, Shape extends z.ZodRawShape> extends z.ZodObject<Shape, z.core.$strict> {
  readonly "~type"?: Type;
}

/** The type of what a schema reads where it is right: read-only throughout. */
export type TypeOf<Schema> = "~type" extends keyof Schema
  ? NonNullable<Schema["~type"]>
  : Schema extends z.ZodObject<infer Shape>
    ? Fields<Shape>
    : "~element" extends keyof Schema
      ? readonly TypeOf<NonNullable<Schema["~element"]>>[]
      : Schema extends z.ZodArray<infer Element>
        ? readonly TypeOf<Element>[]
        : Schema extends z.ZodTuple<infer Items>
          ? { readonly [Index in keyof Items]: TypeOf<Items[Index]> }
          : Schema extends z.ZodNullable<infer Inner>
            ? TypeOf<Inner> | null
            : Schema extends z.ZodOptional<infer Inner>
              ? TypeOf<Inner>
              : Schema extends z.ZodType
                ? z.input<Schema>
                : never;

/** The fields of an object, by what declares them; no `as`, which would lose what is said of each. */
export type Fields<Shape> = Needed<Shape> & Spare<Shape>;

type Needed<Shape, Key extends keyof Shape = Exclude<keyof Shape, OptionalKey<Shape>>> = {
  readonly [K in Key]: TypeOf<Shape[K]>;
};
type Spare<Shape, Key extends keyof Shape = OptionalKey<Shape>> = { readonly [K in Key]?: TypeOf<Shape[K]> };
type OptionalKey<Shape> = { [K in keyof Shape]: Shape[K] extends z.ZodOptional ? K : never }[keyof Shape];

/**
 * What verifying a file makes of one of its fields.
 *
 * - `computed`: computed again from the instance and the fields that are `chosen`, and compared;
 * - `chosen`: a decision or a proof. It is free: whatever stands there is checked to be one, and all that is `computed` has to
 *   follow from it;
 * - `later`: a number or a text that is computed again where the file has it; files from before it was there are without;
 * - `told`: the verifier says of each file whether it was computed again, and why not where it was not;
 * - a reason: not checked, and why.
 */
export type Coverage = "computed" | "chosen" | "later" | "told" | { readonly reason: string };

/**
 * Every field of a file without fields of its own, by its path with `[]` for every index: `tables[].runs[][]`. A path whose shape
 * a schema leaves open stands for all below it.
 */
export type CoverageTable = Readonly<Record<string, Coverage>>;

const coverages = z.registry<{ readonly coverage: Coverage }>();

/** A field with what `verify` makes of it and of all below it that says nothing else; of others it is computed again. */
export function covered<Schema extends z.ZodType>(coverage: Coverage, schema: Schema): Schema {
  const copy = schema.clone() as Schema;
  const element = listElements.get(schema);
  if (element !== undefined) listElements.set(copy, element);
  coverages.add(copy, { coverage });
  return copy;
}

/** What `verify` makes of every field of a file. Throws `TypeError` for a kind of schema that it does not know. */
export function coverageOf(schema: z.core.$ZodType): CoverageTable {
  return Object.fromEntries(leavesOf(schema, "", "computed"));
}

function leavesOf(schema: z.core.$ZodType, path: string, above: Coverage): (readonly [string, Coverage])[] {
  const coverage = coverages.get(schema)?.coverage ?? above;
  const below = (inner: z.core.$ZodType, at = path) => leavesOf(inner, at, coverage);
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([key, field]) => below(field, path === "" ? key : `${path}.${key}`));
  }
  const element = listElements.get(schema) ?? (schema instanceof z.ZodArray ? schema.element : undefined);
  if (element !== undefined) return below(element, `${path}[]`);
  if (schema instanceof z.ZodTuple) return schema.def.items.flatMap((item) => below(item, `${path}[]`));
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => below(option));
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return below(schema.unwrap());
  const { type } = schema._zod.def;
  if (!LEAVES.includes(type)) throw new TypeError(`${path}: ${type}`);
  return [[path, coverage]];
}

const LEAVES: readonly string[] = ["string", "number", "boolean", "literal", "enum", "unknown"];
