import type { FreePart } from "../base-tree/base-model.js";
import type { Room } from "../core/pattern-lp.js";

/** A part of a table on a device, and what it is worth. */
export interface PricedPart<Part extends Room = FreePart> {
  readonly part: Part;
  readonly value: number;
}

/** Sums of doubles that fit but for rounding. */
export const LOOSE = 1 + 1e-12;

/** What is worth less is rounding. */
const NOTHING = 1e-11;

/** By table that offers any, the parts that fit alone and are worth something. */
export function pricedParts(
  parts: readonly (readonly FreePart[])[],
  room: Room,
  worthOf: (part: FreePart) => number,
): PricedPart[][] {
  return parts.flatMap((own) => {
    const priced = own.flatMap((part) => {
      if (part.cost > room.cost * LOOSE || part.hbm > room.hbm * LOOSE) return [];
      const value = worthOf(part);
      return value > NOTHING ? [{ part, value }] : [];
    });
    return priced.length === 0 ? [] : [priced];
  });
}
