import type { RemapTable } from "./manifest.js";

/** What the rows of one table are written to, in the order of row ids, in chunks of at most `CHUNK_ROWS`. */
export interface RemapSink {
  write(codes: Uint8Array, indices: Float64Array): Promise<void>;
  /** Finishes the files; returns their names and hashes. */
  end(): Promise<RemapTable["files"]>;
  /** Lets go of the files where the writing was given up. */
  abandon(): Promise<void>;
}
