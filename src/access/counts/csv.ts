import { createReadStream } from "node:fs";
import { InputError } from "../../errors/input-error.js";
import { CountTally } from "./tally.js";

/** The header that makes a file a histogram. */
const HISTOGRAM_HEADER = "rows,accesses_per_row";

const NUMBER = /^[+]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Line feed, carriage return, and the digits 0 and 9. */
const LF = 10;
const CR = 13;
const ZERO = 48;
const NINE = 57;

/**
 * Counts of accesses from text, in one of two forms: one count per line, one line per row, after an optional header; or
 * a histogram of lines `rows,accesses per row` under the header `rows,accesses_per_row`. Empty lines and lines that
 * begin with `#` are skipped. Reads in chunks.
 *
 * Throws `InputError` with the line for anything else, and where there are more rows than `tableRows`.
 */
export async function readCsvCounts(path: string, tableRows: number): Promise<CountTally> {
  const reader = new CsvCounts(path, tableRows);
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) reader.chunk(chunk as Buffer);
  return reader.end();
}

class CsvCounts {
  readonly #path: string;
  readonly #tableRows: number;
  readonly #tally = new CountTally();
  #line = 1;
  #rest = "";
  #form: "unknown" | "counts" | "histogram" = "unknown";

  constructor(path: string, tableRows: number) {
    this.#path = path;
    this.#tableRows = tableRows;
  }

  chunk(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      const count = this.#form === "counts" && this.#rest === "" ? shortInteger(bytes, start, end) : -1;
      if (count >= 0) this.#add(count, 1, 1);
      else this.#read(this.#rest + bytes.toString("utf8", start, end));
      this.#rest = "";
      this.#line++;
      start = end + 1;
    }
    this.#rest += bytes.toString("utf8", start);
  }

  end(): CountTally {
    if (this.#rest !== "") this.#read(this.#rest);
    return this.#tally;
  }

  #read(written: string): void {
    const line = (this.#line === 1 ? written.replace(/^\uFEFF/, "") : written).replace(/\r$/, "");
    if (line.trim() === "" || line.startsWith("#")) return;
    const fields = line.split(",");
    if (this.#form === "unknown") {
      const isHistogram = fields.map((field) => field.trim()).join(",") === HISTOGRAM_HEADER;
      this.#form = isHistogram ? "histogram" : "counts";
      // A first line that cannot be meant as a number is the header.
      if (isHistogram || (fields.length === 1 && /^\s*["A-Za-z_]/.test(line))) return;
    }
    if (this.#form === "histogram") this.#readBin(line, fields);
    else if (fields.length === 1) this.#add(this.#number(line, 1, "a count"), 1, 1);
    else {
      const advice = `two columns need the header ${HISTOGRAM_HEADER}`;
      this.#fail(`expected one count, received ${fields.length} columns; ${advice}`, (fields[0] as string).length + 1);
    }
  }

  #readBin(line: string, fields: readonly string[]): void {
    const [rowsText = "", countText = ""] = fields;
    if (fields.length !== 2) this.#fail(`expected ${HISTOGRAM_HEADER}, received ${JSON.stringify(line)}`, 1);
    const rows = this.#number(rowsText, 1, "a number of rows");
    if (!Number.isSafeInteger(rows)) this.#fail(`expected a whole number of rows, received ${rowsText.trim()}`, 1);
    this.#add(this.#number(countText, rowsText.length + 2, "accesses per row"), rows, 1);
  }

  #number(field: string, column: number, expected: string): number {
    const trimmed = field.trim();
    const value = NUMBER.test(trimmed) ? Number(trimmed) : Number.NaN;
    if (Number.isFinite(value)) return value;
    const received = trimmed === "" ? "nothing" : JSON.stringify(trimmed);
    const leading = trimmed === "" ? 0 : field.length - field.trimStart().length;
    return this.#fail(`expected ${expected} (a finite number, not negative), received ${received}`, column + leading);
  }

  #add(count: number, rows: number, column: number): void {
    this.#tally.add(count, rows);
    if (this.#tally.rows > this.#tableRows) {
      const advice = "correct the table's rows or the file";
      this.#fail(
        `expected at most ${this.#tableRows} rows, the table's, received more by this line; ${advice}`,
        column,
      );
    }
  }

  #fail(message: string, column: number): never {
    throw new InputError(message, this.#path, { line: this.#line, column });
  }
}

/** The value of up to 15 digits (and a carriage return) between two offsets, or −1 for anything else. */
function shortInteger(bytes: Buffer, start: number, end: number): number {
  const last = end > start && bytes[end - 1] === CR ? end - 1 : end;
  if (last === start || last - start > 15) return -1;
  let value = 0;
  for (let index = start; index < last; index++) {
    const byte = bytes[index] as number;
    if (byte < ZERO || byte > NINE) return -1;
    value = value * 10 + (byte - ZERO);
  }
  return value;
}
