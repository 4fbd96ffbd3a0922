/** Numbers as people read them. The plan file has them in full. */

/** An integer with thousands separated: `11,412`. */
export function count(value: number): string {
  return Math.abs(value) < 1e15 ? value.toLocaleString("en-US") : value.toExponential(3);
}

/** A number with what it is of: `1 step`, `12 steps`; `many` where the plural is not the singular with an s. */
export function some(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** Seconds as milliseconds to `digits` significant digits: `142.102 ms`. */
export function milliseconds(seconds: number, digits = 6): string {
  return `${significant(seconds * 1000, digits)} ms`;
}

/** Seconds as milliseconds, rounded down: how a proved bound is shown without claiming more. */
export function millisecondsBelow(seconds: number, digits = 6): string {
  return `${significantBelow(seconds * 1000, digits)} ms`;
}

/** A number to some significant digits, without an exponent where it is of a readable size. */
export function significant(value: number, digits: number): string {
  if (value === 0) return "0";
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  if (magnitude < -4 || magnitude > 8) return value.toExponential(Math.max(0, digits - 3));
  return withDecimals(value, Math.max(0, digits - 1 - magnitude));
}

/** By the number of decimals: making one takes as long as writing a hundred numbers with it. */
const FORMATS: Intl.NumberFormat[] = [];

/** A number with so many decimals, thousands separated. */
export function withDecimals(value: number, decimals: number): string {
  FORMATS[decimals] ??= new Intl.NumberFormat("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return FORMATS[decimals].format(value);
}

/** The same, rounded down: how a proved bound is shown without claiming more. */
export function significantBelow(value: number, digits: number): string {
  const nearest = Number(value.toPrecision(digits));
  if (nearest <= value) return significant(nearest, digits);
  return significant(nearest - 10 ** (Math.floor(Math.log10(Math.abs(value))) - digits + 1), digits);
}

/** The least number of so many significant digits that is not below a number of at least 0. */
export function roundedUp(value: number, digits: number): number {
  const nearest = Number(value.toPrecision(digits));
  if (nearest >= value) return nearest;
  return Number((nearest + 10 ** (Math.floor(Math.log10(value)) - digits + 1)).toPrecision(digits));
}

export const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/** Bytes in binary units: `37.1 GiB`. */
export function bytes(value: number, digits = 4): string {
  return inByteUnits(value, (amount) => significant(amount, digits));
}

/** Bytes, rounded down: how a proved bound is shown without claiming more. */
export function bytesBelow(value: number, digits = 4): string {
  return inByteUnits(value, (amount) => significantBelow(amount, digits));
}

function inByteUnits(value: number, round: (amount: number) => string): string {
  let unit = 0;
  let amount = Math.abs(value);
  while (amount >= 1024 && unit < BYTE_UNITS.length - 1) {
    amount /= 1024;
    unit++;
  }
  if (amount >= 1e5) return `${value.toExponential(3)} B`;
  const text = unit === 0 && Number.isInteger(amount) ? String(amount) : round(amount);
  return `${value < 0 ? "−" : ""}${text} ${BYTE_UNITS[unit]}`;
}

/** A share as a percentage: `46.6 %`. Small shares keep two digits, so that something is not shown as nothing. */
export function percent(share: number): string {
  const value = share * 100;
  if (value === 0) return "0 %";
  if (Math.abs(value) < 1e-4) return `${value.toExponential(1)} %`;
  return `${Math.abs(value) < 0.1 ? significant(value, 2) : value.toFixed(1)} %`;
}

/** How far a value is above another, as a share of that: `6.9 %`; beyond ten times it is its factor, `120 times`. */
export function aboveText(share: number): string {
  return share > 9 ? `${count(Math.round(share + 1))} times` : percent(share);
}

/** The same with what the value is above: `6.9 % above the bound`, `120 times the bound`. */
export function aboveWhat(share: number, what: string): string {
  return `${aboveText(share)} ${share > 9 ? "" : "above "}${what}`;
}

/**
 * A sentence whose bytes, from five digits on, are read in units; as it is, where two of its numbers would read alike. What something
 * is or has is bytes, where nothing else is named.
 */
export function bytesInUnits(sentence: string): string {
  const texts = new Map<string, string>();
  const said = sentence.replace(
    /\b(\d{5,}) bytes\b|(?<=\b(?:is|has|have) )(\d{5,})\b(?! \w|\.\d)/g,
    (_, first, second) => {
      const digits: string = first ?? second;
      texts.set(digits, bytes(Number(digits)));
      return bytes(Number(digits));
    },
  );
  return new Set(texts.values()).size < texts.size ? sentence : said;
}

/** A relative gap that was asked for, as it would be typed: `1e-9`, `5e-2`, `0` where the optimum itself was. */
export function askedGapText(gap: number): string {
  return gap === 0 ? "0" : gap.toExponential();
}

/** A relative gap: as a percentage where it is one to speak of, `2.4e-7` below a hundredth of a per cent, `0` for none. */
export function relativeGap(gap: number): string {
  if (gap === 0) return "0";
  if (gap < 1e-4) return gap.toExponential(1);
  const value = gap * 100;
  return `${value < 1 ? significant(value, 2) : value.toFixed(1)} %`;
}
