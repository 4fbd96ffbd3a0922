import { type PlacedDocument, readDocument } from "../../instance/document.js";

/**
 * JSON as plain values with their places. It is parsed as JSON, which is many times faster than YAML; its places are looked up
 * when the first is asked for, and text that is no JSON is read as YAML, which finds the error. Throws `InputError`. The text
 * begins in `firstLine` of its file.
 */
export function jsonDocument(text: string, file: string, firstLine = 1): PlacedDocument {
  let read: PlacedDocument | undefined;
  const document = () => {
    read ??= readDocument("\n".repeat(firstLine - 1) + text, file);
    return read;
  };
  return {
    file,
    value: parsed(text) ?? document().value,
    placeOf: (path) => document().placeOf(path),
    placeOfKey: (path) => document().placeOfKey(path),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
