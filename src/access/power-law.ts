/**
 * A piece of an access curve over the ranks [from, to]: p(t) = density · (t / anchor)^(power − 1), where `density` is
 * the value at `anchor`. Only a piece that starts at rank 0 is anchored at its end, with a power above 0.
 */
export interface PowerLaw {
  readonly from: number;
  readonly to: number;
  readonly anchor: number;
  readonly density: number;
  /** At most 1; at 1 the piece is constant. It is held instead of the exponent because it may be far below 1e-16. */
  readonly power: number;
}

/** The piece that falls from `density` at `from` > 0 to `endDensity` at `to`. */
export function powerLawBetween(from: number, density: number, to: number, endDensity: number): PowerLaw {
  return { from, to, anchor: from, density, power: 1 - Math.log(density / endDensity) / logRatio(from, to) };
}

/** The constant piece. */
export function constantLaw(from: number, to: number, density: number): PowerLaw {
  return { from, to, anchor: to, density, power: 1 };
}

/** ∫ p(t) dt over [start, end] ⊆ [from, to], in closed form, to some units in the last place. */
export function integral({ anchor, density, power }: PowerLaw, start: number, end: number): number {
  if (end <= start) return 0;
  if (power === 1) return density * (end - start);
  if (start === 0) return (density * anchor * toThe(power, end / anchor)) / power;
  return density * toThe(power - 1, start / anchor) * start * growth(power, logRatio(start, end));
}

/**
 * ratio^exponent, ratio > 0. Not by `**`: its last bit differs between versions of JavaScript's engines, and with it the
 * program that an instance stands for, while `exp` and `log` are the same code in all of them.
 */
function toThe(exponent: number, ratio: number): number {
  return Math.exp(exponent * Math.log(ratio));
}

/**
 * (e^(power·log) − 1) / power, and log where power is 0: the integral of t^(power−1) over [1, e^log], without the
 * cancellation that either factor alone would have.
 */
export function growth(power: number, log: number): number {
  return power === 0 ? log : Math.expm1(power * log) / power;
}

/** ln(to / from), accurate for neighbours too. */
export function logRatio(from: number, to: number): number {
  return Math.log1p((to - from) / from);
}

/**
 * A zero of a rising function between `low` and `high`, by bisection down to neighbouring doubles. Below a zero of the
 * interval it returns `low`, above it `high`.
 */
export function bisect(rising: (x: number) => number, low: number, high: number): number {
  let below = low;
  let above = high;
  for (;;) {
    const middle = below + (above - below) / 2;
    if (middle <= below || middle >= above) return Math.abs(rising(below)) <= Math.abs(rising(above)) ? below : above;
    if (rising(middle) < 0) below = middle;
    else above = middle;
  }
}
