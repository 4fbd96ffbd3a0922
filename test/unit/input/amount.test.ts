import { expect, test } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { amountIn, type Dimension } from "../../../src/input/amount.js";

const of = (numerator: number | bigint, denominator = 1n) => Rational.of(BigInt(numerator), denominator);

test.each<readonly [text: string, dimension: Dimension, value: Rational]>([
  ["80GB", "bytes", of(80_000_000_000)],
  ["7B", "bytes", of(7)],
  ["1 kB", "bytes", of(1000)],
  ["500 mb", "bytes", of(5e8)],
  ["0.1TB", "bytes", of(1e11)],
  ["64KiB", "bytes", of(65_536)],
  ["1.5 GiB", "bytes", of(3 * 2 ** 29)],
  ["2tib", "bytes", of(2 ** 41)],
  ["1.1GiB", "bytes", of(11n * 2n ** 30n, 10n)],
  ["-1MiB", "bytes", of(-(2 ** 20))],
  ["2e9", "bytes", of(2e9)],
  ["3ns", "seconds", of(3, 10n ** 9n)],
  ["10us", "seconds", of(1, 100_000n)],
  ["10µs", "seconds", of(1, 100_000n)],
  ["10μs", "seconds", of(1, 100_000n)],
  [".5ms", "seconds", of(1, 2000n)],
  ["1.5 min", "seconds", of(90)],
  ["2h", "seconds", of(7200)],
  ["0.1", "seconds", of(1, 10n)],
  ["25GB/s", "bytes per second", of(25_000_000_000)],
  ["25.3e9 B/s", "bytes per second", of(25_300_000_000)],
  ["1GiB/s", "bytes per second", of(2 ** 30)],
  ["25MB/ms", "bytes per second", of(25_000_000_000)],
  ["200Gbit/s", "bytes per second", of(25_000_000_000)],
  ["1kbit/s", "bytes per second", of(125)],
  ["5%", "shares", of(1, 20n)],
  ["0.5 %", "shares", of(1, 200n)],
])("%s of %s is exact", (text, dimension, value) => {
  expect(String(amountIn(text, dimension))).toBe(String(value));
});

test.each<readonly [text: string, dimension: Dimension, says: RegExp]>([
  ["80GB", "seconds", /^GB is a unit of bytes; known here: ns, us, ms, s, min, h$/],
  ["10s", "bytes", /^s is a unit of seconds; known here: B, kB/],
  ["5%", "bytes", /^% is a unit of shares;/],
  ["80GB", "bytes per second", /^GB is a unit of bytes; known here: B\/s/],
  ["25GB/s", "bytes", /^GB\/s is a unit of bytes per second;/],
  ["200Gb/s", "bytes per second", /^Gb\/s may be bits or bytes; write Gbit\/s or GB\/s$/],
  ["1 elephant", "bytes", /^there is no unit elephant; known here: B, kB/],
  ["1 PB", "bytes", /^there is no unit PB;/],
  ["1 iB", "bytes", /^there is no unit iB;/],
  ["1B/s/s", "bytes per second", /^there is no unit B\/s\/s;/],
  ["1GB/year", "bytes per second", /^there is no unit GB\/year;/],
  ["1S", "seconds", /^there is no unit S;/],
  ["GB", "bytes", /^write a number and its unit/],
  ["", "bytes", /^write a number and its unit/],
  ["1/3 GB", "bytes", /^write a number and its unit/],
  ["10 apples and pears", "seconds", /^write a number and its unit/],
  ["1e9999GB", "bytes", /exponent beyond/],
])("%j is none of %s, and why is said", (text, dimension, says) => {
  expect(() => amountIn(text, dimension)).toThrow(says);
});

test("a long text that is none is refused at once", () => {
  const before = performance.now();
  expect(() => amountIn(`${"1".repeat(100_000)}!.`, "bytes")).toThrow(RangeError);
  expect(performance.now() - before).toBeLessThan(1000);
});
