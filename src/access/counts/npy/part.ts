import { fileChunks } from "../../../instance/file-chunks.js";
import { CountTally } from "../tally.js";
import { tallyElements } from "./elements.js";
import type { NpyHeader } from "./header.js";

/** The elements [first, last) of an array file. */
export interface Part extends NpyHeader {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** Throws `NoCount` for an element that is none. */
export async function tallyPart({ path, type, bytesPerElement, offset, first, last }: Part): Promise<CountTally> {
  const tally = new CountTally();
  let done = first;
  for await (const chunk of fileChunks(path, offset + first * bytesPerElement, offset + last * bytesPerElement)) {
    tallyElements(type, chunk, tally, done);
    done += chunk.length / bytesPerElement;
  }
  return tally;
}
