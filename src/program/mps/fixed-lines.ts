import { type Field, type MpsLine, mpsLines } from "./lines.js";

/** Where the six fields of a line of fixed MPS begin and end, from 0. */
const PLACES = [
  [1, 3],
  [4, 12],
  [14, 22],
  [24, 36],
  [39, 47],
  [49, 61],
] as const;

/**
 * The lines of an MPS file of fixed format, where the places on the line tell the fields and a name may hold blanks; such
 * names are added to `blanks`. A line of data with something between its fields is left as blanks divide it.
 */
export function* fixedLines(text: string, blanks: Field[]): Generator<MpsLine> {
  const contents = text.split("\n");
  for (const line of mpsLines(text)) {
    const [first] = line.kind === "data" ? line.fields : [undefined];
    const fields =
      first === undefined ? null : fieldsByPlace((contents[first.line - 1] as string).trimEnd(), first.line);
    if (fields === null) yield line;
    else {
      blanks.push(...fields.filter((field) => /\s/.test(field.text)));
      yield { kind: "data", fields };
    }
  }
}

function fieldsByPlace(content: string, line: number): readonly [Field, ...Field[]] | null {
  const fields: Field[] = [];
  let reached = 0;
  for (const [start, end] of PLACES) {
    if (content.slice(reached, start).trim() !== "") return null;
    const written = content.slice(start, end);
    const textOf = written.trim();
    if (textOf !== "") fields.push({ text: textOf, line, column: start + written.indexOf(textOf) + 1 });
    reached = end;
  }
  if (content.slice(reached).trim() !== "") return null;
  const [first, ...others] = fields;
  return first === undefined ? null : [first, ...others];
}
