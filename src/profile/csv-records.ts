import type { Place } from "../errors/input-error.js";

/** A field of a record: its text without quotes, and where it begins. */
export interface Field {
  readonly text: string;
  /** Whether it stands in quotes. */
  readonly isQuoted: boolean;
  readonly place: Place;
}

/** Thrown where a text is no CSV. */
export class CsvFault extends Error {
  readonly place: Place;

  constructor(message: string, place: Place) {
    super(message);
    this.place = place;
  }
}

/**
 * Lines into records, as RFC 4180 has it: fields in quotes may hold delimiters, line breaks and doubled quotes. Lines are
 * handed in one by one, so a record has the place of each of its fields.
 */
export class CsvRecords {
  readonly #delimiter: string;
  readonly #isQuoted: boolean;
  #line = 0;
  #fields: Field[] = [];
  /** The field in quotes that the last line has left open. */
  #open: { text: string; readonly isQuoted: true; readonly place: Place } | undefined;

  /** Without quotes every character but the delimiter is of a field. */
  constructor(delimiter: string, isQuoted: boolean) {
    this.#delimiter = delimiter;
    this.#isQuoted = isQuoted;
  }

  /** The record that ends with this line, or undefined when it goes on. Throws {@link CsvFault}. */
  line(text: string): readonly Field[] | undefined {
    this.#line++;
    let at = 0;
    if (this.#open !== undefined) {
      this.#open.text += "\n";
      at = this.#quoted(text, 0);
      if (at === -1) return undefined;
    }
    for (;;) {
      if (at > text.length) break;
      if (this.#isQuoted && text[at] === '"') {
        this.#open = { text: "", isQuoted: true, place: { line: this.#line, column: at + 1 } };
        at = this.#quoted(text, at + 1);
        if (at === -1) return undefined;
      } else {
        const next = text.indexOf(this.#delimiter, at);
        const end = next === -1 ? text.length : next;
        this.#fields.push({ text: text.slice(at, end), isQuoted: false, place: { line: this.#line, column: at + 1 } });
        at = end + this.#delimiter.length;
        if (next === -1) break;
      }
    }
    const fields = this.#fields;
    this.#fields = [];
    return fields;
  }

  /** Throws {@link CsvFault} when a quote is still open. */
  end(): void {
    if (this.#open === undefined) return;
    const message = "expected a closing quote, received the end of the file; close it or double it";
    throw new CsvFault(message, this.#open.place);
  }

  /** Reads on inside quotes; returns where the next field begins, beyond the end after the last one, or −1 if open. */
  #quoted(text: string, from: number): number {
    const open = this.#open as { text: string; readonly isQuoted: true; readonly place: Place };
    for (let at = from; ; ) {
      const quote = text.indexOf('"', at);
      if (quote === -1) {
        open.text += text.slice(at);
        return -1;
      }
      open.text += text.slice(at, quote);
      if (text[quote + 1] === '"') {
        open.text += '"';
        at = quote + 2;
        continue;
      }
      this.#fields.push(open);
      this.#open = undefined;
      if (quote + 1 === text.length) return text.length + 1;
      if (text.startsWith(this.#delimiter, quote + 1)) return quote + 1 + this.#delimiter.length;
      const received = `received ${JSON.stringify(text[quote + 1])}; double the quotes inside a field`;
      const message = `expected ${name(this.#delimiter)} after the closing quote, ${received}`;
      throw new CsvFault(message, { line: this.#line, column: quote + 2 });
    }
  }
}

function name(delimiter: string): string {
  return delimiter === "\t" ? "a tab" : delimiter === "," ? "a comma" : JSON.stringify(delimiter);
}
