import { type Html, html, trusted } from "./html.js";
import { themed } from "./palette.js";

/** What a colour or a shape of a chart stands for. */
export interface LegendEntry {
  readonly name: string;
  /** A colour of the palette. */
  readonly colour: string;
  /** `square` where nothing is said. */
  readonly mark?: LegendMark;
}

export type LegendMark = keyof typeof MARKS;

/** Vega's symbols, and lines, in a box of 14 by 14. */
const MARKS = {
  square: "M2,2h10v10h-10Z",
  circle: "M7,1.5a5.5,5.5 0 1 1 -0.01,0Z",
  "triangle-up": "M7,1.5L13,12.5H1Z",
  "triangle-down": "M7,12.5L1,1.5H13Z",
  diamond: "M7,0.5L13.5,7L7,13.5L0.5,7Z",
  cross: "M5,1h4v4h4v4h-4v4h-4v-4h-4v-4h4Z",
  line: "M0,6h14v2h-14Z",
  dashes: "M0,6h6v2h-6ZM8,6h6v2h-6Z",
} as const;

/** A chart's legend as text of the page: it takes as many lines as it needs, on any screen. */
export function legendList(entries: readonly LegendEntry[]): Html | null {
  if (entries.length === 0) return null;
  return html`<ul class="legend">${entries.map(
    ({ name, colour, mark = "square" }) => html`<li>${swatch(colour, mark)}${name}</li>`,
  )}</ul>
`;
}

function swatch(colour: string, mark: LegendMark): Html {
  return trusted(
    `<svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><path d="${MARKS[mark]}" fill="${themed(colour)}"/></svg>`,
  );
}
