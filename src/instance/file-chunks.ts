import { open } from "node:fs/promises";
import { InputError } from "../errors/input-error.js";

/** Large enough that a call per chunk costs nothing, small enough for the processor's caches. */
const CHUNK_BYTES = 1 << 21;

/**
 * The bytes [start, end) of a file in chunks of whole megabytes, so that no element of 4 or 8 bytes is cut in two when
 * the part is made of whole elements. The next chunk is read while the caller works on the last; two buffers take turns,
 * so a chunk is the caller's only until it asks for another. Every chunk begins at offset 0 of its buffer.
 *
 * Throws `InputError` when the file ends before `end`.
 */
export async function* fileChunks(path: string, start: number, end: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = await open(path, "r");
  try {
    let filling = new ArrayBuffer(Math.min(CHUNK_BYTES, end - start));
    let other = new ArrayBuffer(filling.byteLength);
    const fill = async (into: ArrayBuffer, position: number): Promise<Uint8Array<ArrayBuffer>> => {
      const chunk = new Uint8Array(into, 0, Math.min(into.byteLength, end - position));
      for (let done = 0; done < chunk.length; ) {
        const { bytesRead } = await file.read(chunk, done, chunk.length - done, position + done);
        if (bytesRead === 0) throw new InputError("the file ends too early; write it again", path);
        done += bytesRead;
      }
      return chunk;
    };
    let next = start < end ? fill(filling, start) : undefined;
    for (let position = start; next !== undefined; ) {
      const chunk = await next;
      position += chunk.length;
      [filling, other] = [other, filling];
      next = position < end ? fill(filling, position) : undefined;
      // Its failure is thrown where it is awaited; until then nobody else may call it unhandled.
      next?.catch(() => undefined);
      yield chunk;
    }
  } finally {
    await file.close();
  }
}
