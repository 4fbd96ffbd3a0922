import { count } from "./units.js";

/** Seconds before work is slow enough to speak of, and between two times of speaking. */
const SILENT_SECONDS = 1;
const STEP_SECONDS = 0.2;

/** How many of something are done, on one line of a terminal's standard error; nothing anywhere else. */
export class CountLine {
  readonly #active: boolean;
  readonly #what: string;
  #next = performance.now() + SILENT_SECONDS * 1000;
  #shown = false;

  constructor(quiet: boolean, what: string) {
    this.#active = !quiet && process.stderr.isTTY === true;
    this.#what = what;
  }

  show(done: number): void {
    if (!this.#active || performance.now() < this.#next) return;
    this.#next = performance.now() + STEP_SECONDS * 1000;
    process.stderr.write(`\r\u001b[2K${count(done)} ${this.#what}`);
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) process.stderr.write("\r\u001b[2K");
    this.#shown = false;
  }
}
