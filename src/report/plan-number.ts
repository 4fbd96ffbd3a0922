import { bytes, relativeGap } from "../text/units.js";
import { type Html, html } from "./html.js";

/**
 * A number of a plan file: rounded for people, exact for programs. `path` is where the file has it, such as
 * `objective.value` or `tables.0.tiers.1.rows`; the page shows no other number as the plan's.
 */
export function planNumber(path: string, value: number, text: string): Html {
  return html`<data value="${value}" data-path="${path}" title="${value}">${text}</data>`;
}

export { bytes as byteText, relativeGap as gapText };
