/**
 * A worked example as help shows it: a line that begins with `$` is typed, those after it are of the answer, and `…` stands
 * for lines that are left out. The commands run as they are where the package's folders `instances` and `examples` are.
 */
export function example(text: string): string {
  const lines = text.trim().split("\n");
  return `\nExample:\n${lines.map((line) => (line.startsWith("$") ? `  ${line}` : `    ${line.trimStart()}`)).join("\n")}`;
}
