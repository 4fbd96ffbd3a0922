import { besideBound, type Piece } from "../text/optimality.js";
import { percent } from "../text/units.js";
import { type Html, html } from "./html.js";
import { planNumber } from "./numbers.js";

/** What is known of a value, with its numbers marked as the plan file's; `path` is where the file has both. */
export function verdictText(
  pieces: readonly Piece[],
  numbers: { readonly value: number | null; readonly bound: number | null },
  path = "objective",
): Html {
  return html`${pieces.map((piece) =>
    typeof piece === "string" ? piece : planNumber(`${path}.${piece.of}`, numbers[piece.of] ?? 0, piece.text),
  )}`;
}

/** What follows a published method's value: how far it is above the bound, or that it is the bound. */
export function besideBoundText(aboveBound: number | null, path: string, isFirstOfTwo = false): Html | null {
  const above = (share: number) => html`${planNumber(path, share, percent(share))} above the bound`;
  const text = besideBound(aboveBound, isFirstOfTwo, above);
  return text === null ? null : html`, ${text}`;
}
