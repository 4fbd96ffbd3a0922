import { join } from "node:path";
import { CHUNK_ROWS } from "../../access/counts/row-ranks.js";
import { HashedFile } from "./hashed-file.js";
import type { RemapTable } from "./manifest.js";
import { encode, NPY_BYTES, type NpyType, npyHeader } from "./npy.js";
import type { RemapSink } from "./sink.js";

/** A table's rows as two NumPy arrays: `NAME.tier.npy` (uint8) and `NAME.index.npy` (uint32, int64 where needed). */
export class NpyPair implements RemapSink {
  readonly #name: string;
  readonly #tier: HashedFile;
  readonly #index: HashedFile;
  readonly #type: NpyType;
  readonly #buffer: Buffer;

  private constructor(name: string, tier: HashedFile, index: HashedFile, type: NpyType) {
    this.#name = name;
    this.#tier = tier;
    this.#index = index;
    this.#type = type;
    this.#buffer = Buffer.alloc(CHUNK_ROWS * NPY_BYTES[type]);
  }

  /** `largest` is the rows of the largest tier. Throws `InputError` where the files cannot be written. */
  static async create(folder: string, name: string, rows: number, largest: number): Promise<NpyPair> {
    const type = largest <= 2 ** 32 ? "<u4" : "<i8";
    const tier = await HashedFile.create(join(folder, `${name}.tier.npy`));
    const index = await HashedFile.create(join(folder, `${name}.index.npy`));
    await tier.write(npyHeader("|u1", rows));
    await index.write(npyHeader(type, rows));
    return new NpyPair(name, tier, index, type);
  }

  async write(codes: Uint8Array, indices: Float64Array): Promise<void> {
    await this.#tier.write(codes);
    await this.#index.write(encode(this.#type, indices, this.#buffer));
  }

  async end(): Promise<RemapTable["files"]> {
    const [tier, index] = await Promise.all([this.#tier.end(), this.#index.end()]);
    return {
      tier: { file: `${this.#name}.tier.npy`, dataType: "|u1", sha256: tier },
      index: { file: `${this.#name}.index.npy`, dataType: this.#type, sha256: index },
    };
  }

  async abandon(): Promise<void> {
    await Promise.all([this.#tier.abandon(), this.#index.abandon()]);
  }
}
