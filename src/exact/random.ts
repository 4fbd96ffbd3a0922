/** A stream of reproducible random numbers. */
export interface Random {
  /** A double in [0, 1) with 32 random bits. */
  next(): number;
  /** An integer in [0, bound). */
  integer(bound: number): number;
}

/** The generator mulberry32 (Tommy Ettinger, public domain): the same 32-bit seed gives the same stream everywhere. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, integer: (bound) => Math.floor(next() * bound) };
}
