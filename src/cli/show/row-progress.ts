import { count } from "./units.js";

/** Milliseconds between two writings of the line, and before the first. */
const STEP_MILLISECONDS = 500;

/** "12,345,678 of 30,000,000 rows" on a terminal's standard error, written over and over; nothing anywhere else. */
export class RowProgress {
  readonly #active: boolean;
  #last = performance.now();
  #shown = false;

  constructor(quiet: boolean) {
    this.#active = !quiet && process.stderr.isTTY === true;
  }

  show(rows: number, of: number): void {
    if (!this.#active || performance.now() - this.#last < STEP_MILLISECONDS) return;
    this.#last = performance.now();
    process.stderr.write(`\r\u001b[2K${count(rows)} of ${count(of)} rows`);
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) process.stderr.write("\r\u001b[2K");
    this.#shown = false;
  }
}
