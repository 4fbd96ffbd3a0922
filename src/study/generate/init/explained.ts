import { isMap } from "../../../input/json.js";
import { type Key, keysOf } from "../../../instance/keys.js";

/** Characters of a line of comment. */
const WIDTH = 118;

type Values = Readonly<Record<string, unknown>>;

/**
 * The text of an instance file with these values, in which a comment explains every key by the schema's description, and
 * further, by path, in `more`. Keys that are left out stand in comments of their own, with what is filled in.
 */
export function explainedYaml(values: Values, schema: object, more: Readonly<Record<string, string>>): string {
  const keys = new Map(keysOf(schema).map((key) => [key.path, key]));

  function mapLines(map: Values, path: string, indent: string): readonly string[] {
    const lines = Object.entries(map).flatMap(([name, value]) => {
      const own = path === "" ? name : `${path}.${name}`;
      const said = [keys.get(own)?.description ?? "", more[own] ?? ""].filter((text) => text !== "").join(". ");
      return [...comment(said, indent), ...valueLines(name, value, own, indent)];
    });
    return [...lines, ...leftOut(map, path, indent, [...keys.values()])];
  }

  function valueLines(name: string, value: unknown, path: string, indent: string): readonly string[] {
    const inner = `${indent}  `;
    if (isMap(value)) return [`${indent}${name}:`, ...mapLines(value, path, inner)];
    if (!Array.isArray(value) || !isMap(value[0])) return [`${indent}${name}: ${flow(value)}`];
    // The first entry explains the keys of all.
    const [first, ...others] = value as [Values, ...Values[]];
    const lines = mapLines(first, `${path}[]`, `${inner}  `);
    return [`${indent}${name}:`, `${inner}-`, ...lines, ...others.map((other) => `${inner}- ${flow(other)}`)];
  }

  return `${mapLines(values, "", "").join("\n")}\n`;
}

/** Keys of a map that the values do not have. */
function leftOut(values: object, path: string, indent: string, keys: readonly Key[]): readonly string[] {
  const prefix = path === "" ? "" : `${path}.`;
  return keys
    .filter(({ path: own }) => own.startsWith(prefix) && /^\w+$/.test(own.slice(prefix.length)))
    .filter(({ path: own }) => !(own.slice(prefix.length) in values))
    .flatMap(({ path: own, byDefault, type, description }) => {
      const filled = byDefault === undefined ? "optional" : `default ${byDefault}`;
      return comment(`${own.slice(prefix.length)}: ${description || type} (${filled})`, indent);
    });
}

function comment(text: string, indent: string): readonly string[] {
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
  if (isMap(value)) {
    const fields = Object.entries(value).map(([name, own]) => `${name}: ${flow(own)}`);
    return `{${fields.join(", ")}}`;
  }
  return typeof value === "string" && !/^[a-z][\w-]*$/i.test(value) ? JSON.stringify(value) : String(value);
}
