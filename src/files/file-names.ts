/**
 * A name for each table's files: its own where that is made of letters of any alphabet's plainest kind (A–Z, a–z, 0–9,
 * `.`, `_`, `-`), with `_` for every other character and a number where two would be alike (in any case of letters).
 */
export function fileNames(tables: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return tables.map((table) => {
    const plain = table
      .replace(/[^A-Za-z0-9._-]/g, "_")
      .replace(/^[.-]/, "_")
      .slice(0, 80);
    let name = plain;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${plain}-${number}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
