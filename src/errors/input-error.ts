/** A place in a text: lines and columns count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Characters of a message: what was there may be millions long, and what to do stands at the end. */
const MAX_SAID = 1000;

/**
 * Something in the user's input is wrong. The message is one line that says what was expected, what was there and what
 * to do; with a file and a place it begins `file:line:column`. The command line prints it and ends with exit status 2.
 */
export class InputError extends Error {
  override readonly name = "InputError";
  /** The message without file and place. */
  readonly said: string;
  readonly file: string | undefined;
  readonly place: Place | undefined;

  constructor(message: string, file?: string, place?: Place) {
    const said =
      message.length <= MAX_SAID ? message : `${message.slice(0, MAX_SAID / 2)}…${message.slice(-MAX_SAID / 4)}`;
    super(`${file === undefined ? "" : place ? `${file}:${place.line}:${place.column}: ` : `${file}: `}${said}`);
    this.said = said;
    this.file = file;
    this.place = place;
  }
}

/** The place of a character offset in a text. */
export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf("\n");
  let line = 1;
  for (let index = before.indexOf("\n"); index !== -1; index = before.indexOf("\n", index + 1)) line++;
  return { line, column: offset - lastBreak };
}
