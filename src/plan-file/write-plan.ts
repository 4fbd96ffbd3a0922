import { isPlain } from "./canonical-json.js";

const WIDTH = 120;

/** The text of a plan file: JSON, indented by two, with lists and objects that fit on a line kept on one. */
export function writePlan(plan: object): string {
  return `${write(plan, 0, 0)}\n`;
}

/** `before` is how much stands on the line already. */
function write(value: unknown, indent: number, before: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const flat = flatten(value, WIDTH - indent - before);
  if (flat !== null) return flat;
  const inner = indent + 2;
  // Long lists of names and numbers are written at once; it takes up to ten blanks.
  if (Array.isArray(value) && inner <= 10 && value.every(isPlain)) {
    return `${JSON.stringify(value, null, inner).slice(0, -1)}${" ".repeat(indent)}]`;
  }
  const pad = " ".repeat(inner);
  const [open, close, items] = Array.isArray(value)
    ? ["[", "]", value.map((item) => write(item, inner, 0))]
    : [
        "{",
        "}",
        fieldsOf(value).map(([key, field]) => `${JSON.stringify(key)}: ${write(field, inner, key.length + 4)}`),
      ];
  return `${open}\n${pad}${items.join(`,\n${pad}`)}\n${" ".repeat(indent)}${close}`;
}

/** The value on one line, or `null` as soon as it is longer than `room`. */
function flatten(value: unknown, room: number): string | null {
  if (typeof value !== "object" || value === null) {
    const text = JSON.stringify(value);
    return text.length <= room ? text : null;
  }
  const isList = Array.isArray(value);
  const parts: string[] = [];
  let left = room - 2;
  for (const [key, field] of isList ? value.entries() : fieldsOf(value)) {
    const label = isList ? "" : `${JSON.stringify(key)}: `;
    const text = left < 0 ? null : flatten(field, left - label.length);
    if (text === null) return null;
    parts.push(label + text);
    left -= label.length + text.length + 2;
  }
  if (left + 2 < 0) return null;
  return isList ? `[${parts.join(", ")}]` : `{${parts.join(", ")}}`;
}

function fieldsOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, field]) => field !== undefined);
}
