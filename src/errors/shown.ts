/** Characters of a text that a message shows at most. */
const MAX_SHOWN = 60;

/** A text of the user's as a message shows it: whole, or its beginning where it is long. */
export function shown(text: string, most = MAX_SHOWN): string {
  return text.length <= most ? text : `${text.slice(0, most - 3)}…`;
}
