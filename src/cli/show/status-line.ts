/** Milliseconds before work is slow enough to speak of, and between two times of speaking. */
const SILENT_MILLISECONDS = 1000;
const STEP_MILLISECONDS = 200;

/** One line on a terminal's standard error that is written over and over, and taken away at the end; nothing anywhere else. */
export class StatusLine {
  readonly #active: boolean;
  readonly #started = performance.now();
  #next = this.#started + SILENT_MILLISECONDS;
  #shown = false;

  constructor(quiet: boolean) {
    this.#active = !quiet && process.stderr.isTTY === true;
  }

  /** Seconds since the work began go first; `parts` is asked only when it is time to write. */
  show(parts: () => readonly string[]): void {
    const now = performance.now();
    if (!this.#active || now < this.#next) return;
    this.#next = now + STEP_MILLISECONDS;
    const seconds = `${((now - this.#started) / 1000).toFixed(0)} s`;
    process.stderr.write(`\r\u001b[2K${[seconds, ...parts()].join("  ·  ")}`);
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) process.stderr.write("\r\u001b[2K");
    this.#shown = false;
  }
}
