import { InputError } from "../errors/input-error.js";

/** UTF-8 bytes as text, a byte order mark with them. Throws `InputError` for other bytes; `advice` is what to do. */
export function utf8Text(bytes: Uint8Array, file: string, advice?: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const said = "expected UTF-8 text, received other bytes";
    throw new InputError(advice === undefined ? said : `${said}; ${advice}`, file);
  }
}
