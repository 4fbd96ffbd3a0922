/** Characters of a text that a message shows at most. */
const MOST_SHOWN = 60;

/** A text of the user's as a message shows it: whole, or its beginning where it is long. */
export function shown(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN - 3)}…`;
}
