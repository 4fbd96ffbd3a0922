import { Sha256 } from "./sha256.js";

/** What the program uses of node:crypto: SHA-256 of texts and bytes, as hexadecimal digits. */
export function createHash(algorithm: "sha256"): Hash {
  if (algorithm !== "sha256") throw new RangeError(`sha256 was expected, received ${algorithm}`);
  return new Hash();
}

export class Hash {
  readonly #hash = new Sha256();

  update(data: string | Uint8Array): this {
    this.#hash.update(typeof data === "string" ? new TextEncoder().encode(data) : data);
    return this;
  }

  digest(_encoding: "hex"): string {
    return Array.from(this.#hash.digest(), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
}
