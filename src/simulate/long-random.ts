import { type Random, seededRandom } from "../exact/random.js";

/**
 * The generator xoshiro128** (D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47,
 * 2021), started by {@link seededRandom}. A large fleet draws 10^7 numbers per iteration: the 2^32 of the shorter
 * generator would come around after some hundred.
 */
export function longRandom(seed: number): Random {
  const start = seededRandom(seed);
  const word = () => start.integer(2 ** 32) | 0;
  let a = word();
  let b = word();
  let c = word();
  let d = word();
  // All zeros is the one state that stays where it is.
  if ((a | b | c | d) === 0) d = 1;
  const next = (): number => {
    const scrambled = Math.imul(b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result / 2 ** 32;
  };
  return { next, integer: (bound) => Math.floor(next() * bound) };
}
