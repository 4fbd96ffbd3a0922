/** Milliseconds before work is slow enough to speak of, and between two times of speaking. */
const SILENT_MILLISECONDS = 1000;
const STEP_MILLISECONDS = 200;
/** Between two lines for a program that reads them. */
const LINE_MILLISECONDS = 3000;

/** Columns of a terminal that does not say how many it has. */
const USUAL_COLUMNS = 80;

const ERASE = "\r\u001b[2K";

/**
 * One line on a terminal's standard error that is written over and over, and taken away at the end; nothing anywhere else,
 * nor on a terminal that cannot erase a line (`TERM=dumb`). Its seconds go on while there is nothing new to say.
 *
 * With `asLines` it is lines below one another, one every few seconds, whatever standard error is: for programs and logs.
 */
export class StatusLine {
  readonly #active: boolean;
  readonly #asLines: boolean;
  readonly #started = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  #parts: () => readonly string[] = () => [];
  #next = this.#started + SILENT_MILLISECONDS;
  #shown = false;

  constructor(quiet: boolean, asLines = false) {
    this.#asLines = asLines;
    this.#active = asLines || (!quiet && process.stderr.isTTY === true && process.env.TERM !== "dumb");
    if (this.#active) this.#timer = setInterval(() => this.#write(), STEP_MILLISECONDS).unref();
  }

  /** Seconds since the work began go first; `parts` is asked only when it is time to write. */
  show(parts: () => readonly string[]): void {
    this.#parts = parts;
    this.#write();
  }

  /** Takes the line away until it is time to write again: for a message that stays. */
  hide(): void {
    if (this.#shown) process.stderr.write(ERASE);
    this.#shown = false;
  }

  /** Takes the line away: the work is over. */
  clear(): void {
    clearInterval(this.#timer);
    this.hide();
  }

  #write(): void {
    const now = performance.now();
    if (!this.#active || now < this.#next) return;
    this.#next = now + (this.#asLines ? LINE_MILLISECONDS : STEP_MILLISECONDS);
    const parts = this.#parts();
    const seconds = `${((now - this.#started) / 1000).toFixed(0)} s`;
    const text = [seconds, ...(parts.length === 0 ? ["working"] : parts)].join("  ·  ");
    process.stderr.write(this.#asLines ? `${text}\n` : `${ERASE}${cutOff(text)}`);
    this.#shown = !this.#asLines;
  }
}

/** What a terminal's line holds: of a line that goes on in the next one, only the last part could be erased. */
function cutOff(text: string): string {
  const most = (process.stderr.columns || USUAL_COLUMNS) - 1;
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}

/** Does work that a line tells of, which is taken away at its end. */
export async function withStatusLine<Result>(
  quiet: boolean | undefined,
  work: (line: StatusLine) => Promise<Result>,
  asLines = false,
): Promise<Result> {
  const line = new StatusLine(quiet === true, asLines);
  try {
    return await work(line);
  } finally {
    line.clear();
  }
}
