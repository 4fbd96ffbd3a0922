import type { FreePart } from "./base-model.js";

/** What one device of a host has of a pattern, where the host stands for its devices: what all have, and the most beyond. */
export function peakOf(parts: readonly Pick<FreePart, "least" | "over">[]): number {
  let [least, over] = [0, 0];
  for (const part of parts) {
    least += part.least;
    over = Math.max(over, part.over);
  }
  return least + over;
}
