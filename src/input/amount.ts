import { shown } from "../errors/shown.js";
import { Rational } from "../exact/rational.js";

/** What a number is of; without a unit it is in bytes, seconds, bytes per second, or shares of one. */
export type Dimension = "bytes" | "seconds" | "bytes per second" | "shares";

/** What messages say of each. */
const UNITS: Readonly<Record<Dimension, string>> = {
  bytes: "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB",
  seconds: "ns, us, ms, s, min, h",
  "bytes per second": "B/s, kB/s, MB/s, GB/s, GiB/s, Gbit/s and the like",
  shares: "%",
};

/** A prefix is its place's power of 1000 or, with an i, of 1024. */
const PREFIXES = ["", "k", "m", "g", "t"];

const TIMES: ReadonlyMap<string, Rational> = new Map([
  ["ns", Rational.of(1n, 10n ** 9n)],
  // The sign of micro, the Greek letter, and the letter in their place.
  ...["\u00b5s", "\u03bcs", "us"].map((name) => [name, Rational.of(1n, 10n ** 6n)] as const),
  ["ms", Rational.of(1n, 1000n)],
  ["s", Rational.one],
  ["min", Rational.of(60n)],
  ["h", Rational.of(3600n)],
]);

/** The number that a text begins with and the unit behind it, `""` for none; `null` for other texts. */
export function splitAmount(text: string): { readonly number: string; readonly unit: string } | null {
  // It matches in one way at most, in linear time.
  const found = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*([^\s\d.+-]*)$/.exec(text.trim());
  return found && { number: found[1] as string, unit: found[2] as string };
}

/**
 * The exact value of a text with a unit of the dimension, such as `1.5GiB`, or without one. Prefixes are of thousands (`kB`)
 * or of 1024 (`KiB`); of bytes, letters of either case.
 *
 * Throws `RangeError` for other texts; its message says what is wrong, in words that go after what was expected.
 */
export function amountIn(text: string, dimension: Dimension): Rational {
  const { number, unit } = splitAmount(text) ?? fail(`write a number and its unit (${UNITS[dimension]})`);
  const value = Rational.parse(number);
  if (unit === "") return value;
  const found = unitOf(unit) ?? fail(`there is no unit ${shown(unit)}; known here: ${UNITS[dimension]}`);
  if (found.dimension === dimension) return value.multiply(found.size);
  return fail(`${unit} is a unit of ${found.dimension}; known here: ${UNITS[dimension]}`);
}

function unitOf(unit: string): { readonly dimension: Dimension; readonly size: Rational } | null {
  if (unit === "%") return { dimension: "shares", size: Rational.of(1n, 100n) };
  const [of = "", per, ...more] = unit.split("/");
  const time = TIMES.get(per ?? of);
  if (per === undefined && time !== undefined) return { dimension: "seconds", size: time };
  const [, letter = "", binary, kind] = /^(?:([kmgt])(i?))?(b|bit)$/i.exec(of) ?? [];
  if (kind === undefined || more.length > 0) return null;
  const scale = (binary ? 1024n : 1000n) ** BigInt(PREFIXES.indexOf(letter.toLowerCase()));
  const size = Rational.of(scale, kind.toLowerCase() === "bit" ? 8n : 1n);
  if (per === undefined) return { dimension: "bytes", size };
  if (time === undefined) return null;
  if (kind === "b")
    fail(`${unit} may be bits or bytes; write ${of.slice(0, -1)}bit/${per} or ${of.slice(0, -1)}B/${per}`);
  return { dimension: "bytes per second", size: size.divide(time) };
}

function fail(message: string): never {
  throw new RangeError(message);
}
