import { InputError } from "../../../errors/input-error.js";
import { IS_SWAPPED, turnRound } from "../../npy/floats.js";
import type { CountTally } from "../tally.js";
import { ELEMENT_BYTES, type ElementType } from "./header.js";

/** What one unit of the high half of a 64-bit integer is worth. */
const HIGH = 2 ** 32;

/** Thrown for an element that is no count; `index` is its own in the file. */
export class NoCount extends Error {
  readonly index: number;
  readonly value: number;

  constructor(index: number, value: number) {
    super();
    this.index = index;
    this.value = value;
  }
}

/** What is to be thrown where reading failed: of an element that is no count, what a user can mend. */
export function readableFailure(error: unknown, path: string): unknown {
  if (!(error instanceof NoCount)) return error;
  const expected = `element ${error.index}: expected a count from 0 to 2^53 − 1`;
  return new InputError(`${expected}, received ${error.value}; correct the file`, path);
}

/**
 * Adds a chunk of elements, the first of which is `first` in the file, to a tally: one loop per type, without a call or an
 * allocation per element.
 */
export function tallyElements(
  type: ElementType,
  chunk: Uint8Array<ArrayBuffer>,
  tally: CountTally,
  first: number,
): void {
  turnRound(chunk, ELEMENT_BYTES[type]);
  const { buffer, byteLength } = chunk;
  // A negative int32 is an uint32 beyond every lane.
  if (type === "<u4" || type === "<i4") {
    tallyWords(new Uint32Array(buffer, 0, byteLength / 4), tally, type === "<i4", first);
  } else if (type === "<f8") tallyDoubles(new Float64Array(buffer, 0, byteLength / 8), tally, first);
  else tallyLongs(new Uint32Array(buffer, 0, byteLength / 4), tally, type === "<i8", first);
}

function tallyWords(elements: Uint32Array, tally: CountTally, isSigned: boolean, first: number): void {
  const { even, odd } = tally.lanes(elements.length);
  const limit = even.length;
  const beyond = (index: number, count: number) => {
    if (isSigned && count >= 2 ** 31) throw new NoCount(first + index, count - HIGH);
    tally.addBeyond(count);
  };
  const paired = elements.length & ~1;
  for (let index = 0; index < paired; index += 2) {
    const one = elements[index] as number;
    const other = elements[index + 1] as number;
    if (one < limit) even[one] = (even[one] as number) + 1;
    else beyond(index, one);
    if (other < limit) odd[other] = (odd[other] as number) + 1;
    else beyond(index + 1, other);
  }
  if (paired === elements.length) return;
  const last = elements[paired] as number;
  if (last < limit) even[last] = (even[last] as number) + 1;
  else beyond(paired, last);
}

function tallyLongs(halves: Uint32Array, tally: CountTally, isSigned: boolean, first: number): void {
  const { even, odd } = tally.lanes(halves.length / 2);
  const limit = even.length;
  const [low, high] = IS_SWAPPED ? [1, 0] : [0, 1];
  for (let at = 0; at < halves.length; at += 2) {
    const small = halves[at + low] as number;
    if (halves[at + high] === 0 && small < limit) {
      const lane = (at & 2) === 0 ? even : odd;
      lane[small] = (lane[small] as number) + 1;
      continue;
    }
    const large = halves[at + high] as number;
    const count = (isSigned ? large | 0 : large) * HIGH + small;
    if (!isCount(count)) throw new NoCount(first + at / 2, count);
    tally.addBeyond(count);
  }
}

function tallyDoubles(elements: Float64Array, tally: CountTally, first: number): void {
  const { even, odd } = tally.lanes(elements.length);
  const limit = even.length;
  for (let index = 0; index < elements.length; index++) {
    const count = elements[index] as number;
    const integer = count | 0;
    if (integer === count && integer >= 0 && integer < limit) {
      const lane = (index & 1) === 0 ? even : odd;
      lane[integer] = (lane[integer] as number) + 1;
      continue;
    }
    if (!isCount(count)) throw new NoCount(first + index, count);
    tally.addBeyond(count);
  }
}

/** The elements of a chunk, the first of which is `first` in the file, as doubles into the beginning of `counts`. */
export function decodeElements(
  type: ElementType,
  chunk: Uint8Array<ArrayBuffer>,
  counts: Float64Array,
  first: number,
): void {
  turnRound(chunk, ELEMENT_BYTES[type]);
  const { buffer, byteLength } = chunk;
  const length = byteLength / (type === "<u4" || type === "<i4" ? 4 : 8);
  if (type === "<u4") counts.set(new Uint32Array(buffer, 0, length));
  else if (type === "<i4") counts.set(new Int32Array(buffer, 0, length));
  else if (type === "<f8") counts.set(new Float64Array(buffer, 0, length));
  else {
    const halves = new Uint32Array(buffer, 0, length * 2);
    const [low, high] = IS_SWAPPED ? [1, 0] : [0, 1];
    for (let index = 0, at = 0; index < length; index++, at += 2) {
      const large = halves[at + high] as number;
      counts[index] = (type === "<i8" ? large | 0 : large) * HIGH + (halves[at + low] as number);
    }
  }
  for (let index = 0; index < length; index++) {
    if (!isCount(counts[index] as number)) throw new NoCount(first + index, counts[index] as number);
  }
}

function isCount(value: number): boolean {
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
