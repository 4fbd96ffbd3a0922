/** What a table of names has for a name from a file, which may be the name of something that every object has. */
export function known<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
