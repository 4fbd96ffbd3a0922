/** Room below which lines are left as they are. */
const MIN_COLUMNS = 40;

/** How much further in a line goes on than it began. */
const CONTINUED = 4;

/**
 * A help text whose lines fit into so many columns, broken between words. A paragraph that is too wide is set anew; an
 * indented line, such as one of an example, goes on below itself, a command with the backslash that a shell wants.
 */
export function helpAtWidth(text: string, columns: number): string {
  if (columns < MIN_COLUMNS) return text;
  const lines = text.split("\n");
  const set: string[] = [];
  for (let k = 0; k < lines.length; k++) {
    let line = lines[k] as string;
    if (line.length > columns) {
      while (isOfParagraph(line) && isOfParagraph(lines[k + 1] ?? "")) line += ` ${lines[++k]}`;
    }
    set.push(...broken(line, columns));
  }
  return set.join("\n");
}

function isOfParagraph(line: string): boolean {
  return /^\S/.test(line);
}

function broken(line: string, columns: number): readonly string[] {
  if (line.length <= columns) return [line];
  const [, margin = "", rest = ""] = /^(\s*)(.*)$/.exec(line) ?? [];
  const isCommand = rest.startsWith("$ ");
  const end = isCommand ? " \\" : "";
  const next = margin === "" ? "" : margin + " ".repeat(CONTINUED);
  const [first = "", ...words] = rest.split(/(?<=\S) /);
  const lines = [margin + first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length + end.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(next + word.trimStart());
  }
  return lines.map((each, k) => (k < lines.length - 1 ? each + end : each));
}
