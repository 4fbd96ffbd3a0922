/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
const ROUNDS = rootBits((prime) => Math.cbrt(prime), 64);

/** The same of the square roots of the first 8 (FIPS 180-4, 5.3.3). */
const START = rootBits(Math.sqrt, 8);

const BLOCK = 64;

/**
 * SHA-256 (FIPS 180-4) of bytes that come in pieces. Browsers have it only as a promise, and the program hashes where it
 * cannot wait; test/browser compares it with Node's.
 */
export class Sha256 {
  readonly #state = START.slice();
  readonly #block = new Uint8Array(BLOCK);
  readonly #words = new Int32Array(BLOCK);
  #filled = 0;
  #length = 0;

  update(bytes: Uint8Array): void {
    this.#length += bytes.length;
    for (let from = 0; from < bytes.length; ) {
      const taken = Math.min(BLOCK - this.#filled, bytes.length - from);
      this.#block.set(bytes.subarray(from, from + taken), this.#filled);
      this.#filled += taken;
      from += taken;
      if (this.#filled === BLOCK) this.#compress();
    }
  }

  /** The 32 bytes; nothing can be added afterwards. */
  digest(): Uint8Array {
    const length = this.#length;
    const padding = new Uint8Array(((BLOCK + 55 - (length % BLOCK)) % BLOCK) + 1);
    padding[0] = 0x80;
    this.update(padding);
    const bits = new DataView(new ArrayBuffer(8));
    bits.setBigUint64(0, 8n * BigInt(length));
    this.update(new Uint8Array(bits.buffer));
    const hash = new DataView(new ArrayBuffer(32));
    this.#state.forEach((word, k) => {
      hash.setInt32(4 * k, word);
    });
    return new Uint8Array(hash.buffer);
  }

  #compress(): void {
    this.#filled = 0;
    const [block, w, state] = [this.#block, this.#words, this.#state];
    for (let t = 0; t < 16; t++) {
      w[t] =
        (at(block, 4 * t) << 24) | (at(block, 4 * t + 1) << 16) | (at(block, 4 * t + 2) << 8) | at(block, 4 * t + 3);
    }
    for (let t = 16; t < BLOCK; t++) {
      const [early, late] = [at(w, t - 15), at(w, t - 2)];
      const s0 = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const s1 = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      w[t] = at(w, t - 16) + s0 + at(w, t - 7) + s1;
    }
    let [a, b, c, d] = [at(state, 0), at(state, 1), at(state, 2), at(state, 3)];
    let [e, f, g, h] = [at(state, 4), at(state, 5), at(state, 6), at(state, 7)];
    for (let t = 0; t < BLOCK; t++) {
      const sum1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const first = (h + sum1 + ((e & f) ^ (~e & g)) + at(ROUNDS, t) + at(w, t)) | 0;
      const sum0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, k) => {
      state[k] = at(state, k) + word;
    });
  }
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function at(list: Int32Array | Uint8Array, index: number): number {
  return list[index] as number;
}

function rootBits(root: (prime: number) => number, count: number): Int32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return Int32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
}
