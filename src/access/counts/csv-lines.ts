import { InputError } from "../../errors/input-error.js";
import { decimalIn } from "../../input/decimal.js";

/** What is said of a file of counts that has no order of rows, where one is wanted. */
export const NO_ORDER =
  "received a histogram; write the counts of the rows, or give their order with --rank-file TABLE=FILE";

/** The header that makes a file a histogram. */
const HISTOGRAM_HEADER = "rows,accesses_per_row";

/** Line feed, carriage return, and the digit 0. */
const LF = 10;
const CR = 13;
const ZERO = 48;

/** Digits that make an integer below 2^53 whatever they are. */
const SHORT_DIGITS = 15;

export interface CsvCountsOptions {
  readonly path: string;
  readonly tableRows: number;
  /** Where counts go: `rows` rows with `count` accesses each. */
  readonly sink: { add(count: number, rows: number): void };
  /** Whether the order of the rows is asked for, which a histogram has not. */
  readonly isPerRow?: boolean;
}

/**
 * Reads chunks of text in one of two forms: one count per line, one line per row, after an optional header; or a
 * histogram of lines `rows,accesses per row` under the header `rows,accesses_per_row`. Empty lines and lines that begin
 * with `#` are skipped.
 */
export class CsvCounts {
  readonly #options: CsvCountsOptions;
  #rows = 0;
  #line = 1;
  /** The bytes of a line that began in an earlier chunk: text is decoded whole, never through a character. */
  #rest = Buffer.alloc(0);
  #form: "unknown" | "counts" | "histogram" = "unknown";

  constructor(options: CsvCountsOptions) {
    this.#options = options;
  }

  chunk(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    while (start < bytes.length) {
      if (this.#form === "counts" && this.#rest.length === 0) start = this.#shortLines(bytes, start);
      const end = bytes.indexOf(LF, start);
      if (end === -1) break;
      const line = bytes.subarray(start, end);
      this.#read((this.#rest.length === 0 ? line : Buffer.concat([this.#rest, line])).toString("utf8"));
      this.#rest = Buffer.alloc(0);
      this.#line++;
      start = end + 1;
    }
    if (start < bytes.length) this.#rest = Buffer.concat([this.#rest, bytes.subarray(start)]);
  }

  end(): void {
    if (this.#rest.length > 0) this.#read(this.#rest.toString("utf8"));
  }

  /** Reads lines of a few digits each; returns where the first line begins that is none, or is not ended here. */
  #shortLines(bytes: Buffer, from: number): number {
    const { length } = bytes;
    let start = from;
    let value = 0;
    for (let index = from; index < length; index++) {
      const byte = bytes[index] as number;
      const digit = byte - ZERO;
      if (digit >= 0 && digit <= 9) {
        value = value * 10 + digit;
        continue;
      }
      if (byte === CR && bytes[index + 1] === LF) index++;
      else if (byte !== LF) return start;
      const digits = index - start - (byte === CR ? 1 : 0);
      if (digits === 0 || digits > SHORT_DIGITS) return start;
      this.#add(value, 1);
      this.#line++;
      value = 0;
      start = index + 1;
    }
    return start;
  }

  #read(written: string): void {
    const line = (this.#line === 1 ? written.replace(/^\uFEFF/, "") : written).replace(/\r$/, "");
    if (line.trim() === "" || line.startsWith("#")) return;
    const fields = line.split(",");
    if (this.#form === "unknown") {
      const isHistogram = fields.map((field) => field.trim()).join(",") === HISTOGRAM_HEADER;
      if (isHistogram && this.#options.isPerRow) {
        this.#fail(`expected one count per line in the order of the rows, ${NO_ORDER}`, 1);
      }
      this.#form = isHistogram ? "histogram" : "counts";
      // A first line that cannot be meant as a number is the header.
      if (isHistogram || (fields.length === 1 && /^\s*["A-Za-z_]/.test(line))) return;
    }
    if (this.#form === "histogram") this.#readBin(line, fields);
    else if (fields.length === 1) this.#add(this.#number(line, 1, "a count"), 1);
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
    this.#add(this.#number(countText, rowsText.length + 2, "accesses per row"), rows);
  }

  #number(field: string, column: number, expected: string): number {
    const trimmed = field.trim();
    const value = trimmed.startsWith("-") ? Number.NaN : decimalIn(trimmed);
    if (Number.isFinite(value)) return value;
    const received = trimmed === "" ? "nothing" : JSON.stringify(trimmed);
    const leading = trimmed === "" ? 0 : field.length - field.trimStart().length;
    return this.#fail(`expected ${expected} (a finite number, not negative), received ${received}`, column + leading);
  }

  #add(count: number, rows: number): void {
    const { tableRows, sink } = this.#options;
    this.#rows += rows;
    if (this.#rows > tableRows) {
      const advice = "correct the table's rows or the file";
      this.#fail(`expected at most ${tableRows} rows, the table's, received more by this line; ${advice}`, 1);
    }
    sink.add(count, rows);
  }

  #fail(message: string, column: number): never {
    throw new InputError(message, this.#options.path, { line: this.#line, column });
  }
}
