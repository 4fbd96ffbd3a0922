import { BYTE_UNITS, withDecimals } from "./units.js";

/** Bytes that lie close together: one unit for all of them, and enough decimals to tell them apart. */
export interface ByteScale {
  readonly unit: string;
  /** Without the unit. */
  readonly text: (bytes: number) => string;
}

/** A scale for bytes up to `most` (0 or more) that differ by `step` or more. */
export function byteScale(most: number, step: number): ByteScale {
  const power = most > 1024 ? Math.min(Math.floor(Math.log2(most) / 10), BYTE_UNITS.length - 1) : 0;
  const size = 1024 ** power;
  const digits = step > 0 ? Math.ceil(1 - Math.log10(step / size)) : 0;
  const decimals = Math.min(Math.max(power === 0 ? 0 : 3, digits), 12);
  const text = (bytes: number) => withDecimals(bytes / size, decimals);
  return { unit: BYTE_UNITS[power] as string, text };
}
