import { InputError, type Place } from "../errors/input-error.js";
import { eachLine } from "./lines.js";

/** What takes the events of a log, sample by sample. */
export interface EventReader {
  /** The place is that in a text; of a log whose lines are sorted there is none. */
  lookup(id: string, place?: Place): void;
  /** After the last lookup of every sample. */
  endSample(): void;
}

/**
 * Reads a log of lookups in one of two forms, told apart by a comma in the first line:
 *
 * - a sample per line: row ids with spaces between them; an empty line is a sample without lookups;
 * - a lookup per line: `sample,row`, after an optional header with these two words. The lines of a sample stand
 *   together: a change of the first field begins the next sample.
 *
 * Throws `InputError` with the place for anything else, and when the file cannot be read.
 */
export async function readEvents(file: string, reader: EventReader): Promise<void> {
  let isCsv = false;
  let sample: string | null = null;
  await eachLine(file, "a log", (line, number) => {
    if (number === 1) {
      isCsv = line.includes(",");
      if (/^\s*sample\s*,\s*row\s*$/i.test(line)) return;
    }
    if (!isCsv) return readSample(line, number, reader, file);
    const fields = line.split(",");
    const [key, id] = fields.map((field) => field.trim());
    if (fields.length !== 2 || key === undefined || id === undefined || key === "" || id === "") {
      const received = line.trim() === "" ? "an empty line" : JSON.stringify(line);
      throw new InputError(`expected sample,row, received ${received}`, file, { line: number, column: 1 });
    }
    if (sample !== null && key !== sample) reader.endSample();
    sample = key;
    reader.lookup(id, { line: number, column: line.indexOf(",") + 2 });
  });
  if (sample !== null) reader.endSample();
}

function readSample(line: string, number: number, reader: EventReader, file: string): void {
  const comma = line.indexOf(",");
  if (comma !== -1) {
    const advice = "a log has one form throughout";
    throw new InputError(`expected row ids with spaces between them, received a comma; ${advice}`, file, {
      line: number,
      column: comma + 1,
    });
  }
  for (const match of line.matchAll(/\S+/g)) reader.lookup(match[0], { line: number, column: match.index + 1 });
  reader.endSample();
}
