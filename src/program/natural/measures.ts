import { Rational } from "../../exact/rational.js";
import type { Measure, Unit } from "./words.js";

/** Bytes, as GiB where that leaves no number too small. */
export const BYTES: Measure = {
  name: "memory",
  units: ["GiB", "MiB", "KiB", "bytes"].map((name, k) => ({ name, size: Rational.of(1n << BigInt(10 * (3 - k))) })),
};

/** Seconds or milliseconds, as milliseconds where that leaves no number too small or too large. */
export function timeMeasure(name: string, plain: "s" | "ms"): Measure {
  const inSeconds = plain === "s" ? 0 : 3;
  const units = TIMES.map(([unit, power]) => ({ name: unit, size: powerOfTen(power + inSeconds) }));
  return { name, units };
}

/** The preferred one first. */
const TIMES = [
  ["ms", -3],
  ["us", -6],
  ["s", 0],
  ["ns", -9],
  ["ps", -12],
] as const;

/** A measure whose unit has a name (`null`: none), by thousands where its numbers are too small or too large. */
export function plainMeasure(name: string, unit: string | null): Measure {
  const units = POWERS.map((power): Unit => {
    const scale = power === 0 ? "" : `1e${power}`;
    const text = [scale, unit ?? ""].filter((part) => part !== "").join(" ");
    return { name: text === "" ? "the instance's own unit" : text, size: powerOfTen(power) };
  });
  return { name, units };
}

const POWERS = [0, -3, 3, -6, 6, ...Array.from({ length: 100 }, (_, k) => [-3 * (k + 3), 3 * (k + 3)]).flat()];

function powerOfTen(power: number): Rational {
  return power >= 0 ? Rational.of(10n ** BigInt(power)) : Rational.of(1n, 10n ** BigInt(-power));
}
