import { received } from "../instance/findings.js";

/** One value for each varied key, by its path as the study has it. */
export type Varied = Readonly<Record<string, unknown>>;

/** Every choice of one value for each key: the last key changes fastest. One without values where there is no key. */
export function crossProduct(keys: Readonly<Record<string, readonly unknown[]>>): readonly Varied[] {
  return Object.entries(keys).reduce<readonly Varied[]>(
    (all, [key, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [key]: value }))),
    [{}],
  );
}

/**
 * A copy of an instance's document with these values: `a.b` is the key b of the map at a, a number an index of a list, `*`
 * all entries of a list or a map. A key that is not there is put in. Throws `RangeError` where a path leads nowhere.
 */
export function withValues(document: unknown, varied: Varied): unknown {
  const copy = structuredClone(document);
  for (const [path, value] of Object.entries(varied)) put(copy, path.split("."), value, "");
  return copy;
}

function put(container: unknown, [step = "", ...rest]: readonly string[], value: unknown, before: string): void {
  const at = before === "" ? step : `${before}.${step}`;
  if (typeof container !== "object" || container === null) {
    throw new RangeError(`expected a map or a list at ${before || "the instance"}, received ${received(container)}`);
  }
  const fields = container as Record<string, unknown>;
  if (step === "*") {
    const keys = Object.keys(fields);
    if (keys.length === 0) throw new RangeError(`expected entries at ${before}, received ${received(container)}`);
    for (const key of keys) put(fields, [key, ...rest], value, before);
    return;
  }
  if (Array.isArray(container) && !(/^\d+$/.test(step) && Number(step) < container.length)) {
    throw new RangeError(`expected an index of a list of ${container.length} at ${at}, or *`);
  }
  if (rest.length === 0) fields[step] = structuredClone(value);
  else {
    fields[step] ??= {};
    put(fields[step], rest, value, at);
  }
}
