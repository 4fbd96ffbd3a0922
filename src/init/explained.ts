import { isMap } from "../input/json.js";
import { type Key, keysOf } from "../instance/keys.js";

/** Characters of a line of comment. */
const WIDTH = 118;

/**
 * The text of an instance file with these values, in which a comment explains every key by the schema's description, and
 * further, by path, in `more`. Keys that are left out stand in comments of their own, with what is filled in.
 */
export function explainedYaml(
  values: Readonly<Record<string, unknown>>,
  schema: object,
  more: Readonly<Record<string, string>>,
): string {
  const keys = new Map(keysOf(schema).map((key) => [key.path, key]));
  return `${mapLines(values, "", "", keys, more).join("\n")}\n`;
}

type Keys = ReadonlyMap<string, Key>;

function mapLines(
  values: Readonly<Record<string, unknown>>,
  path: string,
  indent: string,
  keys: Keys,
  more: Readonly<Record<string, string>>,
): string[] {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const own = path === "" ? name : `${path}.${name}`;
    lines.push(...comment(said(keys.get(own), more[own]), indent));
    lines.push(...valueLines(name, value, own, indent, keys, more));
  }
  return [...lines, ...leftOut(values, path, indent, keys)];
}

function valueLines(
  name: string,
  value: unknown,
  path: string,
  indent: string,
  keys: Keys,
  more: Readonly<Record<string, string>>,
): string[] {
  const inner = `${indent}  `;
  if (isMap(value)) return [`${indent}${name}:`, ...mapLines(value, path, inner, keys, more)];
  if (!Array.isArray(value) || !isMap(value[0])) return [`${indent}${name}: ${flow(value)}`];
  // The first entry explains the keys of all.
  const [first, ...others] = value as Readonly<Record<string, unknown>>[];
  const lines = mapLines(first as Readonly<Record<string, unknown>>, `${path}[]`, `${inner}  `, keys, more);
  return [`${indent}${name}:`, `${inner}-`, ...lines, ...others.map((other) => `${inner}- ${flow(other)}`)];
}

/** Keys of a map that the values do not have. */
function leftOut(values: object, path: string, indent: string, keys: Keys): string[] {
  const prefix = path === "" ? "" : `${path}.`;
  return [...keys.values()]
    .filter(({ path: own }) => own.startsWith(prefix) && /^\w+$/.test(own.slice(prefix.length)))
    .filter(({ path: own }) => !(own.slice(prefix.length) in values))
    .flatMap(({ path: own, byDefault, type, description }) => {
      const filled = byDefault === undefined ? "optional" : `default ${byDefault}`;
      return comment(`${own.slice(prefix.length)}: ${description || type} (${filled})`, indent);
    });
}

function said(key: Key | undefined, more: string | undefined): string {
  return [key?.description ?? "", more ?? ""].filter((text) => text !== "").join(". ");
}

function comment(text: string, indent: string): string[] {
  if (text === "") return [];
  const lines: string[] = [];
  let line = `${indent}#`;
  for (const word of text.split(" ")) {
    if (line.length + word.length >= WIDTH) {
      lines.push(line);
      line = `${indent}#`;
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

/** A value on one line, as YAML and JSON both have it. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (isMap(value))
    return `{${Object.entries(value)
      .map(([name, own]) => `${name}: ${flow(own)}`)
      .join(", ")}}`;
  return typeof value === "string" && !/^[a-z][\w-]*$/i.test(value) ? JSON.stringify(value) : String(value);
}
