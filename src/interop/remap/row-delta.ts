import { join } from "node:path";
import { NEW_ROW } from "../../access/counts/tiers-before.js";
import { movedStretches } from "../../access/moved-stretches.js";
import { isSameTier } from "../../cost/row-moves.js";
import type { Run } from "../../instance/types/assignment.js";
import { type RowsBefore, TIERS, type Tier } from "../../instance/types/row-tiers.js";
import { HashedFile } from "./hashed-file.js";
import type { RemapTable } from "./manifest.js";
import { encode, type NpyType, npyHeader } from "./npy.js";

const ARRAYS = { row: ["moved", "<i8"], from: ["moved-from", "|u1"], to: ["moved-to", "|u1"] } as const;

type Arrays<Value> = Readonly<Record<keyof typeof ARRAYS, Value>>;

/**
 * The rows of a table that change their tier, as three NumPy arrays of one length: `NAME.moved.npy` (int64, rising row ids),
 * `NAME.moved-from.npy` and `NAME.moved-to.npy` (uint8, the tiers' codes). New rows are in none of them.
 */
export class RowDelta {
  readonly #name: string;
  readonly #rows: number;
  readonly #files: Arrays<HashedFile>;
  #written = 0;

  private constructor(name: string, rows: number, files: Arrays<HashedFile>) {
    this.#name = name;
    this.#rows = rows;
    this.#files = files;
  }

  /** `before` and `runs` say how many rows there will be. Throws `InputError` where the files cannot be written. */
  static async create(folder: string, name: string, before: RowsBefore, runs: readonly Run[]): Promise<RowDelta> {
    let rows = 0;
    for (const { rows: count, from, to } of movedStretches(before, runs)) {
      if (from !== null && !isSameTier(from, to)) rows += count;
    }
    const open = async ([part, type]: readonly [string, NpyType]) => {
      const file = await HashedFile.create(join(folder, `${name}.${part}.npy`));
      await file.write(npyHeader(type, rows));
      return file;
    };
    const files = { row: await open(ARRAYS.row), from: await open(ARRAYS.from), to: await open(ARRAYS.to) };
    return new RowDelta(name, rows, files);
  }

  /** Rows from the id `first` on, with the codes of their tiers before and now. */
  async write(first: number, before: Uint8Array, now: Uint8Array): Promise<void> {
    const places = [...before.keys()].filter((k) => {
      const [from, to] = [before[k] as number, now[k] as number];
      return from !== NEW_ROW && !isSameTier(TIERS[from] as Tier, TIERS[to] as Tier);
    });
    if (places.length === 0) return;
    this.#written += places.length;
    const ids = places.map((k) => first + k);
    await this.#files.row.write(encode("<i8", ids, Buffer.alloc(8 * ids.length)));
    await this.#files.from.write(Uint8Array.from(places, (k) => before[k] as number));
    await this.#files.to.write(Uint8Array.from(places, (k) => now[k] as number));
  }

  /** Finishes the files. Throws `RangeError` where other rows were written than the plan moves. */
  async end(): Promise<NonNullable<RemapTable["delta"]>> {
    if (this.#written !== this.#rows) {
      throw new RangeError(`${this.#rows} rows that move were expected, ${this.#written} are there`);
    }
    const end = async (key: keyof typeof ARRAYS) => {
      const [part, dataType] = ARRAYS[key];
      return { file: `${this.#name}.${part}.npy`, dataType, sha256: await this.#files[key].end() };
    };
    return { rows: this.#rows, row: await end("row"), from: await end("from"), to: await end("to") };
  }

  async abandon(): Promise<void> {
    await Promise.all(Object.values(this.#files).map((file) => file.abandon()));
  }
}
