import type { Limit } from "./limits.js";

/** Grains that what is left of a limit is divided into. */
const CELLS = 2000;

/**
 * The least that all choices to come use of one limit where so much of another is left, by grains of that (dynamic programming): `null`
 * where they fit in whatever they are. Uses are rounded down to grains, so that nothing that fits is left out.
 */
export class Completions {
  readonly #grain: number;
  readonly #least: Float64Array;

  private constructor(grain: number, least: Float64Array) {
    [this.#grain, this.#least] = [grain, least];
  }

  /** Of the choices from `depth` on: uses of `of`, beside what is left of `beside`, which is `room` at most. */
  static after(depth: number, of: Limit, beside: Limit, room: number): Completions | null {
    const all = beside.uses.slice(depth).reduce((sum, uses) => sum + Math.max(...uses), 0);
    if (all <= room || room < 0) return null;
    const grain = Math.max(1, Math.ceil(room / CELLS));
    const cells = wholes(room, grain);
    let least = new Float64Array(cells + 1);
    for (let c = depth; c < beside.uses.length; c++) {
      const [own, other] = [of.uses[c] as Float64Array, beside.uses[c] as Float64Array];
      const next = new Float64Array(cells + 1).fill(Number.POSITIVE_INFINITY);
      for (let k = 0; k < own.length; k++) {
        const [use, width] = [own[k] as number, wholes(other[k] as number, grain)];
        for (let r = width; r <= cells; r++) {
          const sum = (least[r - width] as number) + use;
          if (sum < (next[r] as number)) next[r] = sum;
        }
      }
      least = next;
    }
    return new Completions(grain, least);
  }

  /** What they use at least, with so much left of the other limit. */
  at(left: number): number {
    return left < 0 ? Number.POSITIVE_INFINITY : (this.#least[wholes(left, this.#grain)] as number);
  }
}

/** ⌊value / grain⌋ of integers below 2^52, whatever the quotient is rounded to. */
function wholes(value: number, grain: number): number {
  const quotient = Math.floor(value / grain);
  return quotient * grain > value ? quotient - 1 : quotient;
}
