export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}
export type Path = readonly (string | number)[];

/** Every value of a document that holds no other, with where it stands. */
export function leavesOf(value: Json, path: Path = []): { readonly path: Path; readonly value: Json }[] {
  if (typeof value !== "object" || value === null) return [{ path, value }];
  const inner = Array.isArray(value)
    ? value.map((item, k) => [k, item] as const)
    : (Object.entries(value) as [string, Json][]);
  return inner.flatMap(([key, item]) => leavesOf(item, [...path, key]));
}

export function valueAt(document: Json, path: Path): Json | undefined {
  let value: Json | undefined = document;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string | number, Json>)[key];
  }
  return value;
}

/** A copy with another value at a place, or none there (`undefined`). */
export function withValue(document: Json, path: Path, value: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value ?? null;
  const copy = (Array.isArray(document) ? [...document] : { ...(document as JsonObject) }) as Record<
    string | number,
    Json
  >;
  if (rest.length > 0) copy[key] = withValue(copy[key] ?? (typeof rest[0] === "number" ? [] : {}), rest, value);
  else if (value !== undefined) copy[key] = value;
  else if (Array.isArray(copy)) copy.splice(key as number, 1);
  else delete copy[key];
  return copy as Json;
}

/** The path that `pathText` writes. */
export function parsePath(text: string): Path {
  return [...text.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([A-Za-z_][\w-]*)/g)].map(([, index, quoted, word]) => {
    if (index !== undefined) return Number(index);
    return quoted === undefined ? (word as string) : (JSON.parse(quoted) as string);
  });
}

/** The places at which two documents differ. */
export function changedLeaves(one: Json, other: Json): readonly Path[] {
  const text = ({ path, value }: { path: Path; value: Json }) => JSON.stringify([path, value]);
  const [first, second] = [leavesOf(one), leavesOf(other)];
  const [inFirst, inSecond] = [new Set(first.map(text)), new Set(second.map(text))];
  const changed = [
    ...first.filter((leaf) => !inSecond.has(text(leaf))),
    ...second.filter((leaf) => !inFirst.has(text(leaf))),
  ];
  return changed.map(({ path }) => path);
}
