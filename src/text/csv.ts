/** CSV as RFC 4180 has it, numbers in full; nothing stands for `null`. The standard's own `end` is `\r\n`. */
export function csvLines(lines: readonly (readonly (string | number | boolean | null)[])[], end = "\n"): string {
  return lines.map((cells) => `${cells.map((cell) => quoted(String(cell ?? ""))).join(",")}${end}`).join("");
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
