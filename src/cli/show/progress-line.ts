import type { SolveProgress } from "../worker/protocol.js";
import { count, milliseconds } from "./units.js";

/** Seconds before a solve is slow enough to speak of. */
const SILENT_SECONDS = 1;

/** One line on a terminal's standard error that is written over and over; nothing anywhere else. */
export class ProgressLine {
  readonly #active: boolean;
  readonly #amount: (value: number) => string;
  readonly #started = performance.now();
  #shown = false;

  /** `amount` writes a value of the objective. */
  constructor(quiet: boolean, amount: (value: number) => string = milliseconds) {
    this.#amount = amount;
    this.#active = !quiet && process.stderr.isTTY === true;
  }

  show({ nodes, openNodes, incumbent, bound, part }: SolveProgress): void {
    const seconds = (performance.now() - this.#started) / 1000;
    if (!this.#active || seconds < SILENT_SECONDS) return;
    const parts = [`${seconds.toFixed(0)} s`, `${count(nodes)} nodes (${count(openNodes)} open)`];
    if (part !== undefined) parts.splice(1, 0, part);
    if (incumbent !== null) parts.push(`best ${this.#amount(incumbent)}`);
    if (bound !== null) parts.push(`bound ${this.#amount(bound)}`);
    if (incumbent !== null && bound !== null && incumbent !== 0) {
      parts.push(`gap ${(Math.abs(incumbent - bound) / Math.abs(incumbent)).toExponential(1)}`);
    }
    process.stderr.write(`\r\u001b[2K${parts.join("  ·  ")}`);
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) process.stderr.write("\r\u001b[2K");
    this.#shown = false;
  }
}
