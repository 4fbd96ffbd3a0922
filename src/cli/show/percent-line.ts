/** Seconds before work is slow enough to speak of. */
const SILENT_SECONDS = 1;

/** One line on a terminal's standard error that says how far a piece of work is; nothing anywhere else. */
export class PercentLine {
  readonly #active: boolean;
  readonly #started = performance.now();
  #shown = false;

  constructor(quiet: boolean) {
    this.#active = !quiet && process.stderr.isTTY === true;
  }

  /** `percentage` is from 0 to 100, or negative while it is not known. */
  show(what: string, percentage: number): void {
    const seconds = (performance.now() - this.#started) / 1000;
    if (!this.#active || seconds < SILENT_SECONDS) return;
    const share = percentage < 0 ? "" : `  ·  ${percentage.toFixed(0)} %`;
    process.stderr.write(`\r\u001b[2K${seconds.toFixed(0)} s  ·  ${what}${share}`);
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) process.stderr.write("\r\u001b[2K");
    this.#shown = false;
  }
}
