import Table from "cli-table3";
import pc from "picocolors";

/** Colours for a person's terminal; none where standard output goes elsewhere or `NO_COLOR` is set. */
export const paint = pc.createColors(process.stdout.isTTY === true && !process.env.NO_COLOR);

const NO_LINES = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"]
    .concat(["left", "left-mid", "mid", "mid-mid", "right", "right-mid"])
    .map((name) => [name, ""]),
);

/** A table without lines, its columns two spaces apart; `aligns` has one letter per column, `l` or `r`. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], aligns: string): string {
  const grid = new Table({
    chars: { ...NO_LINES, middle: "  " },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
    colAligns: [...aligns].map((letter) => (letter === "r" ? "right" : "left")),
  });
  grid.push(
    head.map((text) => paint.dim(text)),
    ...rows.map((row) => [...row]),
  );
  return indent(grid.toString());
}

/** What stands in a cell that has no value. */
export function nothing(): string {
  return paint.dim("·");
}

/** Pairs of a name and what is said of it, the names in one column. */
export function facts(pairs: readonly (readonly [name: string, text: string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return indent(pairs.map(([name, text]) => `${paint.dim(name.padEnd(width))}  ${text}`).join("\n"));
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
}
