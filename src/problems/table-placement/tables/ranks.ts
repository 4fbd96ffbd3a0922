import { count } from "../../../text/units.js";

/** The devices of a table's shards: `0–7`, `3, 5`, `64 of 128`. */
export function ranksText(ranks: readonly number[]): string {
  const own = [...new Set(ranks)].sort((a, b) => a - b);
  const [first = 0, last = 0] = [own[0], own.at(-1)];
  if (own.length > 2 && last - first === own.length - 1) return `${first}–${last}`;
  return own.length <= 4 ? own.join(", ") : `${count(own.length)} of them`;
}
