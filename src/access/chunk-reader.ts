/** Bytes that come in chunks, by numbers that are asked for. */
export class ChunkReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** So many bytes, at the beginning of a buffer of their own; fewer at the end. */
  async take(bytes: number): Promise<Buffer<ArrayBuffer>> {
    const taken = Buffer.from(new ArrayBuffer(bytes));
    let done = 0;
    while (done < bytes) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done === true) break;
        this.#rest = next.value;
      }
      const part = this.#rest.subarray(0, bytes - done);
      taken.set(part, done);
      this.#rest = this.#rest.subarray(part.length);
      done += part.length;
    }
    return taken.subarray(0, done);
  }

  putBack(bytes: Uint8Array): void {
    this.#rest = Buffer.concat([bytes, this.#rest]);
  }

  /** Lets go of what the chunks come from. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
