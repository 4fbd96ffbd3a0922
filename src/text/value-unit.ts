import { bytes, bytesBelow, milliseconds, millisecondsBelow, significant, significantBelow } from "./units.js";

/** What values are counted in, and how they are written: to six significant digits, or as many as are asked for. */
export interface ValueUnit {
  /** A value, to the nearest. */
  readonly text: (value: number, digits?: number) => string;
  /** A proved bound of it, rounded down: never shown as more than it is. */
  readonly boundText: (bound: number, digits?: number) => string;
  /** Of an axis; empty where there is none. */
  readonly name: string;
  /** How much of a value one of the axis is. */
  readonly size: number;
}

const DIGITS = 6;

/** Seconds, which are shown as milliseconds. */
export const SECONDS: ValueUnit = { text: milliseconds, boundText: millisecondsBelow, name: "ms", size: 1e-3 };

/** Bytes, in binary units. */
export const BYTES: ValueUnit = { text: bytes, boundText: bytesBelow, name: "B", size: 1 };

/** Values in a unit that is only known by its name, or in none. */
export function plainUnit(name: string | null): ValueUnit {
  const beside = name === null ? "" : ` ${name}`;
  return {
    text: (value, digits = DIGITS) => `${significant(value, digits)}${beside}`,
    boundText: (bound, digits = DIGITS) => `${significantBelow(bound, digits)}${beside}`,
    name: name ?? "",
    size: 1,
  };
}

/** A bound beside the value that it bounds: where both are one number they look like one. */
export function boundBeside(unit: ValueUnit, bound: number, value: number | null, digits?: number): string {
  return bound === value ? unit.text(bound, digits) : unit.boundText(bound, digits);
}

const GIB = 2 ** 30;

/** Bytes of more than a few in GiB; anything else in its own unit. */
export function goalUnitText(unit: string | null, value: number): ValueUnit {
  if (unit !== "B" || value < 2 ** 20) return plainUnit(unit);
  const gib = plainUnit("GiB");
  return {
    ...gib,
    text: (own, digits) => gib.text(own / GIB, digits),
    boundText: (own, digits) => gib.boundText(own / GIB, digits),
    size: GIB,
  };
}
