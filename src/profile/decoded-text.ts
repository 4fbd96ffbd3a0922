import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { fileError } from "../errors/file-error.js";
import { InputError, type Place } from "../errors/input-error.js";

/** Bytes that are read at a time. */
const CHUNK_BYTES = 1 << 20;

/** How lines end, in files of any system. */
export const LINE_END = /\r\n|\n|\r/;

/** Of a character, in any encoding; one may be cut where a piece begins. */
const MAX_BYTES = 8;

/** What files begin with that are no text, and what to do about it. */
const OTHER_KINDS: readonly (readonly [magic: readonly number[], kind: string, advice: string])[] = [
  [[0x1f, 0x8b], "gzip data", "unpack it, or give it a name that ends in .gz"],
  [[0x28, 0xb5, 0x2f, 0xfd], "Zstandard data", "unpack it, or give it a name that ends in .zst"],
  [[0x50, 0x41, 0x52, 0x31], "Parquet", "say --format parquet"],
  [[0xff, 0xfe], "UTF-16", "say --encoding utf-16"],
  [[0xfe, 0xff], "UTF-16", "say --encoding utf-16be"],
];

/**
 * The Encoding Standard's name of an encoding: `utf-8`, `windows-1252` for latin-1, `utf-16le`, `shift_jis`, … Throws
 * `InputError` for one that is not known.
 */
export function encodingOf(name: string): string {
  const plain = name.trim().toLowerCase();
  // "latin-1" and "utf16" are no labels of the standard, "latin1" and "utf-16" are.
  for (const label of [plain, plain.replace(/[-_ ]/g, ""), plain.replace(/^utf[-_ ]?/, "utf-")]) {
    try {
      return new TextDecoder(label, { fatal: true }).encoding;
    } catch {
      // The next spelling.
    }
  }
  throw new InputError(
    `--encoding: expected an encoding such as utf-8, latin-1, utf-16, shift_jis or gbk, received ${JSON.stringify(name)}`,
  );
}

/**
 * The text of a file, unpacked where its name ends in .gz, without a byte order mark, piece by piece. Throws `InputError`
 * with line and column where it is not of the encoding, and for packed data under another name.
 */
export async function* decodedText(file: string, encoding = "utf-8"): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let bytes = 0;
  /** Where the piece begins that was decoded last: a character that is cut at the end is in it. */
  let from = 0;
  const decode = async (chunk: Buffer | null): Promise<string> => {
    try {
      return chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw await undecodable(file, encoding, from);
    }
  };
  for await (const chunk of bytesOf(file)) {
    if (bytes === 0) requireText(file, chunk, encoding);
    from = bytes;
    yield await decode(chunk);
    bytes += chunk.length;
  }
  yield await decode(null);
}

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  const isPacked = /\.gz$/i.test(file);
  const source = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  // Errors of either stream come out of the reading below.
  const stream = isPacked ? pipeline(source, createGunzip({ chunkSize: CHUNK_BYTES }), () => {}) : source;
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    if (!/^Z_/.test((error as { code?: string }).code ?? "")) throw fileError(error, file, "a log that can be read");
    const { message } = error as Error;
    throw new InputError(`expected gzip data, as the name says, received other bytes (${message})`, file);
  } finally {
    source.destroy();
  }
}

function requireText(file: string, start: Buffer, encoding: string): void {
  const other = OTHER_KINDS.find(([magic]) => magic.every((byte, k) => start[k] === byte));
  if (other === undefined || (other[1] === "UTF-16" && encoding !== "utf-8")) return;
  throw new InputError(`expected ${nameOf(encoding)} text, received ${other[1]}; ${other[2]}`, file);
}

/** The error for the first bytes from `from` on that are no text; the file is read again up to there. */
async function undecodable(file: string, encoding: string, from: number): Promise<InputError> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const position = new Position();
  let offset = 0;
  /** Bytes of a character that is not whole yet. */
  let pending: readonly number[] = [];
  const refusal = (bytes: readonly number[]) => {
    const found = bytes.length === 1 ? `the byte ${hex(bytes)}` : `the bytes ${hex(bytes)}`;
    const advice =
      encoding === "utf-8"
        ? "say what it is with --encoding (latin-1, utf-16, …), or convert the file"
        : "correct the file, or say another --encoding";
    const message = `expected ${nameOf(encoding)} text, received ${found} at byte ${offset - pending.length} (from 0); ${advice}`;
    return new InputError(message, file, position.place);
  };
  for await (const chunk of bytesOf(file)) {
    const whole = chunk.subarray(0, Math.max(0, from - MAX_BYTES - offset));
    if (whole.length > 0) position.advance(decoder.decode(whole, { stream: true }));
    offset += whole.length;
    for (const byte of chunk.subarray(whole.length)) {
      try {
        const text = decoder.decode(Uint8Array.of(byte), { stream: true });
        pending = text === "" ? [...pending, byte] : [];
        position.advance(text);
        offset++;
      } catch {
        return refusal(pending.length === 0 ? [byte] : pending);
      }
    }
  }
  return refusal(pending);
}

/** Where a text that comes in pieces ends. */
class Position {
  #line = 1;
  #column = 1;
  #endsInReturn = false;

  get place(): Place {
    return { line: this.#line, column: this.#column };
  }

  advance(text: string): void {
    if (text === "") return;
    const lines = (this.#endsInReturn ? text.replace(/^\n/, "") : text).split(LINE_END);
    this.#line += lines.length - 1;
    this.#column = (lines.length === 1 ? this.#column : 1) + (lines.at(-1) as string).length;
    this.#endsInReturn = text.endsWith("\r");
  }
}

function nameOf(encoding: string): string {
  return encoding === "utf-8" ? "UTF-8" : encoding;
}

function hex(bytes: readonly number[]): string {
  return bytes.map((byte) => `0x${byte.toString(16).padStart(2, "0").toUpperCase()}`).join(" ");
}
