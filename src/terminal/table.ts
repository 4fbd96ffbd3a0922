import stringWidth from "fast-string-width";
import pc from "picocolors";

/**
 * Colours for a person's terminal; none where standard output goes elsewhere, unless `FORCE_COLOR` asks for them, nor where
 * `NO_COLOR` is set.
 */
export const paint = pc.createColors(
  !process.env.NO_COLOR && (process.stdout.isTTY === true || isForced(process.env.FORCE_COLOR)),
);

/** As Node reads it: anything but `0` and `false`; set and empty is asked for too. */
function isForced(value: string | undefined): boolean {
  return value !== undefined && value !== "0" && value !== "false";
}

const INDENT = 2;
const GAP = 2;

/** Room for words beside the names of facts, below which they are not broken into lines. */
const MIN_TEXT = 20;

/**
 * A table without lines, its columns two spaces apart; `aligns` has one letter per column, `l` or `r`. On a terminal
 * that is too narrow for it, columns that do not fit follow below, beside the names again: its first columns, as far as
 * they are of words.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[], aligns: string): string {
  const widths = columnWidths([head, ...rows]);
  const words = Math.max(1, /^l*/.exec(aligns.slice(0, -1))?.[0].length ?? 0);
  return columnGroups(widths, namesRepeated(widths.slice(0, words)), terminalColumns())
    .map((columns) => {
      const room = wordsRoom(widths, columns, aligns);
      const picked = (row: readonly string[]) =>
        columns.map((k, at) => (at === columns.length - 1 ? broken(row[k] ?? "", room).join("\n") : (row[k] ?? "")));
      return grid(picked(head), rows.map(picked), columns.map((k) => aligns[k]).join(""));
    })
    .join("\n\n");
}

/** How many columns of names stand in each part of a table: one, and more as far as they leave half of the terminal. */
function namesRepeated(widths: readonly number[]): number {
  let used = INDENT;
  const wide = widths.findIndex((width) => {
    used += width + GAP;
    return used > terminalColumns() / 2;
  });
  return Math.max(1, wide === -1 ? widths.length : wide);
}

/** What the last column has room for, where it is of words and its part of the table is wider than the terminal. */
function wordsRoom(widths: readonly number[], columns: readonly number[], aligns: string): number {
  const last = columns.at(-1) as number;
  const before = columns.slice(0, -1).reduce((sum, k) => sum + (widths[k] as number) + GAP, INDENT);
  return aligns[last] === "l" ? Math.max(MIN_TEXT, terminalColumns() - before) : Number.POSITIVE_INFINITY;
}

function grid(head: readonly string[], rows: readonly (readonly string[])[], aligns: string): string {
  const all = [head.map((text) => paint.dim(text)), ...rows].map((row) => row.map((cell) => cell.split("\n")));
  const widths = columnWidths(all.flatMap(linesOf));
  const cell = (text: string, k: number) => {
    const blank = " ".repeat((widths[k] as number) - stringWidth(text));
    return aligns[k] === "r" ? blank + text : text + blank;
  };
  const lines = all.flatMap((row) => linesOf(row).map((line) => line.map(cell).join(" ".repeat(GAP))));
  return indent(lines.join("\n"));
}

/** A row whose cells have several lines, line by line. */
function linesOf(row: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const height = row.reduce((most, cell) => Math.max(most, cell.length), 1);
  return Array.from({ length: height }, (_, line) => row.map((cell) => cell[line] ?? ""));
}

function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const widths = (rows[0] ?? []).map(() => 0);
  for (const row of rows) {
    for (const k of widths.keys()) widths[k] = Math.max(widths[k] as number, stringWidth(row[k] ?? ""));
  }
  return widths;
}

/** Columns by the part of the table that they are in; each part begins with the first columns, the `names`. */
export function columnGroups(widths: readonly number[], names: number, room: number): readonly (readonly number[])[] {
  const leading = widths.slice(0, names);
  const groups: number[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const [k, width] of widths.slice(names).entries()) {
    if (groups.length === 0 || used + GAP + width > room) {
      groups.push([...leading.keys()]);
      used = INDENT + leading.reduce((sum, each) => sum + each + GAP, 0) - GAP;
    }
    (groups.at(-1) as number[]).push(names + k);
    used += GAP + width;
  }
  return groups.length === 0 ? [[...leading.keys()]] : groups;
}

/** Of the terminal that standard output is; no limit elsewhere: who reads a file or a pipe can scroll. */
export function terminalColumns(): number {
  return process.stdout.isTTY === true && process.stdout.columns > 0
    ? process.stdout.columns
    : Number.POSITIVE_INFINITY;
}

/** What stands in a cell that has no value. */
export function nothing(): string {
  return paint.dim("·");
}

/** Pairs of a name and what is said of it, the names in one column; long texts go on below their own beginning. */
export function facts(pairs: readonly (readonly [name: string, text: string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  const room = terminalColumns() - INDENT - width - GAP;
  const lines = pairs.map(
    ([name, text]) => `${paint.dim(name.padEnd(width))}  ${broken(text, room).join(`\n${" ".repeat(width + GAP)}`)}`,
  );
  return indent(lines.join("\n"));
}

/** A text on its own, broken between words where the terminal is narrower than it. */
export function paragraph(text: string): string {
  return broken(text, terminalColumns()).join("\n");
}

/** Short texts side by side, indented, in as many lines as they take. */
export function list(texts: readonly string[], separator: string): string {
  const room = terminalColumns() - INDENT;
  const lines: string[] = [];
  for (const text of texts) {
    const longer = lines.length === 0 ? text : `${lines.at(-1)}${separator}${text}`;
    if (lines.length === 0 || stringWidth(longer) > room) lines.push(text);
    else lines[lines.length - 1] = longer;
  }
  return indent(lines.join("\n"));
}

/** A text in lines of at most `room` letters, broken between words. */
function broken(text: string, room: number): readonly string[] {
  if (room < MIN_TEXT || stringWidth(text) <= room) return [text];
  const [first = "", ...words] = text.split(" ");
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (stringWidth(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
}
