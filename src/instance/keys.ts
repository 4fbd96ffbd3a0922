/** What is read of a JSON Schema. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** A key of a file, as its schema describes it. */
export interface Key {
  /** From the root, `tables[].rows`. */
  readonly path: string;
  /** What a value is, in words: `integer`, `[number, number]`, `serial, exposed or channels`. */
  readonly type: string;
  /** Without it the map that it belongs to is not complete, and nothing is filled in. */
  readonly isRequired: boolean;
  /** What is filled in, as JSON; `undefined`: nothing. */
  readonly byDefault: string | undefined;
  readonly description: string;
}

/** All keys of a JSON Schema, those of inner maps behind the one that holds them. */
export function keysOf(schema: object, path = ""): Key[] {
  const { properties = {}, required = [] } = schema as Schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const own = path === "" ? name : `${path}.${name}`;
    const byDefault = field.default === undefined ? undefined : JSON.stringify(field.default);
    const isRequired = required.includes(name) && byDefault === undefined;
    const key = { path: own, type: typeOf(field), isRequired, byDefault, description: field.description ?? "" };
    return [key, ...inside(field, own)];
  });
}

/** The keys of the maps that a value may be, or may be a list of; a key of several maps once. */
function inside(field: Schema, path: string): Key[] {
  const found = [
    ...(field.properties === undefined ? [] : keysOf(field, path)),
    ...(field.items === undefined ? [] : inside(field.items, `${path}[]`)),
    ...(field.prefixItems ?? []).flatMap((item) => inside(item, `${path}[]`)),
    ...alternatives(field).flatMap((one) => inside(one, path)),
  ];
  return found.filter((key, k) => found.findIndex((other) => other.path === key.path) === k);
}

function typeOf(field: Schema): string {
  if (field.const !== undefined) return String(field.const);
  if (field.enum !== undefined) return listed(field.enum.map(String));
  // A map with keys of its own is a map, whatever it says of which of them belong together.
  if (field.type === "object" || field.properties !== undefined) return "map";
  if (field.prefixItems !== undefined) return `[${field.prefixItems.map(typeOf).join(", ")}]`;
  if (field.type === "array") return field.items === undefined ? "list" : `list of ${typeOf(field.items)}`;
  const types = alternatives(field).map(typeOf);
  if (types.length > 0) return listed([...new Set(types)]);
  const own = [field.type ?? "anything"].flat();
  return listed(own.map((type) => (type === "string" ? "text" : type)));
}

function alternatives({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] {
  return [...anyOf, ...oneOf];
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
